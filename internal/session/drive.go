package session

import (
	"context"
	"errors"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Drive runs f on the current tab when it is the call's turn. The browser is
// started when there is none, and a crashed tab is given an empty page. While f
// runs its context also ends with the cause when a dialog opens, the page
// crashes or the browser goes; a dialog that is open already refuses the call.
// limit counts from f's start.
func (s *Session) Drive(ctx context.Context, limit time.Duration, f func(context.Context, *Tab) error) error {
	if err := awaitTurn(ctx); err != nil {
		return err
	}
	b, err := s.current(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := WithLimit(ctx, limit)
	defer cancel()
	tab, err := b.use(ctx)
	if err != nil {
		return b.explain(err)
	}
	guarded, release, err := tab.Guard(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := tab.Ready(guarded); err != nil {
		return b.explain(err)
	}
	crashed, err := tab.Recover(guarded)
	if err != nil {
		return b.explain(err)
	}
	if crashed != "" {
		s.noteLost("Note: the page had crashed; this is an empty tab. It showed " + crashed + ".")
	}
	return b.explain(f(guarded, tab))
}

// WithLimit bounds a call; the cause of its end says how long it took.
func WithLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, fault.New(fault.Timeout, "Timeout after %s", limit))
}

func (s *Session) noteLost(note string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = note
}

// explain gives the reason behind an error of the connection.
func (b *browser) explain(err error) error {
	switch {
	case errors.Is(err, cdp.ErrClosed):
		if cause := b.ordered(); cause != nil {
			return cause
		}
		return fault.New(fault.BrowserLost, "the browser ended unexpectedly: %s. The next call starts a fresh one.", b.obituary())
	case errors.Is(err, cdp.ErrDetached):
		return page.ErrTabClosed()
	}
	return err
}

// Dialog answers the open dialog of the current tab. It waits for no turn: the
// calls before it may be waiting for the dialog.
func (s *Session) Dialog(ctx context.Context, accept bool, text *string) (page.Dialog, error) {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil || b.tab() == nil {
		return page.Dialog{}, fault.New(fault.NoDialog, "no browser is running, so no dialog is open")
	}
	d, err := b.tab().HandleDialog(ctx, accept, text)
	return d, b.explain(err)
}
