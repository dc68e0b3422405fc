package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

var formTools = []Tool{
	definePage("browser_fill_form", Forms, Acts, "Fill several fields at once; nothing is touched unless all can be filled.", fillForm),
	definePage("browser_select_option", Forms, Acts, "Choose in a <select>, by value or label.", selectOption),
	definePage("browser_hover", Forms, Acts, "Move the mouse over an element.", hover),
	definePage("browser_drag", Forms, Acts, "Drag one element onto another.", drag),
	definePage("browser_scroll", Forms, Acts, "Scroll an element into view, or by x and y pixels.", scroll),
	definePage("browser_upload_file", Forms, Acts, "Give files to a file field, its button, or the open file chooser.", uploadFile),
}

type fillFormArgs struct {
	Fields []formField `json:"fields"`
	Submit bool        `json:"submit,omitempty"`
	briefTimeout
}

type formField struct {
	Selector string `json:"selector"`
	Value    string `json:"value" empty:"ok" scalar:"ok" doc:"text, option, true or false, file path"`
}

func fillForm(ctx context.Context, _ *session.Session, tab *session.Tab, args fillFormArgs) (Reply, error) {
	if len(args.Fields) == 0 {
		return Reply{}, fault.New(fault.InvalidArgument, `fields is empty; give at least one such as {"selector": "#name", "value": "Ada"}`)
	}
	var fields []element.Field
	for _, f := range args.Fields {
		fields = append(fields, element.Field(f))
	}
	lines, err := element.Fill(ctx, tab, fields, args.Submit)
	return Textf("Filled the form:\n%s", strings.Join(lines, "\n")), err
}

type selectOptionArgs struct {
	Selector string   `json:"selector"`
	Values   []string `json:"values"`
	briefTimeout
}

func selectOption(ctx context.Context, _ *session.Session, tab *session.Tab, args selectOptionArgs) (Reply, error) {
	chosen, err := element.Select(ctx, tab, args.Selector, args.Values)
	return Textf("%s holds %s%s", chosen.Element, chosen, among(chosen.Match)), err
}

type hoverArgs struct {
	Selector string `json:"selector"`
	briefTimeout
}

func hover(ctx context.Context, _ *session.Session, tab *session.Tab, args hoverArgs) (Reply, error) {
	match, err := element.Hover(ctx, tab, args.Selector)
	return Textf("The mouse is over %s%s", match.Element, among(match)), err
}

type dragArgs struct {
	From string `json:"from" note:"selector"`
	To   string `json:"to" note:"selector"`
	briefTimeout
}

func drag(ctx context.Context, _ *session.Session, tab *session.Tab, args dragArgs) (Reply, error) {
	source, target, err := element.Drag(ctx, tab, args.From, args.To)
	return Textf("Dragged %s%s to %s%s", source.Element, among(source), target.Element, among(target)), err
}

type scrollArgs struct {
	Selector string  `json:"selector,omitempty" note:"with x or y: what scrolls"`
	X        float64 `json:"x,omitempty"`
	Y        float64 `json:"y,omitempty" note:"down is positive"`
	briefTimeout
}

func scroll(ctx context.Context, _ *session.Session, tab *session.Tab, args scrollArgs) (Reply, error) {
	switch {
	case args.X != 0 || args.Y != 0:
		said, err := element.Scroll(ctx, tab, args.Selector, args.X, args.Y)
		return Text(said), err
	case args.Selector == "":
		return Reply{}, fault.New(fault.InvalidArgument, "give a selector to scroll into view, or x and y in pixels")
	}
	match, err := element.ScrollTo(ctx, tab, args.Selector)
	return Textf("%s%s is in view", match.Element, among(match)), err
}

type uploadFileArgs struct {
	Selector string   `json:"selector,omitempty"`
	Paths    []string `json:"paths" note:"absolute"`
	briefTimeout
}

func uploadFile(ctx context.Context, _ *session.Session, tab *session.Tab, args uploadFileArgs) (Reply, error) {
	up, err := element.Upload(ctx, tab, args.Selector, args.Paths)
	return Textf("%s has %s%s", up.Element, counted(up.Files, "file"), among(element.Match{Note: up.Note})), err
}

// counted is «2 files: a.txt, b.txt».
func counted(names []string, word string) string {
	if len(names) != 1 {
		word += "s"
	}
	return strings.TrimSuffix(fmt.Sprintf("%d %s: %s", len(names), word, strings.Join(names, ", ")), ": ")
}
