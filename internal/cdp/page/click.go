package page

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/input"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// The bits of the protocol's modifiers.
const (
	modAlt = 1 << iota
	modControl
	modMeta
	modShift
)

// A Click says how to click.
type Click struct {
	Wait      bool   // for the element to appear; else a missing one is told at once
	Button    string // left, middle, right
	Count     int    // 2 is a double click
	Modifiers []string
	Position  *[2]float64 // from the element's top left corner; nil for a point that receives events
}

// Click clicks the element with real mouse events once it is visible, enabled,
// at rest and receives events at the point, and reports an error when the click
// arrived elsewhere. It returns when what the click started has come to rest.
func (p *Page) Click(ctx context.Context, selector string, c Click) (Match, error) {
	modifiers, err := modifierBits(c.Modifiers)
	if err != nil {
		return Match{}, err
	}
	options := map[string]any{"wait": c.Wait, "final": finalEvents[c.Button]}
	if c.Position != nil {
		options["position"] = c.Position
	}
	at, err := p.locate(ctx, "reach", selector, options)
	if err != nil {
		return Match{}, err
	}
	from := p.position()
	mouse := input.DispatchMouseEventParams{X: at.X, Y: at.Y, Modifiers: modifiers, Button: input.MouseButton(c.Button)}
	if err := p.press(ctx, mouse, c.Count); err != nil && !OpenedDialog(err) {
		if fault.Is(err, fault.Timeout) {
			err = fault.New(fault.Timeout, "%w: the click on %s was sent, and the page is still busy with what it started", err, at.Element)
		}
		return Match{}, err
	}
	if p.Dialog() != nil {
		return at.match(), nil // the dialog is the answer, and the page stands still
	}
	return at.match(), p.settleClick(ctx, at, c.Count, from)
}

// press sends the events of count clicks at once and waits for the last: each
// is handled in order.
func (p *Page) press(ctx context.Context, mouse input.DispatchMouseEventParams, count int) error {
	move := mouse
	move.Type, move.Button = input.DispatchMouseEventTypeMouseMoved, input.MouseButtonNone
	cdp.Post(p.session, input.DispatchMouseEvent, move)
	var last cdp.Reply[cdp.Empty]
	for n := 1; n <= count; n++ {
		down, up := mouse, mouse
		down.Type, up.Type = input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased
		down.ClickCount, up.ClickCount = int64(n), int64(n)
		down.Buttons = buttonBit(mouse.Button)
		cdp.Post(p.session, input.DispatchMouseEvent, down)
		last = cdp.Start(ctx, p.session, input.DispatchMouseEvent, up)
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
func (p *Page) settleClick(ctx context.Context, at found, count int, from position) error {
	arrival, err := p.settle(ctx, from)
	switch {
	case err != nil:
		return err
	case !arrival.Seen:
		return fault.New(fault.NotActionable, "the click on %s reached no element of the page; look at the page and try again", at.Element)
	case !arrival.Hit:
		return fault.New(fault.NotActionable, "the click meant for %s went to %s, which came in between. Look at the page before the next step.", at.Element, arrival.Other)
	case arrival.Clicks == 0:
		return fault.New(fault.NotActionable, "the button was pressed on %s, but %s before it was released, so that no click came. Look at the page before the next step.", at.Element, arrival.Why)
	case arrival.Clicks > 0 && arrival.Clicks < count:
		return fault.New(fault.NotActionable, "only %d of %d clicks arrived at %s: %s in between. Look at the page before the next step.", arrival.Clicks, count, at.Element, arrival.Why)
	}
	return nil
}

// An arrival is where the events of an action went.
type arrival struct {
	Seen, Hit bool
	Clicks    int // that the page was told of; -1 when that is not known
	Other     string
	Why       string // the element's state, when a click did not come about
}

// Settle waits for what has just been started from outside, such as by the
// answer to a dialog.
func (p *Page) Settle(ctx context.Context) error {
	_, err := p.settle(ctx, p.position())
	return err
}

// settle waits for what an action started from there: a navigation until the new page has
// loaded, else the next two frames. When the document goes away or a dialog
// opens, the action has arrived.
func (p *Page) settle(ctx context.Context, from position) (arrival, error) {
	arrived := arrival{Seen: true, Hit: true, Clicks: -1}
	answer, err := ask[arrival](ctx, p, "settle")
	switch {
	case OpenedDialog(err):
		return arrived, nil
	case err != nil && !errors.Is(err, errMoved):
		return arrived, err
	case err == nil:
		arrived = answer
	}
	p.mu.Lock()
	if p.commits != from.commits || p.coming != nil {
		arrived = arrival{Seen: true, Hit: true, Clicks: -1} // the click has moved the page on
	}
	waiting := err != nil || p.coming != nil || p.commits != from.commits
	p.mu.Unlock()
	if !waiting {
		return arrived, nil
	}
	if err := p.await(ctx, func() bool { return p.loadedTo(Load) }); err != nil && !OpenedDialog(err) {
		return arrived, fault.New(fault.Timeout, "%w: the action was done, and the page that it opened is still loading. Wait with browser_wait_for_selector.", err)
	}
	return arrived, nil
}
