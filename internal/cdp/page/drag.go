package page

import (
	"context"

	"github.com/chromedp/cdproto/input"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// Dragging runs f while the browser hands over the drags that the page begins,
// instead of carrying them out by itself.
func (p *Page) Dragging(ctx context.Context, f func(context.Context, <-chan *input.DragData) error) error {
	drags := make(chan *input.DragData, 1)
	p.update(func() { p.drags = drags })
	defer p.update(func() { p.drags = nil })
	defer cdp.Post(p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: false})
	if _, err := cdp.Call(ctx, p.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		return err
	}
	return f(ctx, drags)
}

func (p *Page) dragIntercepted(ev input.EventDragIntercepted) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.drags <- ev.Data: // nobody waits on the nil channel
	default:
	}
}
