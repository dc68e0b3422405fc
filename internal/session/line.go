package session

import (
	"context"
	"sync"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A line keeps the calls that drive the browser in the order of their arrival.
type line struct {
	mu   sync.Mutex
	last <-chan struct{} // closed when the last call that holds the line is over; nil at first
}

// A Turn is a call's place in a line. A call that holds the line waits for those
// before it and holds up those behind it; one that only looks waits in the same
// way but holds up nobody, so that a long wait delays no click.
type Turn struct {
	before <-chan struct{}
	over   chan struct{} // nil when the call holds up nobody
}

func (l *line) join(holds bool) *Turn {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := &Turn{before: l.last}
	if holds {
		t.over = make(chan struct{})
		l.last = t.over
	}
	return t
}

// wait returns when it is the call's turn. A call that gives up keeps its place
// until those before it are over; otherwise one behind it could overtake them.
func (t *Turn) wait(ctx context.Context) error {
	if t.before == nil {
		return context.Cause(ctx)
	}
	select {
	case <-t.before:
		return context.Cause(ctx)
	case <-ctx.Done():
		return fault.New(fault.CodeOf(context.Cause(ctx)), "%w waiting for the calls before it; nothing was done", context.Cause(ctx))
	}
}

// Done gives the turn on. It must be called once for every turn that was taken.
func (t *Turn) Done() {
	switch {
	case t.over == nil:
	case t.before == nil:
		close(t.over)
	default:
		select {
		case <-t.before:
			close(t.over)
		default:
			go func() {
				<-t.before
				close(t.over)
			}()
		}
	}
}

type turnKey struct{}

// WithTurn puts a call's turn into its context.
func WithTurn(ctx context.Context, t *Turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

// AwaitTurn waits for the turn in the context; a call without one need not wait.
func AwaitTurn(ctx context.Context) error {
	if t, ok := ctx.Value(turnKey{}).(*Turn); ok {
		return t.wait(ctx)
	}
	return context.Cause(ctx)
}
