//go:build linux

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A step is one request of the play, and what its result has to be.
type step struct {
	Method    string         `json:"method"`
	Tool      string         `json:"tool,omitempty"`
	Arguments map[string]any `json:"arguments,omitempty"` // $URL, $URI, $FILE: the site, and the file linked last

	match string // the text of a call's answer, as a regular expression with $URL
	also  func(*testing.T, json.RawMessage)
}

// thePlay is what every client does, and what it has to see.
var thePlay = []step{
	{Method: "initialize", also: checkHello},
	{Method: "tools/list", also: checkTools},
	call("browser_navigate", `^Loaded "Tasks" \(200\) $URL$`, "url", "$URL"),
	call("browser_wait_for_selector", `^Found <li> "Buy coffee" \(1 of 2 matches\)$`, "selector", "#tasks li", "visible", true),
	call("browser_type", `^Typed into <input#title> "What is to be done"$`, "selector", "#title", "text", "Crème brûlée, 2× 🍮"),
	call("browser_click", `^Clicked <button#add> "Add"`, "selector", "#add"),
	call("browser_wait_for_selector", `^Found <li\.mine> "Crème brûlée, 2× 🍮"`, "selector", "li.mine", "visible", true),
	call("browser_recent_console_logs", `(?s)^1 console message.*\[log\] .*task added \{id: 3, title: "Crème brûlée, 2× 🍮", tags: \["new", "mine"\], owner: \{name: "Ada"\}\}`),
	call("browser_take_screenshot", `^Screenshot of the viewport, 1280×720 CSS pixels, saved as /`).and(checkScreenshot),
	{Method: "resources/read", Arguments: map[string]any{"uri": "$URI"}, also: checkResource},
	call("read_image", `1280×720`, "path", "$FILE").and(checkPicture),
	call("browser_close", `^The browser is closed`),
}

// call is a step that calls a tool; arguments are names and values in turn.
func call(tool, match string, arguments ...any) step {
	s := step{Method: "tools/call", Tool: tool, Arguments: map[string]any{}, match: match}
	for i := 0; i < len(arguments); i += 2 {
		s.Arguments[arguments[i].(string)] = arguments[i+1]
	}
	return s
}

func (s step) and(check func(*testing.T, json.RawMessage)) step {
	s.also = check
	return s
}

// TestPlay has two independent clients do the same and see the same.
func TestPlay(t *testing.T) {
	clients := map[string]func(*testing.T, string, string) []json.RawMessage{
		"mcp-go": playWithGo, "typescript-sdk": playWithSDK,
	}
	for name, play := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site, tmp := newApp(t), newTmp(t)
			results := play(t, tmp, site.url)
			require.Len(t, results, len(thePlay))
			for i, s := range thePlay {
				s.check(t, results[i], site.url)
			}
			require.Empty(t, (&server{tmp: tmp}).left())
		})
	}
}

func (s step) check(t *testing.T, result json.RawMessage, url string) {
	t.Helper()
	where := s.Method + " " + s.Tool
	if s.match != "" {
		a := decode(t, result)
		require.False(t, a.IsError, "%s: %s", where, a.text())
		require.Regexp(t, strings.ReplaceAll(s.match, "$URL", url), a.text(), where)
	}
	if s.also != nil {
		s.also(t, result)
	}
}

func decode(t *testing.T, result json.RawMessage) (a answer) {
	t.Helper()
	require.NoError(t, json.Unmarshal(result, &a))
	return a
}

func checkHello(t *testing.T, result json.RawMessage) {
	var hello struct {
		ServerInfo   struct{ Name, Version string }
		Capabilities map[string]any
		Instructions string
	}
	require.NoError(t, json.Unmarshal(result, &hello))
	require.Equal(t, "browser-mcp", hello.ServerInfo.Name)
	require.NotEmpty(t, hello.ServerInfo.Version)
	require.NotEmpty(t, hello.Instructions)
	require.Contains(t, hello.Capabilities, "tools")
	require.Contains(t, hello.Capabilities, "resources")
}

func checkTools(t *testing.T, result json.RawMessage) {
	var list struct {
		Tools []struct {
			Name, Description string
			InputSchema       struct{ Type string }
		}
	}
	require.NoError(t, json.Unmarshal(result, &list))
	var names []string
	for _, tool := range list.Tools {
		require.NotEmpty(t, tool.Description, tool.Name)
		require.Equal(t, "object", tool.InputSchema.Type, tool.Name)
		names = append(names, tool.Name)
	}
	for _, name := range []string{"browser_navigate", "browser_take_screenshot", "read_image"} {
		require.Contains(t, names, name)
	}
}

func checkScreenshot(t *testing.T, result json.RawMessage) {
	a := decode(t, result)
	require.Equal(t, "image/png 1280x720", a.picture())
	uri, path := a.link()
	require.NotEmpty(t, uri)
	require.Contains(t, a.text(), path)
}

func checkResource(t *testing.T, result json.RawMessage) {
	var resource struct {
		Contents []struct{ MIMEType, Blob string }
	}
	require.NoError(t, json.Unmarshal(result, &resource))
	require.Len(t, resource.Contents, 1)
	require.Equal(t, "image/png 1280x720", describePicture(resource.Contents[0].MIMEType, resource.Contents[0].Blob))
}

func checkPicture(t *testing.T, result json.RawMessage) {
	require.Equal(t, "image/png 1280x720", decode(t, result).picture())
}
