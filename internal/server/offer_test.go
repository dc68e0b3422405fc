package server

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/config"
)

// TestReadImage: what is a picture is shown, and whatever else a path can name
// is refused at once, with the reason.
func TestReadImage(t *testing.T) {
	p := connect(t, newTestServer(t, nil))
	folder := t.TempDir()
	at := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	picture := image.NewPaletted(image.Rect(0, 0, 40, 30), color.Palette{color.White, color.Black})
	encoded := map[string]func(*bytes.Buffer) error{
		"image/png":  func(b *bytes.Buffer) error { return png.Encode(b, picture) },
		"image/jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, picture, nil) },
		"image/gif":  func(b *bytes.Buffer) error { return gif.Encode(b, picture, nil) },
	}
	for mime, encode := range encoded {
		var data bytes.Buffer
		require.NoError(t, encode(&data))
		path := at("picture-"+filepath.Base(mime), data.Bytes())
		a := p.call("read_image", map[string]any{"path": path})
		require.Equal(t, "Image from "+path+" (type: "+mime+", 40×30)", a.text())
		shown, as := a.image(t)
		require.Equal(t, mime, as)
		require.Equal(t, data.Bytes(), shown)
		cut := at("cut-"+filepath.Base(mime), data.Bytes()[:data.Len()*2/3])
		require.Equal(t, "ERR_BAD_IMAGE", p.call("read_image", map[string]any{"path": cut}).Meta.Code, mime)
	}
	wide := image.NewGray(image.Rect(0, 0, 4000, 10))
	var large bytes.Buffer
	require.NoError(t, png.Encode(&large, wide))
	a := p.call("read_image", map[string]any{"path": at("wide.png", large.Bytes())})
	require.Contains(t, a.text(), "(type: image/png, 4000×10); shown at 39 % (1568×4)")

	fifo := filepath.Join(folder, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	missing := filepath.Join(folder, "missing.png")
	require.Equal(t, "Image file not found: "+missing, p.fails("read_image", map[string]any{"path": missing}))
	for _, path := range []string{folder, fifo, "/dev/zero", at("text.png", []byte("no picture")), at("empty.png", nil)} {
		p.fails("read_image", map[string]any{"path": path})
	}
}

// TestToolsThatAreNotOffered: a rule holds for the list and for the calls, and
// the refusal says which it is.
func TestToolsThatAreNotOffered(t *testing.T) {
	for _, tt := range []struct {
		tool   string
		change func(*config.Tools)
		says   string
	}{
		{"browser_eval", func(c *config.Tools) { c.Deny = []string{"browser_eval"} }, "browser_eval is not offered: the configuration denies it by tools.deny"},
		{"browser_click", func(c *config.Tools) { c.ReadOnly = true }, "browser_click is not offered: the configuration offers only tools that change nothing, by tools.read_only"},
		{"browser_navigate", func(c *config.Tools) { c.Sets, c.Allow = nil, []string{"read_image"} }, "browser_navigate is in the toolset core, which is off; the server offers it with --tools-sets=core"},
		{"browser_export_har", func(*config.Tools) {}, "browser_export_har is in the toolset recording, which is off; the server offers it with --tools-sets=default,recording"},
		{"browser_clik", func(*config.Tools) {}, "there is no tool browser_clik; did you mean browser_click?"},
		{"fetch", func(*config.Tools) {}, "there is no tool fetch; tools/list has those there are"},
		{strings.Repeat("x", 100), func(*config.Tools) {}, "there is no tool " + strings.Repeat("x", 60) + "…; tools/list has those there are"},
	} {
		p := connect(t, newTestServer(t, func(cfg *config.Config) { tt.change(&cfg.Tools) }))
		require.NotContains(t, string(p.request("tools/list", map[string]any{}).Result), `"name":"`+tt.tool+`"`)
		m := p.request("tools/call", map[string]any{"name": tt.tool, "arguments": map[string]any{}})
		require.NotNil(t, m.Error, tt.tool)
		require.Equal(t, tt.says, m.Error.Message)
	}
}

// TestInstructionsFollowTheConfiguration: a model is told of no tool that it
// cannot call, and the true time of rest.
func TestInstructionsFollowTheConfiguration(t *testing.T) {
	named := regexp.MustCompile(`browser_[a-z_]+`)
	for _, tt := range []struct {
		change func(*config.Config)
		says   string
	}{
		{func(*config.Config) {}, "until browser_close or 30m of rest."},
		{func(c *config.Config) { c.Session.IdleTimeout = config.Duration(90 * time.Second) }, "or 1m30s of rest."},
		{func(c *config.Config) { c.Session.IdleTimeout = 0 }, "until browser_close."},
		{func(c *config.Config) { c.Session.IdleTimeout, c.Tools.Deny = 0, []string{"browser_close"} }, "until you disconnect."},
		{func(c *config.Config) { c.Tools.Deny = []string{"browser_wait"} }, "use browser_wait_for_selector."},
		{func(c *config.Config) { c.Tools.Sets = []string{"core"} }, "act (browser_click, browser_type), look again."},
		{func(c *config.Config) { c.Tools.ReadOnly = true }, "from browser_snapshot or browser_find."},
		{func(c *config.Config) { c.Tools.Sets, c.Tools.Allow = nil, []string{"read_image"} }, "30m of rest."},
	} {
		p := dial(t, newTestServer(t, tt.change))
		hello := string(p.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}}).Result)
		require.Contains(t, hello, tt.says)
		list := string(p.request("tools/list", map[string]any{}).Result)
		for _, name := range named.FindAllString(hello, -1) {
			require.Contains(t, list, `"name":"`+name+`"`, tt.says)
		}
	}
}
