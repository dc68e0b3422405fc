package server

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUploadFiles(t *testing.T) {
	t.Parallel()
	site := servePage(t, `<input type=file id=one><input type=file id=many multiple hidden><label for=many>Choose</label>
		<button id=opens onclick="many.click()">Open</button><button id=plain>Plain</button>
		<input type=file id=off disabled><input type=file id=folder webkitdirectory><input type=file id=takes oninput="this.value = ''"><script>
		let log = ''; for (const f of document.querySelectorAll('input')) f.onchange = async () => { log += f.id + ':'; for (const file of f.files) log += file.name + '=' + await file.text() + ' ' };</script>`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "ü b.txt")
	require.NoError(t, os.WriteFile(a, []byte("A"), 0o600))
	require.NoError(t, os.WriteFile(b, []byte("B"), 0o600))
	up := func(selector string, paths ...string) map[string]any {
		return map[string]any{"selector": selector, "paths": paths, "timeout": "3s"}
	}

	require.Equal(t, "<input#one> has 1 file: a.txt", p.must("browser_upload_file", up("#one", a)))
	require.Regexp(t, `(?m)^button "Choose File: a.txt" e\d+$`, p.must("browser_snapshot", map[string]any{}))
	require.Equal(t, `<label> "Choose" has 2 files: a.txt, ü b.txt`, p.must("browser_upload_file", up("text=Choose", a, b)), "a hidden field by its label")
	require.Contains(t, p.must("browser_upload_file", up("#opens", b)), "has 1 file: ü b.txt", "by the button that opens the chooser")
	require.Equal(t, `"one:a.txt=A many:a.txt=A ü b.txt=B many:ü b.txt=B "`, p.eval("log"))

	require.Contains(t, p.must("browser_click", map[string]any{"selector": "#opens"}), "File chooser opened: browser_upload_file without a selector answers it")
	require.Equal(t, "the file chooser has 2 files: a.txt, ü b.txt", p.must("browser_upload_file", map[string]any{"paths": []string{a, b}}))
	require.Contains(t, p.fails("browser_upload_file", map[string]any{"paths": []string{a}}), "no file chooser is open")

	require.Contains(t, p.fails("browser_upload_file", up("#one", a, b)), "takes one file, and 2 were given")
	require.Contains(t, p.fails("browser_upload_file", up("#one", filepath.Join(dir, "none"))), "File not found: "+dir)
	require.Contains(t, p.fails("browser_upload_file", up("#one", dir)), "is not a file")
	require.Contains(t, p.fails("browser_upload_file", up("#one", "a.txt")), "not an absolute path")
	require.Contains(t, p.fails("browser_upload_file", up("#one")), "argument \"paths\" is missing")
	require.Contains(t, p.fails("browser_upload_file", up("#plain", a)), "clicking it opened no file chooser; it was clicked")
	require.Contains(t, p.fails("browser_upload_file", up("#off", a)), "it is disabled")

	require.Contains(t, p.must("browser_upload_file", up("#takes", a)), "has 0 files; it was given 1, and the page has changed that since")
	require.Contains(t, p.fails("browser_upload_file", up("#folder", a)), "it takes a folder")

	form := fmt.Sprintf(`{"fields": [{"selector": "#one", "value": %q}]}`, b)
	require.Contains(t, p.must("browser_fill_form", form), "<input#one>: ü b.txt")
}

// A page that opens windows by the dozen gets them, and the session goes on.
func TestFloodOfWindows(t *testing.T) {
	t.Parallel()
	site := servePage(t, `<button onclick="for (let i = 0; i < 40; i++) window.open('about:blank?' + i)">Open</button>`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	said := p.must("browser_click", map[string]any{"selector": "button"})
	require.Contains(t, said, "New tabs: ")
	require.Equal(t, "2", p.eval("1+1"))
	list := p.must("browser_tabs", map[string]any{"action": "list"})
	require.LessOrEqual(t, len(list), 4096)
	require.Contains(t, list, `0 (selected) "Test"`)
	p.must("browser_tabs", map[string]any{"action": "select", "index": 1})
	p.must("browser_tabs", map[string]any{"action": "close", "index": 1})
	require.Equal(t, "2", p.eval("1+1"))
}

func TestCallsShareTheTabThatIsOpenedForThem(t *testing.T) {
	t.Parallel()
	site := servePage(t, `<p>Home`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	p.must("browser_tabs", map[string]any{"action": "close", "index": 0})
	var looks []<-chan wire
	for range 6 {
		_, reply := p.startCall("browser_snapshot", map[string]any{})
		looks = append(looks, reply)
	}
	for _, reply := range looks {
		a := p.answer(p.receive(reply))
		require.False(t, a.IsError, a.text())
	}
	require.Contains(t, p.must("browser_tabs", map[string]any{"action": "list"}), "1 tab:")
}

func TestErrorsLinkTheirWholeText(t *testing.T) {
	t.Parallel()
	site := servePage(t, `<p>No fields`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	var fields []map[string]any
	for i := range 60 {
		fields = append(fields, map[string]any{"selector": fmt.Sprintf("#%d-%s", i, strings.Repeat("missing", 10)), "value": "x"})
	}
	a := p.call("browser_fill_form", map[string]any{"fields": fields, "timeout": "10s"})
	require.True(t, a.IsError)
	require.NotEmpty(t, a.link(), a.text())
	require.Contains(t, p.readResource(a.link()), "#59-")
}
