package page

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Moment is a point in the tab's life, to see what came after it.
type Moment struct {
	position
	requests int
}

// Now is the moment before what the caller does next.
func (p *Page) Now() Moment { return Moment{p.position(), p.opts.Requests.Mark()} }

// MovedSince reports whether the tab shows another document than at the moment,
// or is about to.
func (p *Page) MovedSince(since Moment) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.coming != nil || p.commits != since.commits
}

// An Arrival is where the events of an action went.
type Arrival struct {
	Seen, Hit bool
	Clicks    int // that the page was told of; -1 when that is not known
	Other     string
	Why       string // the element's state, when a click did not come about
	Over      string // what has opened over the element, and took the release of the button
}

// Bounds of the wait for the requests that an action started.
const (
	quietTimeout = time.Second
	quietLook    = 5 * time.Millisecond
)

// awaited are the types of requests on whose answers a page's next state hangs.
var awaited = []string{"Document", "Script", "Stylesheet", "XHR", "Fetch"}

// Settle waits for what an action in the frame started since the moment: a
// navigation of the tab until the new page has loaded, else the next two frames
// and, for a while, the requests that it made. When the document goes away, the tab
// closes or a dialog opens, the action has arrived.
func (p *Page) Settle(ctx context.Context, f *Frame, since Moment) (Arrival, error) {
	arrived := Arrival{Seen: true, Hit: true, Clicks: -1}
	answer, err := Ask[Arrival](ctx, f, "settle")
	switch {
	case CutShort(err):
		return arrived, nil
	case err != nil && !errors.Is(err, ErrMoved):
		if ctx.Err() != nil {
			p.FreeLater()
		}
		if fault.Is(err, fault.Timeout) {
			err = fault.New(fault.Timeout, "%w: the action was done, and the page has been busy since. If a script ran, it was ended; look at the page.", err)
		}
		return arrived, err
	case err == nil:
		arrived = answer
	}
	switch {
	case p.MovedSince(since):
		arrived = Arrival{Seen: true, Hit: true, Clicks: -1} // the click has moved the page on
	case err == nil || f.Nested():
		return arrived, p.quiet(ctx, since)
	}
	if err := p.await(ctx, func() bool { return p.loadedTo(Load) }); err != nil && !OpenedDialog(err) {
		return arrived, fault.New(fault.Timeout, "%w: the action was done, and the page that it opened is still loading. Wait with browser_wait_for_selector.", err)
	}
	return arrived, nil
}

// quiet waits, for a while, until the requests that were made since the moment
// are answered and what they bring is painted.
func (p *Page) quiet(ctx context.Context, since Moment) error {
	brief, cancel := context.WithTimeout(ctx, quietTimeout)
	defer cancel()
	waited := false
	for p.busy(since) {
		waited = true
		if Pause(brief, quietLook) == nil {
			continue
		}
		if ctx.Err() != nil && !OpenedDialog(context.Cause(ctx)) {
			return context.Cause(ctx)
		}
		return nil // the page goes on, and the answer need not wait for it
	}
	if waited {
		if _, err := Ask[struct{}](brief, p.Main(), "painted"); err != nil && ctx.Err() != nil && !OpenedDialog(err) {
			return err
		}
	}
	return nil
}

func (p *Page) busy(since Moment) bool {
	_, pending := p.opts.Requests.Since(since.requests, p.session)
	for _, r := range pending {
		if slices.Contains(awaited, r.Type) {
			return true
		}
	}
	return false
}
