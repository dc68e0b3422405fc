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

// Hover moves the mouse over the element once it receives events there.
func Hover(ctx context.Context, tab *page.Page, selector string) (Match, error) {
	at, err := reach(ctx, tab, selector, map[string]any{"idle": true, "final": "pointermove"})
	if err != nil {
		return Match{}, err
	}
	since := tab.Now()
	if err := move(ctx, tab, point{at.X, at.Y}, input.MouseButtonNone); err != nil || tab.Dialog() != nil {
		return at.match(), err
	}
	arrival, err := tab.Settle(ctx, at.frame, since)
	if err == nil && arrival.Seen && !arrival.Hit {
		err = fault.New(fault.NotActionable, "the mouse is where %s was, but over %s: it moved or was covered", at.Element, arrival.Other)
	}
	return at.match(), err
}

// A point is a place in the tab's viewport, in CSS pixels.
type point struct{ x, y float64 }

// move moves the mouse, with a button held or none.
func move(ctx context.Context, tab *page.Page, to point, held input.MouseButton) error {
	_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, moved(to, held))
	if page.OpenedDialog(err) {
		return nil
	}
	return err
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
	dragPast  = 2.0                    // pixels beyond the target's middle and back: lists make room past the middle
	dragRest  = 100 * time.Millisecond // there: lists look at the mouse, and measure themselves anew, by timers
)

// interceptTimeout bounds the wait for the browser to hand over a drag that the
// page has begun.
const interceptTimeout = 2 * time.Second

// Drag presses the mouse on the one element and releases it on the other. Where
// the page begins a drag of its own (HTML5) its data is carried along.
func Drag(ctx context.Context, tab *page.Page, from, to string) (source, target Match, err error) {
	if _, err := reach(ctx, tab, to, map[string]any{"idle": true}); err != nil {
		return source, target, err
	}
	if _, err := reach(ctx, tab, from, map[string]any{"final": "mousedown"}); err != nil {
		return source, target, err
	}
	end, err := reach(ctx, tab, to, map[string]any{"idle": true})
	if err != nil {
		return source, target, err
	}
	// The look at the target may have scrolled the source away.
	start, err := reach(ctx, tab, from, map[string]any{"final": "mousedown"})
	if err != nil {
		return source, target, err
	}
	source, target = start.match(), end.match()
	since := tab.Now()
	err = tab.Dragging(ctx, func(drags <-chan *input.DragData) error {
		target.Note, err = drag(ctx, tab, start, end, drags)
		return err
	})
	if err != nil || tab.Dialog() != nil {
		return source, target, err
	}
	arrival, err := tab.Settle(ctx, start.frame, since)
	if err == nil && !arrival.Hit {
		err = fault.New(fault.NotActionable, "the mouse was pressed on %s, which came in between, not on %s. Look at the page before the next step.", arrival.Other, start.Element)
	}
	return source, target, err
}

// drag does the work of the mouse, and gives what else there is to say of it.
func drag(ctx context.Context, tab *page.Page, start, end found, drags <-chan *input.DragData) (note string, err error) {
	from, to := point{start.X, start.Y}, point{end.X, end.Y}
	if _, err := page.Ask[any](ctx, start.frame, "expectDrag"); err != nil {
		return "", err
	}
	if err := move(ctx, tab, from, input.MouseButtonNone); err != nil {
		return "", err
	}
	press := moved(from, input.MouseButtonLeft)
	press.Type, press.ClickCount = input.DispatchMouseEventTypeMousePressed, 1
	if _, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, press); err != nil {
		return "", err
	}
	for step := 1; step <= dragSteps; step++ {
		part := float64(step) / dragSteps
		if err := move(ctx, tab, point{from.x + (to.x-from.x)*part, from.y + (to.y-from.y)*part}, input.MouseButtonLeft); err != nil {
			return "", err
		}
		begun, err := page.Ask[bool](ctx, start.frame, "dragging")
		if err != nil && !errors.Is(err, page.ErrMoved) {
			return "", err
		}
		if begun {
			select {
			case data := <-drags:
				return drop(ctx, tab, data, end)
			case <-time.After(interceptTimeout):
				return "", fault.New(fault.NotActionable, "%s began to be dragged, but the browser did not hand over what it carries; try again", start.Element)
			case <-ctx.Done():
				return "", context.Cause(ctx)
			}
		}
	}
	if err := rest(ctx, tab, start.frame, beyond(from, to)); err != nil {
		return "", err
	}
	if err := move(ctx, tab, to, input.MouseButtonLeft); err != nil {
		return "", err
	}
	return "", release(ctx, tab, to)
}

// beyond is a point a little past the end of a way.
func beyond(from, to point) point {
	way := math.Hypot(to.x-from.x, to.y-from.y)
	if way == 0 {
		return to
	}
	return point{to.x + (to.x-from.x)/way*dragPast, to.y + (to.y-from.y)/way*dragPast}
}

// rest moves the mouse, and lets it lie until the page's timers have seen it.
func rest(ctx context.Context, tab *page.Page, f *page.Frame, at point) error {
	if err := move(ctx, tab, at, input.MouseButtonLeft); err != nil {
		return err
	}
	select {
	case <-time.After(dragRest):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	// A busy page runs its timers late.
	if _, err := page.Ask[any](ctx, f, "painted"); err != nil && !errors.Is(err, page.ErrMoved) && !page.OpenedDialog(err) {
		return err
	}
	return nil
}

func release(ctx context.Context, tab *page.Page, at point) error {
	up := moved(at, input.MouseButtonLeft)
	up.Type, up.ClickCount, up.Buttons = input.DispatchMouseEventTypeMouseReleased, 1, 0
	_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, up)
	if page.OpenedDialog(err) {
		return nil
	}
	return err
}

// drop carries a drag to its target, tells when nothing there took it, and gives
// where it went if not there.
func drop(ctx context.Context, tab *page.Page, data *input.DragData, end found) (note string, err error) {
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		_, err := cdp.Call(ctx, tab.Session(), input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: end.X, Y: end.Y, Data: data})
		if page.OpenedDialog(err) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
	}
	if err := release(ctx, tab, point{end.X, end.Y}); err != nil {
		return "", err
	}
	taken, err := page.Ask[struct {
		Seen  bool
		Other string
	}](ctx, end.frame, "dropped", end.ID)
	switch {
	case err != nil:
		return "", nil // the drop has moved the page on
	case !taken.Seen:
		return "", fault.New(fault.NotActionable, "it was dragged to %s, which takes no drop (or not this one): the page got no drop event there", end.Element)
	case taken.Other != "":
		return fmt.Sprintf("the drop went to %s, which had come there meanwhile", taken.Other), nil
	}
	return "", nil
}
