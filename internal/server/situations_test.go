package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/browser-mcp/browser-mcp/internal/config"
)

// A setting is where in a page something is put.
type setting struct {
	name   string
	prefix string // of the selectors of what is put there
	page   string // with HTML for what is put there, or ADDRESS for a page that holds it
	apart  bool   // what is of another site runs in a process of its own, as in a full browser
}

var settings = []setting{
	{"main frame", "", `HTML`, false},
	{"same origin", "#frame >> ", `<iframe id=frame width=700 height=500 src="ADDRESS"></iframe>`, false},
	{"other origin", "#frame >> ", `<iframe id=frame width=700 height=500></iframe><script>at('frame').src = elsewhere('ADDRESS')</script>`, true},
	{"shadow root", "", `<div id=host><template shadowrootmode=open>HTML</template></div>`, false},
}

// recorder is in every document. told is what its window got; at finds an
// element by its id wherever the setting has put it; later is when the first look
// at the page is over.
const recorder = `<script>
const told = [];
const at = (id) => (document.querySelector('#host')?.shadowRoot ?? document).querySelector('#' + id);
const later = (work) => setTimeout(work, 800);
const elsewhere = (path) => location.origin.replace(/127.0.0.1|localhost/, (host) => host === 'localhost' ? '127.0.0.1' : 'localhost') + path;
for (const type of ['pointerdown', 'mousedown', 'click', 'drop']) {
  addEventListener(type, (e) => told.push([type, e.isTrusted, ...e.composedPath().map((node) => node.id && '#' + node.id).filter(Boolean)].join(' ')), true);
}
</script>`

func document(address, html string) txtar.File {
	return txtar.File{Name: strings.TrimPrefix(address, "/"), Data: []byte("<!doctype html><meta charset=utf-8><title>Situation</title>" + recorder + html)}
}

// put gives the documents that have the HTML in the setting.
func (s setting) put(address, html string) []txtar.File {
	inner := "/inner" + address
	return []txtar.File{
		document(address, strings.NewReplacer("HTML", html, "ADDRESS", inner).Replace(s.page)),
		document(inner, html),
	}
}

// isolating is a server whose browser gives each site a process of its own, where
// that is wanted.
func isolating(t *testing.T, apart bool) *Server {
	t.Helper()
	return newTestServer(t, func(c *config.Config) {
		if apart {
			c.Browser.Args = append(c.Browser.Args, "--site-per-process")
		}
	})
}

// in evaluates an expression for an element.
func in(t *testing.T, p *peer, selector, expression string) string {
	t.Helper()
	a := p.call("browser_eval", map[string]any{"selector": selector, "expression": expression})
	require.False(t, a.IsError, a.text())
	return strings.TrimSuffix(strings.TrimPrefix(a.text(), "<javascript_result>"), "</javascript_result>")
}

// told gives what the windows of the page, and of the frames into which the
// prefix leads, got since the last time.
func told(t *testing.T, p *peer, prefix string) (events string) {
	t.Helper()
	frames := strings.Split(prefix, " >> ")
	for i := range frames {
		selector := strings.Join(append(frames[:i:i], "html"), " >> ")
		events += strings.Trim(in(t, p, selector, `told.splice(0).join("; ")`), `"`)
	}
	return events
}

func TestSituations(t *testing.T) {
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var files []txtar.File
			for i, one := range situations {
				files = append(files, s.put(fmt.Sprintf("/%d.html", i), one.html)...)
			}
			site := serve(t, files)
			p := connect(t, isolating(t, s.apart))
			for i, one := range situations {
				t.Run(one.name, func(t *testing.T) {
					p.must("browser_navigate", map[string]any{"url": fmt.Sprintf("%s/%d.html", site.url, i)})
					one.play(t, p, s.prefix)
				})
			}
		})
	}
}

// refusals are how long an action tries what cannot be done: the longer time is
// for a machine that is too busy to answer in the shorter.
var refusals = []string{"600ms", "6s"}

// refused makes a call that has to be refused, and gives the reason.
func refused(t *testing.T, p *peer, tool, selector string) string {
	t.Helper()
	var a answer
	for _, timeout := range refusals {
		a = p.call(tool, map[string]any{"selector": selector, "timeout": timeout})
		require.True(t, a.IsError, "%s: %s", tool, a.text())
		if a.Meta.Code != "ERR_TIMEOUT" {
			break
		}
	}
	return a.text()
}

