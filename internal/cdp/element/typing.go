package element

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Bounds of typing.
const (
	maxTypedKeys = 2000                  // longer text is inserted at once, as by pasting
	slowKeyDelay = 30 * time.Millisecond // between keys, when asked to type slowly
)

// A Typing says what to type and how.
type Typing struct {
	Text   string
	Clear  bool // replace what the field holds
	Submit bool // press Enter afterwards
	Slowly bool // with a pause after each key, for fields that react to every one
}

// A Typed is what became of typing.
type Typed struct {
	Match
	Kind      string // the type of the field; rich for contenteditable
	Value     string // what the field holds now
	Differs   bool   // Value is not what was typed
	Partial   bool   // an editor draws only some of its lines, and those are as they should be
	Gone      bool   // the field could not be read back: it has left the document, or a dialog is open
	Submitted bool   // Enter was pressed
}

// Holds tells what the field holds after text was typed: `"text"`, or what it
// holds instead. A password is not told.
func (t Typed) Holds(text string) string {
	switch {
	case t.Gone:
		return "typed; the field is gone or behind a dialog, so that it could not be read back"
	case t.Kind == "password" && t.Differs:
		return fmt.Sprintf("something else than was typed (%d characters)", len([]rune(t.Value)))
	case t.Kind == "password":
		return "••••"
	case t.Differs:
		return fmt.Sprintf("something else than was typed: %q", clip.Text(t.Value, 200))
	}
	if t.Partial {
		return "what was typed, as far as the editor draws its lines"
	}
	return fmt.Sprintf("%q", clip.Text(text, 60))
}

// Type types into an editable element with real keys and reads back what the
// field holds. Fields that take no keys (dates, ranges, colors) are set, with
// the events of a change.
func Type(ctx context.Context, tab *page.Page, selector string, t Typing) (Typed, error) {
	at, err := locate(ctx, tab, "edit", selector, map[string]any{"text": t.Text, "clear": t.Clear})
	if err != nil {
		return Typed{}, err
	}
	typed, since := Typed{Match: at.match(), Kind: at.Kind}, tab.Now()
	if !at.Set {
		if !t.Clear && (at.Kind == "number" || at.Kind == "email") {
			// Their caret cannot be set by script, and would stand at the front.
			if err := strike(ctx, tab, chord{key: keysByName()["end"]}); err != nil {
				return typed, err
			}
		}
		if err := enter(ctx, tab, t); err != nil && !page.OpenedDialog(err) {
			return typed, err
		}
		if tab.Dialog() != nil {
			typed.Gone = true // nothing can be read while it is open
			return typed, nil
		}
	}
	if err := readBack(ctx, at, t, &typed); err != nil {
		return typed, err
	}
	if at.Set && typed.Differs {
		return typed, fault.New(fault.InvalidArgument, "%s did not take %q: a field of type %s holds %q now. Use its own format, such as %s.",
			at.Element, clip.Text(t.Text, 100), at.Kind, clip.Text(typed.Value, 100), formats[at.Kind])
	}
	if t.Submit {
		if err := strike(ctx, tab, chord{key: kb.Keys['\r']}); err != nil && !page.CutShort(err) {
			return typed, err
		}
		typed.Submitted = true
	}
	if tab.Dialog() != nil {
		return typed, nil
	}
	_, err = tab.Settle(ctx, at.frame, since)
	return typed, err
}

var formats = map[string]string{
	"date": "2026-11-21", "time": "14:30", "datetime-local": "2026-11-21T14:30", "month": "2026-11",
	"week": "2026-W47", "range": "a number within its min, max and step", "color": "#ff8800",
}

// enter sends the text to the focused element.
func enter(ctx context.Context, tab *page.Page, t Typing) error {
	if t.Text == "" {
		if t.Clear {
			return strike(ctx, tab, chord{key: kb.Keys['\b']})
		}
		return nil
	}
	text := strings.ReplaceAll(t.Text, "\r\n", "\n")
	if len(text) > maxTypedKeys && !t.Slowly {
		_, err := cdp.Call(ctx, tab.Session(), input.InsertText, input.InsertTextParams{Text: text})
		return err
	}
	var last cdp.Pending[cdp.Empty]
	for _, r := range text {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		last = startKey(ctx, tab, keyOf(r))
		if t.Slowly {
			if _, err := last.Wait(ctx); err != nil {
				return err
			}
			select {
			case <-time.After(slowKeyDelay):
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	_, err := last.Wait(ctx)
	return err
}

func keyOf(r rune) chord {
	if r == '\n' {
		r = '\r'
	}
	key := kb.Keys[r]
	if key != nil && key.Text == "" && key.Key != "Tab" {
		key = nil // a rune that stands for a key without text is meant as text here
	}
	return chord{key: key, text: string(r)}
}

// readBack compares what the field holds with what was typed.
func readBack(ctx context.Context, at found, t Typing, typed *Typed) error {
	answer, err := page.Ask[struct {
		Gone  bool
		Value string
	}](ctx, at.frame, "edited")
	if err != nil {
		if ctx.Err() == nil || page.OpenedDialog(err) {
			typed.Gone = true // the text itself moved the page on
			return nil
		}
		return err
	}
	want := t.Text
	if !t.Clear && !at.Set {
		want = at.Before + t.Text
	}
	typed.Value, typed.Gone = answer.Value, answer.Gone
	if at.Kind == "color" {
		want = strings.ToLower(want)
	}
	holds, want := plain(answer.Value), plain(want)
	if at.Kind == "rich" {
		holds, want = paragraphs(holds), paragraphs(want)
	}
	typed.Differs = !answer.Gone && holds != want
	if typed.Differs && at.Kind == "rich" && drawsPartOf(holds, want) {
		typed.Differs, typed.Partial = false, true
	}
	return nil
}

// plain evens out how editors write line ends and spaces.
func plain(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ").Replace(s)
	return strings.TrimRight(s, "\n")
}

var blankLines = regexp.MustCompile(`\n\s*\n`)

// paragraphs leaves out the blank lines that part the paragraphs of rich text as
// it is read.
func paragraphs(s string) string { return blankLines.ReplaceAllString(strings.Trim(s, "\n"), "\n") }

// drawsPartOf reports whether an editor of long texts holds want as far as can be
// seen: it draws only the lines in view.
func drawsPartOf(holds, want string) bool {
	const leastLines = 20
	if strings.Count(holds, "\n") < leastLines || len(holds) >= len(want) {
		return false
	}
	rest := strings.Split(want, "\n")
	for line := range strings.SplitSeq(holds, "\n") {
		at := slices.Index(rest, line)
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
	}
	return true
}
