package element

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Hover moves the mouse over the element once it receives events there, and
// reports an error when it is not under the mouse then.
func Hover(ctx context.Context, tab *page.Page, selector string) (Match, error) {
	at, err := reach(ctx, tab, selector, map[string]any{"idle": true, "final": "pointermove"})
	if err != nil {
		return Match{}, err
	}
	since := tab.Now()
	if err := moveAnew(ctx, tab, point{at.X, at.Y}); err != nil && !page.CutShort(err) {
		return at.match(), err
	}
	if tab.Dialog() != nil {
		return at.match(), nil
	}
	arrival, err := tab.Settle(ctx, at.frame, since)
	match := at.match()
	switch {
	case err != nil:
		return match, err
	case !arrival.Seen:
		return match, fault.New(fault.NotActionable, "the mouse was moved to %s, but the page heard nothing of it; look at the page and try again", at.Element)
	case !arrival.Hit:
		return match, fault.New(fault.NotActionable, "the mouse is where %s was, but over %s: it moved or was covered", at.Element, arrival.Other)
	case arrival.Why != "":
		return match, fault.New(fault.NotActionable, "the mouse was over %s, but %s then", at.Element, arrival.Why)
	case arrival.Over != "":
		match.Note = arrival.Over + " has opened under the mouse"
	}
	return match, nil
}

// A point is a place in the tab's viewport, in CSS pixels.
type point struct{ x, y float64 }

// move moves the mouse, with a button held or none.
func move(ctx context.Context, tab *page.Page, to point, held input.MouseButton) error {
	_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, moved(to, held))
	return err
}

// moveAnew moves the mouse so that the page hears of it: one that is there
// already tells nothing.
func moveAnew(ctx context.Context, tab *page.Page, to point) error {
	cdp.Post(tab.Session(), input.DispatchMouseEvent, moved(point{to.x - 1, to.y}, input.MouseButtonNone))
	return move(ctx, tab, to, input.MouseButtonNone)
}

func moved(to point, held input.MouseButton) input.DispatchMouseEventParams {
	params := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: to.x, Y: to.y, Button: held}
	if held != input.MouseButtonNone {
		params.Buttons = buttonBit(held)
	}
	return params
}

// How the mouse moves in a drag.
const (
	dragSteps = 8                      // moves from one element to the other: lists look at what the mouse passes
	dragNudge = 5.0                    // pixels of the first move: a drag begins where it was pressed
	dragPast  = 2.0                    // pixels beyond the target's middle and back: lists make room past the middle
	dragRest  = 100 * time.Millisecond // there: lists look at the mouse, and measure themselves anew, by timers
)

// interceptTimeout bounds the wait for the browser to hand over a drag that the
// page has begun.
const interceptTimeout = 2 * time.Second

// Drag presses the mouse on the one element and releases it on the other. Where
// the page begins a drag of its own (HTML5) its data is carried along. A drag that
// is broken off is ended, so that the mouse is free again.
func Drag(ctx context.Context, tab *page.Page, from, to string) (source, target Match, err error) {
	start, end, err := reachBoth(ctx, tab, from, to)
	if err != nil {
		return source, target, err
	}
	source, target = start.match(), end.match()
	if start.ID == end.ID && start.document == end.document {
		return source, target, fault.New(fault.InvalidArgument, "from and to are the same element, %s", start.Element)
	}
	since := tab.Now()
	d := &dragging{tab: tab, since: since, start: start, end: end}
	err = tab.Dragging(ctx, d.run)
	if err != nil {
		d.breakOff()
		if page.OpenedDialog(err) {
			err = fault.New(fault.DialogOpen, "%w The drag was broken off; nothing was dropped.", err)
		}
		return source, target, err
	}
	target.Note = d.note
	if tab.Dialog() != nil {
		return source, target, nil
	}
	arrival, err := tab.Settle(ctx, start.frame, since)
	if err == nil && arrival.Seen && !arrival.Hit {
		err = fault.New(fault.NotActionable, "the mouse was pressed on %s, which came in between, not on %s. Look at the page before the next step.", arrival.Other, start.Element)
	}
	return source, target, err
}

// reachBoth gives where two elements receive events at the same time.
func reachBoth(ctx context.Context, tab *page.Page, from, to string) (start, end found, err error) {
	const tries = 3 // a look at the one may scroll the other away
	for range tries {
		if end, err = reach(ctx, tab, to, map[string]any{"idle": true}); err != nil {
			return start, end, err
		}
		before := start
		if start, err = reach(ctx, tab, from, map[string]any{"final": "mousedown"}); err != nil {
			return start, end, err
		}
		if before.ID == start.ID && before.X == start.X && before.Y == start.Y {
			return start, end, nil
		}
	}
	return start, end, fault.New(fault.NotActionable, "%s and %s cannot be in view at the same time; a larger viewport (browser_resize) may show both", start.Element, end.Element)
}

// A dragging is the work of the mouse in a drag.
type dragging struct {
	tab        *page.Page
	since      page.Moment // before it began
	start, end found
	data       *input.DragData // what the page carries; nil while it carries nothing
	note       string          // what else there is to say
}

