package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/view"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var contentTools = []tool.Tool{
	tool.OnPage("browser_query", tool.Looks, "Properties of the element that a selector finds, and how many match.", query),
	tool.OnPage("browser_assert", tool.Looks, "Check the page; waits until all that is given holds.", assert),
}

type queryArgs struct {
	Selector   string   `json:"selector"`
	Properties []string `json:"properties,omitempty" enum:"count,visible,enabled,editable,focused,checked,role,name,value,text,box"`
	Attribute  string   `json:"attribute,omitempty" note:"name"`
	Style      string   `json:"style,omitempty" note:"CSS property, as computed"`
	tool.BriefTimeout
}

// defaultProperties are told when none is asked for.
var defaultProperties = []string{"count", "visible", "enabled", "checked", "role", "name", "value", "text", "box"}

func query(ctx context.Context, _ *session.Session, tab *session.Tab, args queryArgs) (tool.Reply, error) {
	p, err := view.Inspect(ctx, tab, args.Selector, args.Attribute, args.Style)
	switch {
	case err != nil:
		return tool.Reply{}, err
	case p.Count == 0:
		return tool.Textf("'%s' matches nothing (count: 0)", args.Selector), nil
	}
	asked := args.Properties
	if len(asked) == 0 && args.Attribute == "" && args.Style == "" {
		asked = defaultProperties
	}
	lines := []string{p.Element + among(p.Match)}
	for _, name := range asked {
		if line := propertyLine(p, name, len(args.Properties) > 0); line != "" {
			lines = append(lines, line)
		}
	}
	if args.Attribute != "" {
		lines = append(lines, "attribute "+args.Attribute+": "+quoted(p.Attribute, "not set"))
	}
	if args.Style != "" {
		lines = append(lines, "style "+args.Style+": "+cmp.Or(p.Style, "there is no such property"))
	}
	return tool.Text(strings.Join(lines, "\n")), nil
}

// propertyLine is the line for a property; one that the element does not have is
// told only when it was asked for.
func propertyLine(p view.Properties, name string, asked bool) string {
	switch name {
	case "count":
		return fmt.Sprintf("count: %d (%d visible)", p.Count, p.VisibleCount)
	case "visible":
		return "visible: " + yes(p.Visible, p.Hidden) + map[bool]string{true: "", false: " (outside of the viewport)"}[p.InView || !p.Visible]
	case "enabled":
		return "enabled: " + yes(p.Enabled, p.Disabled)
	case "editable":
		return fmt.Sprintf("editable: %t", p.Editable)
	case "focused":
		return fmt.Sprintf("focused: %t", p.Focused)
	case "role":
		return "role: " + p.Role
	case "name":
		return fmt.Sprintf("name: %q", p.Name)
	case "text":
		return fmt.Sprintf("text: %q", p.Text)
	case "box":
		return fmt.Sprintf("box: x=%g y=%g width=%g height=%g", p.Box[0], p.Box[1], p.Box[2], p.Box[3])
	}
	switch {
	case name == "checked" && p.Checkable:
		return fmt.Sprintf("checked: %v", p.Checked)
	case name == "value" && p.Value != nil:
		return fmt.Sprintf("value: %q", *p.Value)
	case asked:
		return name + ": it has none"
	}
	return ""
}

func yes(holds bool, otherwise string) string {
	if holds {
		return "yes"
	}
	return "no, " + otherwise
}

func quoted(value *string, otherwise string) string {
	if value == nil {
		return otherwise
	}
	return fmt.Sprintf("%q", *value)
}

type assertArgs struct {
	Selector      string  `json:"selector,omitempty"`
	Text          *string `json:"text,omitempty"`
	Value         *string `json:"value,omitempty"`
	URL           string  `json:"url,omitempty"`
	Title         string  `json:"title,omitempty"`
	Count         *int    `json:"count,omitempty" min:"0"`
	Visible       *bool   `json:"visible,omitempty"`
	Enabled       *bool   `json:"enabled,omitempty"`
	Checked       *bool   `json:"checked,omitempty"`
	ConsoleErrors *int    `json:"console_errors,omitempty" min:"0" doc:"at most"`
	tool.ActionTimeout
}

// A condition is one thing that must hold: mismatch is what is the case instead,
// "" when it holds.
type condition struct{ expected, mismatch string }

