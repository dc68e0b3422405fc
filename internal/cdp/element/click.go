package element

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// The bits of the protocol's modifiers.
const (
	modAlt = 1 << iota
	modControl
	modMeta
	modShift
)

// ClickOptions say how to click.
type ClickOptions struct {
	Wait      bool   // for the element to appear; else a missing one is told at once
	Button    string // left, middle, right
	Count     int    // 2 is a double click
	Modifiers []string
	Position  *[2]float64 // from the element's top left corner; nil for a point that receives events
}

// Click clicks the element with real mouse events once it is visible, enabled,
// at rest and receives events at the point, and reports an error when the click
// arrived elsewhere. It returns when what the click started has come to rest.
func Click(ctx context.Context, tab *page.Page, selector string, c ClickOptions) (Match, error) {
	modifiers, err := modifierBits(c.Modifiers)
	if err != nil {
		return Match{}, err
	}
	options := map[string]any{"wait": c.Wait, "final": finalEvents[c.Button]}
	if c.Position != nil {
		options["position"] = c.Position
	}
	at, err := reach(ctx, tab, selector, options)
	if err != nil {
		return Match{}, err
	}
	since := tab.Now()
	mouse := input.DispatchMouseEventParams{X: at.X, Y: at.Y, Modifiers: modifiers, Button: input.MouseButton(c.Button)}
	if err := press(ctx, tab, mouse, c.Count); err != nil && !page.CutShort(err) {
		if fault.Is(err, fault.Timeout) {
			err = fault.New(fault.Timeout, "%w: the click on %s was sent, and the page is still busy with what it started", err, at.Element)
		}
		return Match{}, err
	}
	if tab.Dialog() != nil {
		return at.match(), nil // the dialog is the answer, and the page stands still
	}
	return settleClick(ctx, tab, at, c.Count, since)
}

// reachAgain is the pause before the next look at a frame that cannot be seen.
const reachAgain = 30 * time.Millisecond

// reach waits until the element receives events at a point, and gives that point
// in the tab's viewport.
func reach(ctx context.Context, tab *page.Page, selector string, options map[string]any) (found, error) {
	var unseen error
	for tries := 1; ; tries++ {
		at, err := locate(ctx, tab, "reach", selector, options)
		switch {
		case err != nil && unseen != nil && ctx.Err() != nil && !page.OpenedDialog(err):
			return at, unseen
		case fault.Is(err, fault.NotActionable) && at.frame.Nested():
			return at, frameHidden(ctx, at, err)
		case err != nil || !at.frame.Nested():
			return at, err
		}
		place, err := at.frame.Through(ctx, at.X, at.Y)
		switch {
		case err == nil && place.Reason != "":
			options["unseen"] = tries // the next point, in the middle of what is seen
		case err == nil:
			at.X, at.Y = place.X, place.Y
			place.Reason, err = astray(ctx, tab, at)
		}
		switch {
		case err == nil && place.Reason == "":
			return at, nil
		case err == nil:
			unseen = fault.New(fault.NotActionable, "%s cannot be used: %s", at.Element, place.Reason)
		case unseen != nil && ctx.Err() != nil && !page.OpenedDialog(err):
			return at, unseen
		case !errors.Is(err, page.ErrMoved):
			return at, err
		}
		_ = page.Pause(ctx, reachAgain) // what has ended is told with the reason, above
	}
}

// astray moves the mouse to the point and tells why it is not over the element
// then, "" when it is. A frame in another process gets what the browser believes
// to be there, which for some frames after a scroll is what was there before.
func astray(ctx context.Context, tab *page.Page, at found) (string, error) {
	if !at.frame.Apart() {
		return "", nil
	}
	if err := moveAnew(ctx, tab, point{at.X, at.Y}); err != nil {
		return "", err
	}
	if over, err := page.Ask[bool](ctx, at.frame, "pointed"); err != nil || over {
		return "", err
	}
	return "the mouse that is moved to it does not arrive in its frame, or over another element there", nil
}

// frameHidden is why the element's frame cannot be seen, if so; else err: in a
// frame that is hidden every element lacks a place.
func frameHidden(ctx context.Context, at found, err error) error {
	brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), searchTimeout)
	defer cancel()
	if reason, asked := at.frame.Hidden(brief); asked == nil && reason != "" {
		return fault.New(fault.NotActionable, "%s cannot be used: %s", at.Element, reason)
	}
	return err
}

// press sends the events of count clicks at once and waits for the last: each
// is handled in order.
func press(ctx context.Context, tab *page.Page, mouse input.DispatchMouseEventParams, count int) error {
	move := mouse
	move.Type, move.Button = input.DispatchMouseEventTypeMouseMoved, input.MouseButtonNone
	cdp.Post(tab.Session(), input.DispatchMouseEvent, move)
	var last cdp.Pending[cdp.Empty]
	for n := 1; n <= count; n++ {
		down, up := mouse, mouse
		down.Type, up.Type = input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased
		down.ClickCount, up.ClickCount = int64(n), int64(n)
		down.Buttons = buttonBit(mouse.Button)
		cdp.Post(tab.Session(), input.DispatchMouseEvent, down)
		last = cdp.Start(ctx, tab.Session(), input.DispatchMouseEvent, up)
	}
	_, err := last.Wait(ctx)
	return err
}

func buttonBit(button input.MouseButton) int64 {
	switch button {
	case input.MouseButtonRight:
		return 2
	case input.MouseButtonMiddle:
		return 4
	default:
		return 1
	}
}

// finalEvents are what a page gets at the end of a click, by button.
var finalEvents = map[string]string{"left": "click", "middle": "auxclick", "right": "contextmenu"}

// settleClick waits for what the click started and checks where it arrived.
func settleClick(ctx context.Context, tab *page.Page, at found, count int, since page.Moment) (Match, error) {
	match := at.match()
	arrival, err := tab.Settle(ctx, at.frame, since)
	switch {
	case err != nil:
		return match, err
	case !arrival.Seen:
		return match, fault.New(fault.NotActionable, "the click on %s reached no element of the page; look at the page and try again", at.Element)
	case !arrival.Hit:
		return match, fault.New(fault.NotActionable, "the click meant for %s went to %s, which came in between. Look at the page before the next step.", at.Element, arrival.Other)
	case arrival.Clicks == 0 && arrival.Over != "":
		match.Note = fmt.Sprintf("%s took the release of the button (it has opened there, or has captured the mouse), so that the element got no click event", arrival.Over)
	case arrival.Clicks == 0:
		return match, fault.New(fault.NotActionable, "the button was pressed on %s, but %s before it was released, so that no click came. Look at the page before the next step.", at.Element, arrival.Why)
	case arrival.Clicks > 0 && arrival.Clicks < count:
		return match, fault.New(fault.NotActionable, "only %d of %d clicks arrived at %s: %s in between. Look at the page before the next step.", arrival.Clicks, count, at.Element, cmp.Or(arrival.Why, "it was covered by "+arrival.Over))
	}
	return match, nil
}