func (d *dragging) run(ctx context.Context, drags <-chan *input.DragData) error {
	from, to := point{d.start.X, d.start.Y}, point{d.end.X, d.end.Y}
	for _, frame := range []*page.Frame{d.start.frame, d.end.frame} {
		if _, err := page.Ask[any](ctx, frame, "expectDrag"); err != nil {
			return err
		}
	}
	if err := move(ctx, d.tab, from, input.MouseButtonNone); err != nil {
		return err
	}
	press := moved(from, input.MouseButtonLeft)
	press.Type, press.ClickCount = input.DispatchMouseEventTypeMousePressed, 1
	if _, err := cdp.Call(ctx, d.tab.Session(), input.DispatchMouseEvent, press); err != nil {
		return err
	}
	for _, next := range between(from, to) {
		if err := move(ctx, d.tab, next, input.MouseButtonLeft); err != nil {
			return err
		}
		begun, err := page.Ask[bool](ctx, d.start.frame, "dragging")
		switch {
		case errors.Is(err, page.ErrMoved):
			return d.left()
		case err != nil:
			return err
		case begun:
			return d.carry(ctx, drags)
		}
	}
	return d.byMouse(ctx, from, to)
}

// between gives the places that the mouse passes, a small first move before all.
func between(from, to point) []point {
	way := math.Hypot(to.x-from.x, to.y-from.y)
	if way == 0 {
		return []point{to}
	}
	nudge := min(dragNudge, way)
	places := []point{{from.x + (to.x-from.x)/way*nudge, from.y + (to.y-from.y)/way*nudge}}
	for step := 1; step <= dragSteps; step++ {
		part := float64(step) / dragSteps
		places = append(places, point{from.x + (to.x-from.x)*part, from.y + (to.y-from.y)*part})
	}
	return places
}

// byMouse ends a drag that the page follows by the mouse alone: it goes a little
// too far, rests, comes back, and the button is released.
func (d *dragging) byMouse(ctx context.Context, from, to point) error {
	past := to
	if way := math.Hypot(to.x-from.x, to.y-from.y); way > 0 {
		past = point{to.x + (to.x-from.x)/way*dragPast, to.y + (to.y-from.y)/way*dragPast}
	}
	if err := move(ctx, d.tab, past, input.MouseButtonLeft); err != nil {
		return err
	}
	if err := page.Pause(ctx, dragRest); err != nil {
		return err
	}
	if err := move(ctx, d.tab, to, input.MouseButtonLeft); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, d.tab.Session(), input.DispatchMouseEvent, released(to)); err != nil && !page.OpenedDialog(err) {
		return err
	}
	d.note = "by the mouse alone, without data: look whether the page took it"
	if over, err := page.Ask[string](ctx, d.end.frame, "releasedOver", d.end.ID); err == nil && over != "" {
		d.note = fmt.Sprintf("by the mouse alone, and the button was released over %s: look whether the page took it", over)
	}
	return nil
}

func released(at point) input.DispatchMouseEventParams {
	up := moved(at, input.MouseButtonLeft)
	up.Type, up.ClickCount, up.Buttons = input.DispatchMouseEventTypeMouseReleased, 1, 0
	return up
}

// left is why nothing was dropped by a page that goes on when it is dragged.
func (d *dragging) left() error {
	return fault.New(fault.NotActionable, "the page of %s was left when it began to be dragged; nothing was dropped", d.start.Element)
}

// carry takes what the page drags to the target, and tells when nothing there
// took it.
func (d *dragging) carry(ctx context.Context, drags <-chan *input.DragData) error {
	select {
	case d.data = <-drags:
	case <-time.After(interceptTimeout):
		return fault.New(fault.NotActionable, "%s began to be dragged, but the browser did not hand over what it carries; try again", d.start.Element)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if d.tab.MovedSince(d.since) {
		return d.left()
	}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		_, err := cdp.Call(ctx, d.tab.Session(), input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: d.end.X, Y: d.end.Y, Data: d.data})
		if err != nil && !(page.OpenedDialog(err) && kind == input.DispatchDragEventTypeDrop) {
			return err
		}
	}
	cdp.Post(d.tab.Session(), input.DispatchMouseEvent, released(point{d.end.X, d.end.Y}))
	if d.start.document != d.end.document && (d.start.frame.Apart() || d.end.frame.Apart()) {
		// The process that it came from hears of no end, and would get no event of the mouse any more.
		d.breakOff()
		d.note = "its own page is told that nothing was dropped, because the drop went to another process"
	}
	if d.tab.Dialog() != nil {
		return nil // it opened at the drop
	}
	taken, err := page.Ask[struct {
		Seen  bool
		Other string
	}](ctx, d.end.frame, "dropped", d.end.ID)
	switch {
	case errors.Is(err, page.ErrMoved):
		d.note = "the page went on then, so that it was not seen what took the drop"
	case page.OpenedDialog(err): // it opened at the drop
	case err != nil:
		return err
	case !taken.Seen:
		return fault.New(fault.NotActionable, "it was dragged to %s, which takes no drop (or not this one): the page got no drop event there", d.end.Element)
	case taken.Other != "":
		d.note = fmt.Sprintf("the drop went to %s, which had come there meanwhile", taken.Other)
	}
	return nil
}

// breakOff ends a drag that came to no end, once the page can hear of it;
// otherwise it would get no event of the mouse any more.
func (d *dragging) breakOff() {
	data := d.data
	if data == nil {
		data = &input.DragData{Items: []*input.DragDataItem{}}
	}
	at := point{d.start.X, d.start.Y}
	cdp.Post(d.tab.Session(), input.DispatchDragEvent, input.DispatchDragEventParams{Type: input.DispatchDragEventTypeDragCancel, X: at.x, Y: at.y, Data: data})
	cdp.Post(d.tab.Session(), input.DispatchMouseEvent, released(at))
}
