// Package element finds elements of a tab and acts on them with real input:
// click, type, choose, drag, scroll, upload. Each action waits until the element
// can be used, checks where its events arrived, and returns when what it started
// has come to rest.
package element

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/cdp/selector"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Match is the element that a selector found, and how many it could have been.
type Match struct {
	Element string // `<button#save> "Save"`
	Count   int
	Index   int    // of the element, from 0
	AtOnce  bool   // it was so at the first look
	Note    string // what else there is to say of the action; "" mostly
}

// found is the agent's answer about a selector.
type found struct {
	State   string // ready, refused, never, moving, missing, gone, invalid, frame
	Reason  string
	ID      int64 // the agent's number of the element
	Element string
	Count   int
	Index   int
	AtOnce  bool
	At      int      // the step that matched nothing, or the one after a frame
	Close   []string // like the selector, when it is missing
	X, Y    float64
	Width   float64
	Height  float64
	ScrollX float64
	ScrollY float64
	Set     bool // the value was set, for want of keys
	Kind    string
	Before  string
	// of a field that is to be filled
	Field    int64           // the agent's number of the field itself
	Target   int64           // and of what is to be clicked for it
	Want     bool            // checked or not
	Done     bool            // it is as wanted already
	Multiple bool            // it takes several files
	Labels   []string        // of the options that were chosen
	Told     json.RawMessage // what was asked of the element

	frame    *page.Frame // that the element is in
	document string      // that the frame showed
	passed   int         // steps that led into it
}

func (f found) match() Match {
	return Match{Element: f.Element, Count: f.Count, Index: f.Index, AtOnce: f.AtOnce}
}

var lastCall atomic.Int64

// locate asks the agent about a selector until it is ready, through frames and
// also in the next document when the page moves on meanwhile.
func locate(ctx context.Context, tab *page.Page, function, text string, options map[string]any) (found, error) {
	parsed, err := selector.Parse(text)
	if err != nil {
		return found{}, err
	}
	var f found
	err = tab.AcrossDocuments(ctx, func() (err error) {
		f, err = follow(ctx, tab, function, parsed, options)
		return err
	})
	switch {
	case fault.Is(err, fault.Timeout):
		return f, fault.New(fault.Timeout, "%w looking for '%s': the page is busy and did not answer. If a script ran, it was ended; look at the console and try again.", err, text)
	case err != nil:
		return f, err
	case f.State == "missing":
		return f, missing(ctx, tab, parsed, f)
	}
	return f, f.fault(parsed)
}

// locateWithin is locate with a share of the time that ctx has left: otherwise
// the first of several elements that is not ready would leave none to the others.
func locateWithin(ctx context.Context, shares int, tab *page.Page, function, text string, options map[string]any) (found, error) {
	share := page.Remaining(ctx) / time.Duration(shares)
	brief, cancel := context.WithTimeoutCause(ctx, share, fault.New(fault.Timeout, "Timeout after %s", share.Round(time.Millisecond)))
	defer cancel()
	return locate(brief, tab, function, text, options)
}

// follow goes through the selector's steps, from frame to frame.
func follow(ctx context.Context, tab *page.Page, function string, s selector.Selector, options map[string]any) (found, error) {
	frame, steps, passed := tab.Main(), s.Steps, 0
	if steps[0].Kind == "ref" {
		ref, err := tab.Refs().Find(tab, steps[0].Ref)
		if err != nil {
			return found{}, err
		}
		frame = ref.Frame
		steps = append([]selector.Step{{Kind: "handle", Index: int(ref.Number)}}, steps[1:]...)
	}
	for {
		f, err := inFrame(ctx, tab, frame, function, steps, options)
		f.passed = passed
		if err != nil || f.State != "frame" {
			return f, err
		}
		child, err := frame.Child(ctx, f.ID)
		switch {
		case err != nil:
			return f, err
		case child == nil:
			f.State, f.Reason = "refused", "it shows no document that a selector could enter"
			return f, nil
		}
		frame, steps, passed = child, steps[f.At:], passed+f.At
	}
}

