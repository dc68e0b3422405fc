package session

import (
	"context"
	"errors"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Drive runs f on the current tab when it is the call's turn. The browser is
// started when there is none, and a crashed tab is given an empty page. While f
// runs its context also ends with the cause when a dialog opens, the page
// crashes or the browser goes; a dialog that is open already refuses the call.
// limit bounds all of it, the wait for the turn too.
func (s *Session) Drive(ctx context.Context, limit time.Duration, f func(context.Context, *Tab) error) error {
	ctx, cancel := WithLimit(ctx, limit)
	defer cancel()
	if err := AwaitTurn(ctx); err != nil {
		return err
	}
	b, err := s.current(ctx)
	if err != nil {
		return err
	}
	tab, err := b.use(ctx)
	if err != nil {
		return b.explain(err)
	}
	if stopped := b.stopped(); stopped != nil {
		tab = stopped // its guard refuses the call
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
		s.noteLost("Note: the page had crashed; this is an empty tab. It showed " + clip.Text(crashed, 300) + ".")
	}
	return b.explain(f(guarded, tab))
}

// WithLimit bounds a call; the cause of its end says how long it took.
func WithLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, fault.New(fault.Timeout, "Timeout after %s", limit))
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

// Dialog answers the open dialog of a tab, and tells what that changed. It waits
// for no turn: the calls before it may be waiting for the dialog.
func (s *Session) Dialog(ctx context.Context, accept bool, text *string) (page.Dialog, []string, error) {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil {
		return page.Dialog{}, nil, fault.New(fault.NoDialog, "no browser is running, so no dialog is open")
	}
	tab := b.stopped()
	if tab == nil {
		return page.Dialog{}, nil, fault.New(fault.NoDialog, "no dialog is open; nothing was done")
	}
	before, since := s.Before(tab), tab.Now()
	d, err := tab.HandleDialog(ctx, accept, text)
	if err != nil {
		return d, nil, b.explain(err)
	}
	if guarded, release, err := tab.Guard(ctx); err == nil {
		defer release()
		_, _ = tab.Settle(guarded, tab.Main(), since) // what follows is told as a change
		ctx = guarded
	}
	return d, before.Changes(ctx, false), nil
}
