package element

import (
	"cmp"
	"context"

	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
)

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
	at, err := locate(ctx, tab, "present", selector, map[string]any{})
	if err != nil {
		return nil, err
	}
	own, err := at.frame.Own(ctx, at.ID)
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
	from, err := at.frame.Outside(ctx, at.X, at.Y)
	if err != nil {
		return box, "", err
	}
	to, err := at.frame.Outside(ctx, at.X+at.Width, at.Y+at.Height)
	box = page.Box{X: from.X + from.ScrollX, Y: from.Y + from.ScrollY, Width: to.X - from.X, Height: to.Y - from.Y}
	return box, cmp.Or(at.Reason, middle.Reason), err
}
