package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
)

// A situation is what a user does to a fresh app, and what must come of it.
type situation struct {
	name  string
	do    []step
	says  string // a part of the last answer
	fails string // a part of the last answer, which is an error
	model string // the fields that the framework must hold then, as JSON
}

// differs is how an answer tells that a field does not hold what was typed.
const differs = "something else than was typed"

// A step is a call of a tool.
type step struct {
	tool      string
	arguments map[string]any
	shows     []string // lines that the answer must have, without their refs
	line      string   // of the last outline: its ref is the selector
}

func (s step) String() string {
	arguments, _ := json.Marshal(s.arguments)
	return fmt.Sprintf("%s %.200s", s.tool, arguments)
}

func click(selector string) step {
	return step{tool: "browser_click", arguments: map[string]any{"selector": selector}}
}

func doubleClick(selector string) step {
	return step{tool: "browser_click", arguments: map[string]any{"selector": selector, "count": 2}}
}

// clickAt clicks at a position in an element.
func clickAt(selector string, x, y int) step {
	return step{tool: "browser_click", arguments: map[string]any{"selector": selector, "position": map[string]any{"x": x, "y": y}}}
}

// awaitAndClick clicks what is not there yet.
func awaitAndClick(selector string) step {
	return step{tool: "browser_click", arguments: map[string]any{"selector": selector, "wait": true}}
}

func enter(selector, text string) step {
	return step{tool: "browser_type", arguments: map[string]any{"selector": selector, "text": text}}
}

// refused clicks what cannot be clicked, and does not wait for long.
func refused(selector string) step {
	return step{tool: "browser_click", arguments: map[string]any{"selector": selector, "timeout": "1s"}}
}

// with adds an argument that is a switch, such as clear.
func (s step) with(option string) step {
	s.arguments[option] = true
	return s
}

// gone waits until an element is gone or hidden.
func gone(selector string) step {
	return step{tool: "browser_wait_for_selector", arguments: map[string]any{"selector": selector, "gone": true}}
}

func press(key, selector string) step {
	arguments := map[string]any{"key": key}
	if selector != "" {
		arguments["selector"] = selector
	}
	return step{tool: "browser_press_key", arguments: arguments}
}

// choose chooses in a <select>.
func choose(selector string, values ...string) step {
	return step{tool: "browser_select_option", arguments: map[string]any{"selector": selector, "values": values}}
}

// fill fills a form: selector, value, selector, value.
func fill(pairs ...string) step {
	var fields []map[string]any
	for pair := range slices.Chunk(pairs, 2) {
		fields = append(fields, map[string]any{"selector": pair[0], "value": pair[1]})
	}
	return step{tool: "browser_fill_form", arguments: map[string]any{"fields": fields}}
}

func hover(selector string) step {
	return step{tool: "browser_hover", arguments: map[string]any{"selector": selector}}
}

func drag(from, to string) step {
	return step{tool: "browser_drag", arguments: map[string]any{"from": from, "to": to}}
}

func upload(selector string, paths ...string) step {
	return step{tool: "browser_upload_file", arguments: map[string]any{"selector": selector, "paths": paths}}
}

// file is the path of a file of this folder.
func file(name string) string {
	path, _ := filepath.Abs(name)
	return path
}

// see looks at the outline, which must have the lines.
func see(lines ...string) step {
	return step{tool: "browser_snapshot", shows: lines}
}

// clickLine clicks what has the line in the last outline, by its ref.
func clickLine(line string) step {
	return step{tool: "browser_click", line: line}
}

func await(selector string) step {
	return step{tool: "browser_wait_for_selector", arguments: map[string]any{"selector": selector, "visible": true}}
}

// A user drives a server of its own.
type user struct{ *client.Client }

func newUser(t *testing.T) user {
	t.Helper()
	c, err := client.NewStdioMCPClient(binary, []string{"TMPDIR=" + base + "/tmp", "BROWSER_MCP_TIMEOUTS_DEFAULT=10s"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, err = c.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "apps", Version: "1"},
	}})
	require.NoError(t, err)
	return user{c}
}

// call makes a call, whose answer is one text.
func (u user) call(ctx context.Context, s step) (text string, isError bool, err error) {
	result, err := u.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: s.tool, Arguments: s.arguments}})
	if err != nil {
		return "", false, err
	}
	for _, content := range result.Content {
		if said, ok := content.(mcp.TextContent); ok {
			return said.Text, result.IsError, nil
		}
	}
	return "", result.IsError, fmt.Errorf("%s answered without text", s.tool)
}

// test plays situations of an app, each in a page of its own.
func (u user) test(t *testing.T, app string, situations []situation) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			require.NoError(t, u.play(t.Context(), app, s))
		})
	}
}

// play reports what is not as the situation wants it.
func (u user) play(ctx context.Context, app string, s situation) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	open := step{tool: "browser_navigate", arguments: map[string]any{"url": site.URL + "/app/" + app}}
	steps := append([]step{open, await(anyField)}, s.do...)
	outline := ""
	for i, step := range steps {
		if step.line != "" {
			step.arguments = map[string]any{"selector": refOf(step.line, outline)}
		}
		text, isError, err := u.call(ctx, step)
		if step.tool == "browser_snapshot" {
			outline = text
		}
		last := i == len(steps)-1
		switch {
		case err != nil:
			return err
		case isError != (last && s.fails != ""):
			return fmt.Errorf("%s: %s", step, text)
		case last && !strings.Contains(text, s.fails+s.says):
			return fmt.Errorf("%s says %q, and not %q", step, text, s.fails+s.says)
		case strings.Contains(text, differs) && !(last && strings.Contains(s.says, differs)):
			return fmt.Errorf("%s: %s", step, text)
		case strings.Contains(text, "error"):
			return fmt.Errorf("%s: %s", step, text)
		}
		for _, line := range step.shows {
			if !slices.Contains(bare(text), line) {
				return fmt.Errorf("no line %q in %s", line, text)
			}
		}
	}
	return u.compare(ctx, s.model)
}

var ref = regexp.MustCompile(` (e\d+)\b`)

// bare gives the lines of an outline without indent and refs.
func bare(outline string) []string {
	lines := strings.Split(ref.ReplaceAllString(outline, ""), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// refOf gives the ref of a line of the outline, "" without one.
func refOf(line, outline string) string {
	for _, found := range strings.Split(outline, "\n") {
		if match := ref.FindStringSubmatch(found); match != nil && slices.Equal(bare(found), []string{line}) {
			return match[1]
		}
	}
	return ""
}

// anyField is in every app once its framework has drawn it, which may be after
// the page has loaded.
const anyField = "input, [contenteditable]"

// compare reports the fields of the app's model that are not as wanted.
func (u user) compare(ctx context.Context, model string) error {
	if model == "" {
		return nil
	}
	text, _, err := u.call(ctx, step{tool: "browser_eval", arguments: map[string]any{"expression": "JSON.stringify(model())"}})
	if err != nil {
		return err
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<javascript_result>"), "</javascript_result>")
	var held string
	var got, want map[string]any
	if err := json.Unmarshal([]byte(text), &held); err != nil {
		return fmt.Errorf("model: %s: %w", text, err)
	}
	if err := json.Unmarshal([]byte(held), &got); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(model), &want); err != nil {
		return err
	}
	for name, value := range want {
		if !reflect.DeepEqual(got[name], value) {
			return fmt.Errorf("the model holds %s, and not %s", held, model)
		}
	}
	return nil
}
