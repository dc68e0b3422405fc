package element

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Selected is what a <select> holds after options were chosen.
type Selected struct {
	Match
	Labels  []string // of the options that are selected now
	Differs bool     // those are not the ones that were chosen
	Gone    bool     // the list has left the page or cannot be read
}

// Select chooses options of a <select> by value or label, and reads back what is
// selected. values replace what was selected before.
func Select(ctx context.Context, tab *page.Page, selector string, values []string) (Selected, error) {
	if len(values) == 0 {
		return Selected{}, fault.New(fault.InvalidArgument, "values is empty; give the value or label of at least one option")
	}
	since := tab.Now()
	at, err := locate(ctx, tab, "choose", selector, map[string]any{"values": values})
	switch {
	case page.OpenedDialog(err):
		return Selected{}, fault.New(fault.DialogOpen, "%w It opened while the option was being chosen: look afterwards whether that holds.", err)
	case err != nil:
		return Selected{}, err
	}
	chosen := Selected{Match: at.match()}
	if _, err := tab.Settle(ctx, at.frame, since); err != nil {
		return chosen, err
	}
	now, err := page.Ask[struct {
		Labels []string
		Gone   bool
	}](ctx, at.frame, "chosen")
	chosen.Labels, chosen.Gone = now.Labels, now.Gone || err != nil
	chosen.Differs = !chosen.Gone && !slices.Equal(slices.Sorted(slices.Values(now.Labels)), slices.Sorted(slices.Values(at.Labels)))
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
	held  *string // what it held once it was filled; nil for what is not text
}

// Fill fills the fields of a form, after it has made sure that each of them can
// be filled; nothing is touched unless all can. It gives a line for each field.
// submit presses the form's button then, or Enter where it has none.
func Fill(ctx context.Context, tab *page.Page, fields []Field, submit bool) ([]string, error) {
	var plans []planned
	var wrong []string
	for i, field := range fields {
		at, err := locateWithin(ctx, len(fields)-i+1, tab, "plan", field.Selector, map[string]any{"value": field.Value})
		switch {
		case err != nil && (ctx.Err() != nil && !fault.Is(err, fault.NotActionable) && !fault.Is(err, fault.SelectorNotFound) || page.OpenedDialog(err)):
			return nil, err
		case err == nil && at.Kind == "file":
			err = checkFiles([]string{field.Value})
		}
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		plans = append(plans, planned{found: at, field: field})
	}
	if len(wrong) > 0 {
		return nil, fault.New(fault.NotActionable, "nothing was filled, because %d of %d fields cannot be:\n%s", len(wrong), len(fields), strings.Join(wrong, "\n"))
	}
	var lines []string
	for i := range plans {
		line, err := plans[i].fill(ctx, tab)
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
	for i := range plans {
		lines[i] += plans[i].since(ctx)
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
	return "\nFilled before it:\n" + strings.Join(lines, "\n")
}

// name gives an element that was located a ref, by which the next step finds it
// again whatever happens to the page.
func (f found) name(tab *page.Page, number int64) string {
	return tab.Refs().Name(f.frame, f.document, number)
}

// fill does what was planned and tells what the field holds then.
func (p *planned) fill(ctx context.Context, tab *page.Page) (string, error) {
	switch p.Kind {
	case "file":
		up, err := Upload(ctx, tab, p.address(tab), []string{p.field.Value})
		return fmt.Sprintf("%s: %s", up.Element, strings.Join(up.Files, ", ")), err
	case "select":
		chosen, err := Select(ctx, tab, p.address(tab), []string{p.field.Value})
		return fmt.Sprintf("%s: %s", chosen.Element, chosen), err
	case "check", "radio":
		return p.check(ctx, tab)
	}
	typed, err := Type(ctx, tab, p.address(tab), Typing{Text: p.field.Value, Clear: true})
	if !typed.Gone && typed.Kind != "password" {
		p.held = &typed.Value
	}
	return fmt.Sprintf("%s: %s", typed.Element, typed.Holds(p.field.Value)), err
}

// address is by what the next step finds the field: the selector that was given,
// or a name where that leads to something around it.
func (p *planned) address(tab *page.Page) string {
	if p.Field == p.ID {
		return p.field.Selector
	}
	return p.name(tab, p.Field)
}

// since tells when the field holds something else now than once it was filled,
// because a later one changed it; "" mostly.
func (p *planned) since(ctx context.Context) string {
	const most = 900 // bytes that are compared
	if p.held == nil || len(*p.held) > most {
		return ""
	}
	now, err := page.Ask[*string](ctx, p.frame, "valueNow", p.Field)
	if err != nil || now == nil || plain(*now) == plain(*p.held) {
		return ""
	}
	return fmt.Sprintf(", but it holds %q now, after the fields behind it", clip.Text(*now, 100))
}

func (p *planned) check(ctx context.Context, tab *page.Page) (string, error) {
	word := map[bool]string{true: "checked", false: "not checked"}[p.Want]
	if p.Done {
		return fmt.Sprintf("%s: %s already", p.Element, word), nil
	}
	if _, err := Click(ctx, tab, p.name(tab, p.Target), ClickOptions{Button: "left", Count: 1}); err != nil {
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
// in the field, and tells whether the page heard of a submission.
func submitForm(ctx context.Context, tab *page.Page, last planned) (string, error) {
	way, err := page.Ask[struct {
		Form    bool
		Button  int64
		Invalid []string
	}](ctx, last.frame, "submitter", last.Field)
	switch {
	case err != nil:
		return "", err
	case len(way.Invalid) > 0:
		return "", fault.New(fault.NotActionable, "the browser would not submit it:\n%s", strings.Join(way.Invalid, "\n"))
	}
	since, pressed := tab.Now(), "Enter"
	if way.Button != 0 {
		match, err := Click(ctx, tab, last.name(tab, way.Button), ClickOptions{Button: "left", Count: 1})
		if err != nil {
			return "", err
		}
		pressed = match.Element
	} else if _, err := PressKey(ctx, tab, "Enter", last.name(tab, last.Field)); err != nil {
		return "", err
	}
	if !way.Form {
		return "pressed Enter; the field stands in no form", nil
	}
	if tab.Dialog() == nil && !tab.MovedSince(since) {
		if heard, err := page.Ask[bool](ctx, last.frame, "wasSubmitted"); err == nil && !heard {
			return fmt.Sprintf("pressed %s, but the page heard of no submission: look what it shows", pressed), nil
		}
	}
	return "submitted with " + pressed, nil
}

// String is `"Germany", "France"`.
func (s Selected) String() string {
	switch {
	case s.Gone:
		return "chosen; the list is gone, so that it could not be read back"
	case len(s.Labels) == 0:
		return "nothing: the page has taken the choice back"
	}
	var quoted []string
	for _, label := range slices.Clip(s.Labels) {
		quoted = append(quoted, fmt.Sprintf("%q", clip.Text(label, 60)))
	}
	said := strings.Join(quoted[:min(len(quoted), 20)], ", ")
	if s.Differs {
		said += ", which is something else than was chosen"
	}
	return said
}