// inFrame asks the agent of one frame.
func inFrame(ctx context.Context, tab *page.Page, frame *page.Frame, function string, steps []selector.Step, options map[string]any) (found, error) {
	call := lastCall.Add(1)
	options["timeout"], options["call"], options["nested"] = page.Remaining(ctx).Milliseconds(), call, frame.Nested()
	patient, cancel := page.Patient(ctx)
	defer cancel()
	f, document, err := page.AskIn[found](patient, frame, function, steps, options)
	if err == nil && f.State == "ready" && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil && ctx.Err() != nil && tab.Dialog() == nil {
		frame.Tell(fmt.Sprintf("stop(%d)", call))
		tab.FreeLater()
	}
	f.frame, f.document = frame, document
	return f, err
}

// fault is why the element cannot be used, nil when it is ready.
func (f found) fault(s selector.Selector) error {
	switch f.State {
	case "ready":
		return nil
	case "invalid":
		return fault.New(fault.InvalidArgument, "Selector '%s' is not valid: %s", s.Text, f.Reason)
	case "gone":
		return fault.New(fault.SelectorNotFound, "the element of ref %s is no longer in the page; take a new browser_snapshot", s.Steps[0].Ref)
	default:
		return fault.New(fault.NotActionable, "%s cannot be used: %s. Selector '%s' matched %d element(s).", f.Element, f.Reason, s.Text, f.Count)
	}
}

// missing tells that nothing matches, and what is near: like it in the frame
// where the search ended, or the same in another frame.
func missing(ctx context.Context, tab *page.Page, s selector.Selector, f found) error {
	hint := ""
	if len(f.Close) > 0 {
		hint = "; near it: " + strings.Join(f.Close, ", ")
	}
	if matched := f.passed + f.At; matched > 0 {
		hint = fmt.Sprintf(" (of its %d steps the first %d match)", len(s.Steps), matched) + hint
	}
	if elsewhere := otherFrame(ctx, tab, s, f); elsewhere != "" {
		hint += fmt.Sprintf("; it is in a frame: use '%s >> %s'", elsewhere, s.Text)
	} else if plain := s.Steps[0].Plain; len(s.Steps) == 1 && plain != "" && tab.Closed(ctx, plain) {
		hint += "; it is in a closed shadow root, which no selector enters: click by position on the element that hosts it, or use the keyboard"
	}
	return fault.New(fault.SelectorNotFound, "Selector '%s' not found%s", s.Text, hint)
}

// Bounds of the search for the frame that has what another lacks.
const (
	maxFramesSearched = 20
	searchTimeout     = time.Second
)

// otherFrame gives the selector of a frame that has what the selector sought in
// the frame that lacks it, "" when none has.
func otherFrame(ctx context.Context, tab *page.Page, s selector.Selector, f found) string {
	if f.passed > 0 || s.Steps[0].Kind == "ref" {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), searchTimeout)
	defer cancel()
	left := maxFramesSearched
	return search(ctx, f.frame, s.Steps, &left)
}

// A FrameElement is an element that shows a frame.
type FrameElement struct {
	ID       int64 // the agent's number of it
	Selector string
}

func search(ctx context.Context, f *page.Frame, steps []selector.Step, left *int) string {
	inner, err := page.Ask[[]FrameElement](ctx, f, "frames")
	if err != nil {
		return ""
	}
	for _, one := range inner {
		if *left--; *left < 0 {
			return ""
		}
		child, err := f.Child(ctx, one.ID)
		if err != nil || child == nil {
			continue
		}
		if count, err := page.Ask[int](ctx, child, "count", steps); err == nil && count > 0 {
			return one.Selector
		}
		if deeper := search(ctx, child, steps, left); deeper != "" {
			return one.Selector + " >> " + deeper
		}
	}
	return ""
}
