package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var actionTools = []tool.Tool{
	tool.OnPage("browser_click", tool.Acts, "Click an element once it is visible, enabled and not covered.", click),
	tool.OnPage("browser_type", tool.Acts, "Type text into a field with real keys.", typeText),
	tool.OnPage("browser_press_key", tool.Acts, "Press a key or a chord.", pressKey),
	tool.OnPage("browser_resize", tool.Sets, "Set the viewport's size in CSS pixels.", resize),
	tool.New("browser_handle_dialog", tool.Acts, "Answer the open alert, confirm, prompt or beforeunload dialog.", handleDialog),
}

type clickArgs struct {
	Selector  string   `json:"selector"`
	Wait      bool     `json:"wait,omitempty" note:"wait for an element that is not there yet"`
	Button    string   `json:"button,omitempty" enum:"left,middle,right" default:"left"`
	Count     int      `json:"count,omitempty" default:"1" min:"1" max:"3" note:"2 is a double click"`
	Modifiers []string `json:"modifiers,omitempty" enum:"Alt,Control,Meta,Shift"`
	Position  *point   `json:"position,omitempty" doc:"from the element's top left corner"`
	tool.ActionTimeout
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func click(ctx context.Context, _ *session.Session, tab *session.Tab, args clickArgs) (tool.Reply, error) {
	how := element.ClickOptions{Wait: args.Wait, Button: args.Button, Count: args.Count, Modifiers: args.Modifiers}
	if args.Position != nil {
		how.Position = &[2]float64{args.Position.X, args.Position.Y}
	}
	match, err := element.Click(ctx, tab, args.Selector, how)
	if err != nil {
		return tool.Reply{}, err
	}
	verb := map[int]string{1: "Clicked", 2: "Double-clicked", 3: "Triple-clicked"}[args.Count]
	if args.Button != "left" {
		verb += " (" + args.Button + ")"
	}
	return tool.Textf("%s %s%s", verb, match.Element, among(match)), nil
}

// among tells that a selector matched several elements, and which was taken, and
// what else there is to say.
func among(m element.Match) string {
	said := ""
	if m.Count > 1 {
		said = fmt.Sprintf(" (%d of %d matches)", m.Index+1, m.Count)
	}
	if m.Note != "" {
		said += "; " + m.Note
	}
	return said
}

type typeArgs struct {
	Selector string `json:"selector"`
	Text     string `json:"text" empty:"ok"`
	Clear    bool   `json:"clear,omitempty" doc:"replace what the field holds"`
	Submit   bool   `json:"submit,omitempty" note:"press Enter afterwards"`
	Slowly   bool   `json:"slowly,omitempty" note:"key by key, for fields that react to each"`
	tool.ActionTimeout
}

func typeText(ctx context.Context, _ *session.Session, tab *session.Tab, args typeArgs) (tool.Reply, error) {
	typed, err := element.Type(ctx, tab, args.Selector, element.Typing{Text: args.Text, Clear: args.Clear, Submit: args.Submit, Slowly: args.Slowly})
	if err != nil {
		return tool.Reply{}, err
	}
	verb := "Typed into"
	if args.Clear && args.Text == "" {
		verb = "Cleared"
	}
	said := fmt.Sprintf("%s %s%s", verb, typed.Element, among(typed.Match))
	switch {
	case typed.Submitted:
		said += " and pressed Enter"
	case args.Submit:
		said += ", but Enter was not pressed"
	}
	switch {
	case typed.Gone:
		said += ". The field is gone or behind a dialog, so that it could not be read back."
	case typed.Differs || typed.Partial:
		said += ". It holds " + typed.Holds(args.Text)
	}
	return tool.Text(said), nil
}

type pressKeyArgs struct {
	Key      string `json:"key" doc:"such as a, Enter, ArrowDown, Control+A"`
	Selector string `json:"selector,omitempty" note:"it is focused first"`
	tool.BriefTimeout
}

func pressKey(ctx context.Context, _ *session.Session, tab *session.Tab, args pressKeyArgs) (tool.Reply, error) {
	match, err := element.PressKey(ctx, tab, args.Key, args.Selector)
	if err != nil {
		return tool.Reply{}, err
	}
	if args.Selector == "" {
		return tool.Textf("Pressed %s", args.Key), nil
	}
	return tool.Textf("Pressed %s on %s%s", args.Key, match.Element, among(match)), nil
}

type resizeArgs struct {
	Width  int `json:"width"`
	Height int `json:"height"`
	tool.ActionTimeout
}

// maxViewport is the longest side that a browser can be given.
const maxViewport = 10000

func resize(ctx context.Context, _ *session.Session, tab *session.Tab, args resizeArgs) (tool.Reply, error) {
	switch {
	case args.Width <= 0 || args.Height <= 0:
		return tool.Reply{}, fault.New(fault.InvalidArgument, "Invalid dimensions: width and height must be positive")
	case args.Width > maxViewport || args.Height > maxViewport:
		return tool.Reply{}, fault.New(fault.InvalidArgument, "Invalid dimensions: width and height must be at most %d", maxViewport)
	}
	if err := tab.Resize(ctx, args.Width, args.Height); err != nil {
		return tool.Reply{}, err
	}
	return tool.Textf("The viewport is %d×%d now", args.Width, args.Height), nil
}

type handleDialogArgs struct {
	Accept bool    `json:"accept" doc:"OK; false is Cancel"`
	Text   *string `json:"text,omitempty" note:"for a prompt"`
	tool.BriefTimeout
}

func handleDialog(ctx context.Context, s *session.Session, args handleDialogArgs) (tool.Reply, error) {
	dialog, changes, err := s.Dialog(ctx, args.Accept, args.Text)
	if err != nil {
		return tool.Reply{}, err
	}
	said := fmt.Sprintf("%s the %s", map[bool]string{true: "Accepted", false: "Dismissed"}[args.Accept], dialog)
	if args.Text != nil && args.Accept && dialog.Kind == "prompt" {
		said += fmt.Sprintf(" with %q", clip.Text(strings.TrimSpace(*args.Text), 200))
	}
	return tool.Text(said).Changing(changes), nil
}
