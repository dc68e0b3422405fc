package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
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
}

func (s step) String() string {
	arguments, _ := json.Marshal(s.arguments)
	return fmt.Sprintf("%s %.200s", s.tool, arguments)
}

func click(selector string) step {
	return step{"browser_click", map[string]any{"selector": selector}}
}

func doubleClick(selector string) step {
	return step{"browser_click", map[string]any{"selector": selector, "count": 2}}
}

// awaitAndClick clicks what is not there yet.
func awaitAndClick(selector string) step {
	return step{"browser_click", map[string]any{"selector": selector, "wait": true}}
}

func enter(selector, text string) step {
	return step{"browser_type", map[string]any{"selector": selector, "text": text}}
}

// refused clicks what cannot be clicked, and does not wait for long.
func refused(selector string) step {
	return step{"browser_click", map[string]any{"selector": selector, "timeout": "1s"}}
}

// with adds an argument that is a switch, such as clear.
func (s step) with(option string) step {
	s.arguments[option] = true
	return s
}

func press(key, selector string) step {
	arguments := map[string]any{"key": key}
	if selector != "" {
		arguments["selector"] = selector
	}
	return step{"browser_press_key", arguments}
}

func await(selector string) step {
	return step{"browser_wait_for_selector", map[string]any{"selector": selector, "visible": true}}
}

// A user drives a server of its own.
type user struct{ *client.Client }

func newUser(t *testing.T) user {
	t.Helper()
	c, err := client.NewStdioMCPClient(binary, []string{"TMPDIR=" + base + "/tmp", "BROWSER_MCP_TIMEOUTS_DEFAULT=3s"})
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
	open := step{"browser_navigate", map[string]any{"url": site.URL + "/app/" + app}}
	steps := append([]step{open}, s.do...)
	for i, step := range steps {
		text, isError, err := u.call(ctx, step)
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
	}
	return u.compare(ctx, s.model)
}

// compare reports the fields of the app's model that are not as wanted.
func (u user) compare(ctx context.Context, model string) error {
	if model == "" {
		return nil
	}
	text, _, err := u.call(ctx, step{"browser_eval", map[string]any{"expression": "JSON.stringify(model())"}})
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