// play clicks, and hovers where that is asked for, what the prefix leads to.
func (one situation) play(t *testing.T, p *peer, prefix string) {
	t.Helper()
	target := prefix + "#target"
	if one.refused != "" {
		require.Contains(t, refused(t, p, "browser_click", target), one.refused)
		if one.hover {
			require.Contains(t, refused(t, p, "browser_hover", target), one.refused)
		}
		require.Empty(t, told(t, p, prefix))
		return
	}
	if one.hover {
		a := p.call("browser_hover", map[string]any{"selector": target})
		require.False(t, a.IsError, a.text())
		require.Equal(t, "true", in(t, p, target, `this.matches(":hover")`))
	}
	selectors := []string{target}
	if one.also != "" {
		selectors = append(selectors, prefix+one.also)
	}
	for _, selector := range selectors {
		a := p.call("browser_click", map[string]any{"selector": selector, "wait": true})
		events := told(t, p, prefix)
		require.False(t, a.IsError, "%s; told: %s", a.text(), events)
		require.Regexp(t, `pointerdown true.*mousedown true.*click true[^;]* #target`, events, "%s: %s", selector, a.text())
	}
}

// What is dragged, and where to: with data, by the mouse alone, to what is out of
// sight at first.
var drags = []struct{ name, html, want string }{
	{"with data", `<p id=target draggable=true>Card</p><div id=zone style="height:60px" ondragover="event.preventDefault()">Zone</div>`, `drop true[^;]* #zone`},
	{"by the mouse", `<p id=target>Card</p><div id=zone style="height:60px">Zone</div><script>addEventListener('mouseup', (e) => told.push('released on ' + e.composedPath()[0].id))</script>`, `mousedown true[^;]* #target.*released on zone`},
	{"in a shrunken box", `<div style="transform:scale(.5)"><p id=target draggable=true>Card</p><div id=zone style="height:60px" ondragover="event.preventDefault()">Zone</div></div>`, `drop true[^;]* #zone`},
	{"below the fold", `<div style="height:3000px"></div><p id=target draggable=true>Card</p><div id=zone style="height:60px" ondragover="event.preventDefault()">Zone</div>`, `drop true[^;]* #zone`},
}

func TestDragsInSettings(t *testing.T) {
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			var files []txtar.File
			for i, one := range drags {
				files = append(files, s.put(fmt.Sprintf("/%d.html", i), one.html)...)
			}
			site := serve(t, files)
			p := connect(t, isolating(t, s.apart))
			for i, one := range drags {
				t.Run(one.name, func(t *testing.T) {
					p.must("browser_navigate", map[string]any{"url": fmt.Sprintf("%s/%d.html", site.url, i)})
					a := p.call("browser_drag", map[string]any{"from": s.prefix + "#target", "to": s.prefix + "#zone"})
					require.False(t, a.IsError, a.text())
					require.Regexp(t, one.want, told(t, p, s.prefix))
				})
			}
		})
	}
}

func TestDragsBetweenProcesses(t *testing.T) {
	t.Parallel()
	const both = `<div id=card draggable=true ondragstart="event.dataTransfer.setData('text', 'hi')">Card</div><div id=zone style="height:40px" ondragover="event.preventDefault()" ondrop="event.preventDefault()">Zone</div><button id=target>Go</button>`
	site := serve(t, setting{page: `HTML<iframe id=frame></iframe><script>at('frame').src = elsewhere('ADDRESS')</script>`}.put("/page.html", both))
	p := connect(t, isolating(t, true))
	for _, way := range [][2]string{{"", "#frame >> "}, {"#frame >> ", ""}} {
		p.must("browser_navigate", map[string]any{"url": site.url + "/page.html"})
		a := p.call("browser_drag", map[string]any{"from": way[0] + "#card", "to": way[1] + "#zone"})
		require.False(t, a.IsError, a.text())
		require.Regexp(t, `drop true[^;]* #zone`, told(t, p, way[1]))
		for _, prefix := range way {
			p.must("browser_click", map[string]any{"selector": prefix + "#target", "timeout": "10s"})
		}
	}
}
