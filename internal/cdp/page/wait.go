package page

import "context"

// WaitFor waits until the selector matches an element, one that is visible, or
// none that is visible, also across navigations.
func (p *Page) WaitFor(ctx context.Context, selector string, visible, gone bool) (Match, error) {
	at, err := p.locate(ctx, "waitFor", selector, map[string]any{"visible": visible, "gone": gone})
	return at.match(), err
}