func assert(ctx context.Context, s *session.Session, tab *session.Tab, args assertArgs) (tool.Reply, error) {
	needsElement := args.Value != nil || args.Count != nil || args.Visible != nil || args.Enabled != nil || args.Checked != nil
	switch {
	case needsElement && args.Selector == "":
		return tool.Reply{}, fault.New(fault.InvalidArgument, "value, count, visible, enabled and checked are of an element: give its selector")
	case args.Selector == "" && args.Text == nil && args.URL == "" && args.Title == "" && args.ConsoleErrors == nil:
		return tool.Reply{}, fault.New(fault.InvalidArgument, "nothing is asserted; give text, url, title or console_errors, or a selector with text, value, count, visible, enabled or checked")
	case args.Selector != "" && !needsElement && args.Text == nil:
		args.Visible = new(true)
	}
	var last []condition
	mismatch, err := view.Until(ctx, func(ctx context.Context) (string, error) {
		conditions, err := check(ctx, s, tab, args)
		if err != nil {
			return "", err
		}
		last = conditions
		var failed []string
		for _, c := range conditions {
			if c.mismatch != "" {
				failed = append(failed, fmt.Sprintf("expected %s, but %s", c.expected, c.mismatch))
			}
		}
		return strings.Join(failed, "\n"), nil
	})
	switch {
	case err != nil:
		return tool.Reply{}, err
	case mismatch != "":
		return tool.Reply{}, fault.New(fault.AssertionFailed, "Assertion failed after %s: %s", args.Bound(s.Config.Timeouts), mismatch)
	}
	var held []string
	for _, c := range last {
		held = append(held, c.expected)
	}
	return tool.Text("Passed: " + strings.Join(held, "; ")), nil
}

// check looks once at everything that is asserted.
func check(ctx context.Context, s *session.Session, tab *session.Tab, args assertArgs) ([]condition, error) {
	var conditions []condition
	add := func(holds bool, expected, actual string, parts ...any) {
		c := condition{expected: expected}
		if !holds {
			c.mismatch = fmt.Sprintf(actual, parts...)
		}
		conditions = append(conditions, c)
	}
	if args.URL != "" {
		add(strings.Contains(tab.URL(), args.URL), fmt.Sprintf("the URL to contain %q", args.URL), "it is %s", clip.Text(tab.URL(), urlLimit))
	}
	if args.Title != "" {
		title := tab.Title(ctx)
		add(strings.Contains(title, args.Title), fmt.Sprintf("the title to contain %q", args.Title), "it is %q", clip.Text(title, titleLimit))
	}
	if args.ConsoleErrors != nil {
		errs := s.Console.Errors()
		first := ""
		if len(errs) > 0 {
			first = ", first: " + clip.Text(errs[0].Text, 300)
		}
		add(len(errs) <= *args.ConsoleErrors, fmt.Sprintf("at most %d console errors", *args.ConsoleErrors), "there are %d%s", len(errs), first)
	}
	if args.Selector == "" && args.Text == nil {
		return conditions, nil
	}
	of := cmp.Or(args.Selector, "body")
	p, err := view.Inspect(ctx, tab, of, "", "")
	if err != nil {
		return nil, err
	}
	return append(conditions, checkElement(p, of, args)...), nil
}

func checkElement(p view.Properties, of string, args assertArgs) (conditions []condition) {
	there := p.Count > 0
	add := func(holds bool, expected, actual string) {
		c := condition{expected: fmt.Sprintf(expected, "'"+of+"'")}
		switch {
		case !there && !holds:
			c.mismatch = "it matches nothing"
		case !holds:
			c.mismatch = actual
		}
		conditions = append(conditions, c)
	}
	if args.Count != nil {
		add(p.Count == *args.Count, "%s to match "+fmt.Sprint(*args.Count), fmt.Sprintf("it matches %d (%d visible)", p.Count, p.VisibleCount))
	}
	if args.Visible != nil {
		add(p.Visible == *args.Visible, "%s to be "+state(*args.Visible, "visible"), "it is "+state(p.Visible, "visible")+because(p.Hidden))
	}
	if args.Text != nil {
		want := strings.Join(strings.Fields(*args.Text), " ")
		add(there && strings.Contains(p.Text, want), "the text of %s to contain "+percent(fmt.Sprintf("%q", want)), fmt.Sprintf("it is %q", clip.Text(p.Text, 500)))
	}
	if args.Value != nil {
		add(p.Value != nil && *p.Value == *args.Value, "the value of %s to be "+percent(fmt.Sprintf("%q", *args.Value)), "it is "+clip.Text(quoted(p.Value, "no field"), 500))
	}
	if args.Enabled != nil {
		add(there && p.Enabled == *args.Enabled, "%s to be "+state(*args.Enabled, "enabled"), "it is "+state(p.Enabled, "enabled")+because(p.Disabled))
	}
	if args.Checked != nil {
		add(p.Checkable && p.Checked == any(*args.Checked), "%s to be "+state(*args.Checked, "checked"), checkedness(p))
	}
	return slices.Clip(conditions)
}

func percent(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func state(holds bool, word string) string {
	if holds {
		return word
	}
	return "not " + word
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func checkedness(p view.Properties) string {
	if !p.Checkable {
		return "it cannot be checked"
	}
	return fmt.Sprintf("its checked is %v", p.Checked)
}
