package element

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/cdp/selector"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Place is where an element is: the agent's number for it in a frame's
// document, 0 for all of the document.
type Place struct {
	Frame  *page.Frame
	Number int64
}

// A Found is the element that a selector found.
type Found struct {
	Match
	Place
}

// Find gives the element that a selector finds, the first that is visible.
func Find(ctx context.Context, tab *page.Page, selector string) (Found, error) {
	at, err := locate(ctx, tab, "present", selector, map[string]any{})
	return Found{at.match(), Place{at.frame, at.ID}}, err
}

// WaitFor waits until the selector matches an element, one that is visible, or
// none that is visible, also across navigations.
func WaitFor(ctx context.Context, tab *page.Page, selector string, visible, gone bool) (Match, error) {
	at, err := locate(ctx, tab, "waitFor", selector, map[string]any{"visible": visible, "gone": gone})
	return at.match(), err
}

// Own gives the page's own object for the element that a selector finds. A
// selector that is empty gives nil.
func Own(ctx context.Context, tab *page.Page, selector string) (*page.Object, error) {
	if selector == "" {
		return nil, nil
	}
	at, err := Find(ctx, tab, selector)
	if err != nil {
		return nil, err
	}
	own, err := at.Frame.Own(ctx, at.Number)
	return &own, err
}

// Box gives where the element lies in the tab's document, scrolled into view, and
// why it may not be what is seen there: «it is covered by …».
func Box(ctx context.Context, tab *page.Page, selector string) (box page.Box, hidden string, err error) {
	at, err := locate(ctx, tab, "box", selector, map[string]any{})
	if err != nil {
		return box, "", err
	}
	if !at.frame.Nested() {
		return page.Box{X: at.X + at.ScrollX, Y: at.Y + at.ScrollY, Width: at.Width, Height: at.Height}, at.Reason, nil
	}
	middle, err := at.frame.Through(ctx, at.X+at.Width/2, at.Y+at.Height/2)
	if err != nil {
		return box, "", err
	}
	box, err = surround(ctx, at)
	return box, cmp.Or(at.Reason, middle.Reason), err
}

// surround gives what holds the four corners of the element, whose frame may be
// turned, in the tab's document.
func surround(ctx context.Context, at found) (box page.Box, err error) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, x := range []float64{at.X, at.X + at.Width} {
		for _, y := range []float64{at.Y, at.Y + at.Height} {
			corner, err := at.frame.Outside(ctx, x, y)
			if err != nil {
				return box, err
			}
			left, right = min(left, corner.X+corner.ScrollX), max(right, corner.X+corner.ScrollX)
			top, bottom = min(top, corner.Y+corner.ScrollY), max(bottom, corner.Y+corner.ScrollY)
		}
	}
	return page.Box{X: left, Y: top, Width: right - left, Height: bottom - top}, nil
}

// Ask gives what a function of the agent tells of the element; nil when the
// selector finds nothing and the function does not mind. A selector that is empty
// leaves it to the function.
func Ask(ctx context.Context, tab *page.Page, function, selector string, options map[string]any) (Match, json.RawMessage, error) {
	if selector != "" {
		at, err := locate(ctx, tab, function, selector, options)
		return at.match(), at.Told, err
	}
	at, err := inFrame(ctx, tab, tab.Main(), function, nil, options)
	if err != nil && fault.Is(err, fault.Timeout) {
		err = fault.New(fault.Timeout, "%w: the page is busy, or too large to be read in that time. If a script ran, it was ended; read a part of the page or give a longer timeout.", err)
	}
	return at.match(), at.Told, err
}

// WaitText waits until a text is seen in the page or in a frame of it; with gone
// until it is seen nowhere and every frame could be read. What is the case instead
// is told to otherwise, once the page has been looked through. atOnce says that the
// first look was enough.
func WaitText(ctx context.Context, tab *page.Page, text string, gone bool, otherwise func(why string)) (atOnce bool, err error) {
	steps := []selector.Step{{Kind: "text", Text: &selector.Text{Value: strings.Join(strings.Fields(text), " ")}}}
	for looked := false; ; {
		var unread Unread
		began := time.Now()
		seen, err := textSeen(ctx, tab.Main(), steps, "", &unread)
		switch {
		case err != nil && !errors.Is(err, page.ErrMoved):
			if ctx.Err() != nil && !page.OpenedDialog(err) {
				tab.FreeLater()
			}
			return false, err
		case err == nil && seen != gone && (seen || len(unread) == 0):
			return !looked, nil
		case err == nil && !(looked && ctx.Err() != nil): // the time was over during the last look
			otherwise(textInstead(seen, unread))
			looked = true
		}
		if err := page.Pause(ctx, max(page.LookEvery, time.Since(began))); err != nil { // leaves a large page time for its own work
			return false, err
		}
	}
}

func textInstead(seen bool, unread Unread) string {
	switch {
	case seen:
		return "the text is still there"
	case len(unread) > 0:
		return "the text is in nothing that could be read, but " + unread.String()
	}
	return "the text is not there; browser_find looks for parts of it"
}

func textSeen(ctx context.Context, f *page.Frame, steps []selector.Step, inside string, unread *Unread) (seen bool, err error) {
	brief, cancel := ctx, context.CancelFunc(func() {})
	if f.Nested() {
		brief, cancel = context.WithTimeout(ctx, page.FrameTimeout)
	}
	look, err := page.Ask[struct {
		Seen   bool
		Frames []FrameElement
	}](brief, f, "seenIn", steps)
	cancel()
	if err != nil || look.Seen {
		return look.Seen, err
	}
	unread.Each(ctx, f, look.Frames, inside, func(child *page.Frame, selector string) error {
		if seen {
			return nil
		}
		seen, err = textSeen(ctx, child, steps, selector, unread)
		return err
	})
	return seen, nil
}
