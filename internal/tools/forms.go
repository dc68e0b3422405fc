package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var formTools = []tool.Tool{
	tool.OnPage("browser_fill_form", tool.Acts, "Fill several fields at once; nothing is touched unless all can be filled.", fillForm),
	tool.OnPage("browser_select_option", tool.Acts, "Choose in a <select>, by value or label.", selectOption),
	tool.OnPage("browser_hover", tool.Acts, "Move the mouse over an element.", hover),
	tool.OnPage("browser_drag", tool.Acts, "Drag one element onto another.", drag),
	tool.OnPage("browser_scroll", tool.Acts, "Scroll an element into view, or by x and y pixels.", scroll),
	tool.OnPage("browser_upload_file", tool.Acts, "Give files to a file field, its button, or the open file chooser.", uploadFile),
}

type fillFormArgs struct {
	Fields []formField `json:"fields"`
	Submit bool        `json:"submit,omitempty"`
	tool.BriefTimeout
}

type formField struct {
	Selector string `json:"selector"`
	Value    string `json:"value" empty:"ok" scalar:"ok" doc:"text, option, true or false, file path"`
}

func fillForm(ctx context.Context, _ *session.Session, tab *session.Tab, args fillFormArgs) (tool.Reply, error) {
	if len(args.Fields) == 0 {
		return tool.Reply{}, fault.New(fault.InvalidArgument, `fields is empty; give at least one such as {"selector": "#name", "value": "Ada"}`)
	}
	var fields []element.Field
	for _, f := range args.Fields {
		fields = append(fields, element.Field(f))
	}
	lines, err := element.Fill(ctx, tab, fields, args.Submit)
	return tool.Textf("Filled the form:\n%s", strings.Join(lines, "\n")), err
}

type selectOptionArgs struct {
	Selector string   `json:"selector"`
	Values   []string `json:"values"`
	tool.BriefTimeout
}

func selectOption(ctx context.Context, _ *session.Session, tab *session.Tab, args selectOptionArgs) (tool.Reply, error) {
	chosen, err := element.Select(ctx, tab, args.Selector, args.Values)
	return tool.Textf("%s holds %s%s", chosen.Element, chosen, among(chosen.Match)), err
}

type hoverArgs struct {
	Selector string `json:"selector"`
	tool.BriefTimeout
}

func hover(ctx context.Context, _ *session.Session, tab *session.Tab, args hoverArgs) (tool.Reply, error) {
	match, err := element.Hover(ctx, tab, args.Selector)
	return tool.Textf("The mouse is over %s%s", match.Element, among(match)), err
}

type dragArgs struct {
	From string `json:"from" note:"selector"`
	To   string `json:"to" note:"selector"`
	tool.BriefTimeout
}

func drag(ctx context.Context, _ *session.Session, tab *session.Tab, args dragArgs) (tool.Reply, error) {
	source, target, err := element.Drag(ctx, tab, args.From, args.To)
	return tool.Textf("Dragged %s%s to %s%s", source.Element, among(source), target.Element, among(target)), err
}

type scrollArgs struct {
	Selector string  `json:"selector,omitempty" note:"with x or y: what scrolls"`
	X        float64 `json:"x,omitempty"`
	Y        float64 `json:"y,omitempty" note:"down is positive"`
	tool.BriefTimeout
}

func scroll(ctx context.Context, _ *session.Session, tab *session.Tab, args scrollArgs) (tool.Reply, error) {
	switch {
	case args.X != 0 || args.Y != 0:
		said, err := element.Scroll(ctx, tab, args.Selector, args.X, args.Y)
		return tool.Text(said), err
	case args.Selector == "":
		return tool.Reply{}, fault.New(fault.InvalidArgument, "give a selector to scroll into view, or x and y in pixels")
	}
	match, err := element.ScrollTo(ctx, tab, args.Selector)
	return tool.Textf("%s%s is in view", match.Element, among(match)), err
}

type uploadFileArgs struct {
	Selector string   `json:"selector,omitempty"`
	Paths    []string `json:"paths" note:"absolute"`
	tool.BriefTimeout
}

func uploadFile(ctx context.Context, _ *session.Session, tab *session.Tab, args uploadFileArgs) (tool.Reply, error) {
	up, err := element.Upload(ctx, tab, args.Selector, args.Paths)
	return tool.Textf("%s has %s%s", up.Element, counted(up.Files, "file"), among(element.Match{Note: up.Note})), err
}

// counted is «2 files: a.txt, b.txt».
func counted(names []string, word string) string {
	if len(names) != 1 {
		word += "s"
	}
	return strings.TrimSuffix(fmt.Sprintf("%d %s: %s", len(names), word, strings.Join(names, ", ")), ": ")
}
