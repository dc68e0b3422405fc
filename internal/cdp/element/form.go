package element

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Selected is what a <select> holds after options were chosen.
type Selected struct {
	Match
	Labels []string // of the options that are selected now
	Gone   bool     // the list has left the page or cannot be read
}

// Select chooses options of a <select> by value or label, and reads back what is
// selected. values replace what was selected before.
func Select(ctx context.Context, tab *page.Page, selector string, values []string) (Selected, error) {
	at, err := locate(ctx, tab, "choose", selector, map[string]any{"values": values})
	if err != nil {
		return Selected{}, err
	}
	since := tab.Now()
	chosen := Selected{Match: at.match()}
	if _, err := tab.Settle(ctx, at.frame, since); err != nil {
		return chosen, err
	}
	now, err := page.Ask[struct {
		Labels []string
		Gone   bool
	}](ctx, at.frame, "chosen")
	chosen.Labels, chosen.Gone = now.Labels, now.Gone || err != nil
	return chosen, nil
}

// A Field is a field of a form and what it is to hold: text, the label or value
// of an option or a radio button, true or false for a checkbox, the path of a file.
type Field struct {
	Selector string
	Value    string
}

// planned is how a field will be filled.
type planned struct {
	found
	field Field
}

// Fill fills the fields of a form, after it has made sure that each of them can
// be filled; nothing is touched unless all can. It gives a line for each field.
// submit presses the form's button then, or Enter where it has none.
func Fill(ctx context.Context, tab *page.Page, fields []Field, submit bool) ([]string, error) {
	var plans []planned
	var wrong []string
	for _, field := range fields {
		at, err := locate(ctx, tab, "plan", field.Selector, map[string]any{"value": field.Value})
		switch {
		case err != nil && (ctx.Err() != nil && !fault.Is(err, fault.NotActionable) && !fault.Is(err, fault.SelectorNotFound) || page.OpenedDialog(err)):
			return nil, err
		case err == nil && at.Kind == "file":
			err = checkFiles([]string{field.Value})
		}
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		plans = append(plans, planned{at, field})
	}
	if len(wrong) > 0 {
		return nil, fault.New(fault.NotActionable, "nothing was filled, because %d of %d fields cannot be:\n%s", len(wrong), len(fields), strings.Join(wrong, "\n"))
	}
	var lines []string
	for i, p := range plans {
		line, err := p.fill(ctx, tab)
		if err != nil {
			return lines, fault.New(fault.CodeOf(err), "field %d of %d: %w%s", i+1, len(plans), err, already(lines))
		}
		lines = append(lines, line)
		if tab.Dialog() != nil {
			if i+1 < len(plans) || submit {
				lines = append(lines, fmt.Sprintf("then a dialog opened; %d fields are left, and nothing was submitted", len(plans)-i-1))
			}
			return lines, nil
		}
	}
	if !submit {
		return lines, nil
	}
	line, err := submitForm(ctx, tab, plans[len(plans)-1])
	if err != nil {
		return lines, fault.New(fault.CodeOf(err), "the fields were filled, but not submitted: %w", err)
	}
	return append(lines, line), nil
}

func already(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return ". Filled before it:\n" + strings.Join(lines, "\n")
}

// name gives an element that was located a ref, by which the next step finds it
// again whatever happens to the page.
func (f found) name(tab *page.Page, number int64) string {
	return tab.Refs().Name(f.frame, f.frame.Document(), number)
}

// fill does what was planned and tells what the field holds then.
func (p planned) fill(ctx context.Context, tab *page.Page) (string, error) {
	switch p.Kind {
	case "file":
		up, err := Upload(ctx, tab, p.name(tab, p.Field), []string{p.field.Value})
		return fmt.Sprintf("%s: %s", up.Element, strings.Join(up.Files, ", ")), err
	case "select":
		chosen, err := Select(ctx, tab, p.name(tab, p.Field), []string{p.field.Value})
		return fmt.Sprintf("%s: %s", chosen.Element, chosen), err
	case "check", "radio":
		return p.check(ctx, tab)
	}
	typed, err := Type(ctx, tab, p.name(tab, p.Field), Typing{Text: p.field.Value, Clear: true})
	return fmt.Sprintf("%s: %s", typed.Element, typed.Holds(p.field.Value)), err
}

func (p planned) check(ctx context.Context, tab *page.Page) (string, error) {
	word := map[bool]string{true: "checked", false: "not checked"}[p.Want]
	if p.Done {
		return fmt.Sprintf("%s: %s already", p.Element, word), nil
	}
	if _, err := Click(ctx, tab, p.name(tab, p.Target), How{Button: "left", Count: 1}); err != nil {
		return "", err
	}
	if tab.Dialog() != nil {
		return fmt.Sprintf("%s: clicked", p.Element), nil
	}
	now, err := page.Ask[any](ctx, p.frame, "checkedNow", p.Field)
	if err == nil && now != nil && now != any(p.Want) {
		return "", fault.New(fault.NotActionable, "%s was clicked, but it is not %s", p.Element, word)
	}
	return fmt.Sprintf("%s: %s", p.Element, word), nil
}

// submitForm presses the button of the form that a field belongs to, else Enter
// in the field.
func submitForm(ctx context.Context, tab *page.Page, last planned) (string, error) {
	button, err := page.Ask[int64](ctx, last.frame, "submitter", last.Field)
	if err != nil {
		return "", err
	}
	if button != 0 {
		match, err := Click(ctx, tab, last.name(tab, button), How{Button: "left", Count: 1})
		return "submitted with " + match.Element, err
	}
	_, err = PressKey(ctx, tab, "Enter", last.name(tab, last.Field))
	return "submitted with Enter", err
}

// String is `"Germany", "France"`.
func (s Selected) String() string {
	switch {
	case s.Gone:
		return "chosen; the list is gone, so that it could not be read back"
	case len(s.Labels) == 0:
		return "nothing is selected"
	}
	var quoted []string
	for _, label := range slices.Clip(s.Labels) {
		quoted = append(quoted, fmt.Sprintf("%q", page.Clip(label, 60)))
	}
	return strings.Join(quoted[:min(len(quoted), 20)], ", ")
}
