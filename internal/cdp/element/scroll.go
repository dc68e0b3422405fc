package element

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/chromedp/cdproto/input"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A scrolled is where something that scrolls stands.
type scrolled struct{ X, Y, Width, Height, ViewWidth, ViewHeight int }

// ends reports whether there is nothing more that way.
func (s scrolled) ends(x, y float64) bool {
	end := func(delta float64, at, size, seen int) bool {
		return delta == 0 || delta < 0 && at <= 0 || delta > 0 && at+seen >= size-1
	}
	return end(x, s.X, s.Width, s.ViewWidth) && end(y, s.Y, s.Height, s.ViewHeight)
}

// ScrollTo brings the element into view.
func ScrollTo(ctx context.Context, tab *page.Page, selector string) (Match, error) {
	at, err := locate(ctx, tab, "show", selector, map[string]any{})
	if err != nil {
		return Match{}, err
	}
	if at.frame.Nested() {
		if _, err := at.frame.Through(ctx, 0, 0); err != nil { // scrolls its frame into view
			return Match{}, err
		}
	}
	if _, err = tab.Settle(ctx, at.frame, tab.Now()); err != nil || tab.Dialog() != nil {
		return at.match(), err
	}
	if seen, err := page.Ask[bool](ctx, at.frame, "inView", at.ID); err == nil && !seen {
		return at.match(), fault.New(fault.NotActionable, "%s was scrolled into view, but the page has scrolled away from it again", at.Element)
	}
	return at.match(), nil
}

// Scroll scrolls by CSS pixels what scrolls around the element, or the page when
// selector is empty, and tells where that stands then. What no script can scroll
// (a map, a canvas) gets the turns of a mouse wheel.
func Scroll(ctx context.Context, tab *page.Page, selector string, x, y float64) (string, error) {
	at := found{frame: tab.Main()}
	var err error
	if selector != "" {
		if at, err = locate(ctx, tab, "present", selector, map[string]any{}); err != nil {
			return "", err
		}
	}
	since := tab.Now()
	moved, err := page.Ask[*struct {
		Before, After scrolled
		Scroller      string
	}](ctx, at.frame, "scroll", at.ID, x, y)
	switch {
	case errors.Is(err, page.ErrMoved):
		return "", fault.New(fault.NotActionable, "the page was replaced while it was to be scrolled; look at it and try again")
	case err != nil:
		return "", err
	case moved == nil && selector == "":
		return "The page does not scroll that way: all of it is in view.", nil
	case moved == nil:
		return wheel(ctx, tab, selector, x, y)
	}
	if _, err := tab.Settle(ctx, at.frame, since); err != nil {
		return "", err
	}
	what := "the page"
	if moved.Scroller != "" {
		what = moved.Scroller
	}
	if now, err := page.Ask[*scrolled](ctx, at.frame, "scrolledTo"); err == nil && now != nil {
		moved.After = *now // the page may have scrolled on since
	}
	stands := fmt.Sprintf("%s at %d,%d of %d×%d, of which %d×%d are seen", what, moved.After.X, moved.After.Y, moved.After.Width, moved.After.Height, moved.After.ViewWidth, moved.After.ViewHeight)
	if moved.Before.X == moved.After.X && moved.Before.Y == moved.After.Y {
		if moved.Before.ends(x, y) {
			return "Did not scroll, because it is at its end: " + stands, nil
		}
		return "Did not scroll, because the page does not let it: " + stands, nil
	}
	return "Scrolled " + stands, nil
}

func wheel(ctx context.Context, tab *page.Page, selector string, x, y float64) (string, error) {
	at, err := reach(ctx, tab, selector, map[string]any{"idle": true})
	if err != nil {
		return "", err
	}
	since := tab.Now()
	turn := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaX: given(x), DeltaY: given(y)}
	if _, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, turn); err != nil && !page.OpenedDialog(err) {
		return "", fault.New(fault.NotActionable, "%s does not scroll, and got no turn of the mouse wheel: %w", at.Element, err)
	}
	if tab.Dialog() == nil {
		if _, err := tab.Settle(ctx, at.frame, since); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s does not scroll by itself; the mouse wheel was turned over it", at.Element), nil
}

// given makes a zero something that is sent: the browser asks for both turns, and
// the type leaves out what is zero.
func given(delta float64) float64 {
	if delta == 0 {
		return math.SmallestNonzeroFloat64
	}
	return delta
}
