package cdp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	proto "github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// A Session is one attached target: the browser, a page, a frame of another
// origin, or a worker. Answers and events of a session are handled one after
// the other in the order in which the browser sent them, so that when a call
// returns, every event before its answer has been handled.
type Session struct {
	ID      target.SessionID
	Target  target.Info // as it was when the session was attached
	Parent  *Session    // through which it was attached; nil for the browser
	Waiting bool        // it waits for Runtime.runIfWaitingForDebugger

	conn     *Conn
	ready    chan struct{} // closed when the session has been set up
	queue    *queue
	handlers map[string][]func(jsonv2.Value)
	onDrop   []func(method string)
	onClose  []func(error)

	mu      sync.Mutex
	pending map[int64]*sent
	err     error // why the session ended
}

// A sent is a command that waits for its answer.
type sent struct {
	id     int64
	method string
	done   chan struct{}
	result jsonv2.Value
	err    error
}

func newSession(c *Conn, parent *Session, id target.SessionID, info target.Info, waiting bool) *Session {
	return &Session{
		ID: id, Target: info, Parent: parent, Waiting: waiting,
		conn:     c,
		ready:    make(chan struct{}),
		queue:    newQueue(),
		handlers: map[string][]func(jsonv2.Value){},
		pending:  map[int64]*sent{},
	}
}

// Within reports whether the session is the other or was attached through it, as
// a tab's frames and workers are.
func (s *Session) Within(other *Session) bool {
	for s != nil && s != other {
		s = s.Parent
	}
	return s == other
}

// Kind is the word that answers use for what the session is attached to: page,
// frame, worker, shared worker, service worker.
func (s *Session) Kind() string {
	if s.Target.Type == "iframe" {
		return "frame"
	}
	return strings.ReplaceAll(s.Target.Type, "_", " ")
}

// On registers a handler for an event. It may be called in setup only. A
// handler may append to its owner's state under a lock; it must not block and
// must not wait for a command, otherwise the session stands still.
func On[E any](s *Session, event proto.Event[E], handle func(E)) {
	OnRaw(s, event, func(raw jsonv2.Value) {
		if ev, err := Decode(event, raw); err != nil {
			s.conn.log.Warn("unreadable event", "error", err)
		} else {
			handle(ev)
		}
	})
}

// OnRaw is [On] for events that come in floods and of which few are looked at:
// the handler keeps them as they are, and [Decode] reads those that matter.
func OnRaw[E any](s *Session, event proto.Event[E], handle func(jsonv2.Value)) {
	s.handlers[event.Method] = append(s.handlers[event.Method], handle)
}

// Decode reads an event that [OnRaw] gave.
func Decode[E any](event proto.Event[E], raw jsonv2.Value) (E, error) {
	var ev E
	if err := jsonv2.Unmarshal(raw, &ev, decodeOptions); err != nil {
		return ev, fmt.Errorf("decoding %s: %w", event.Method, err)
	}
	return ev, nil
}

// OnDrop registers who is told of each bulk event (console, network) that was
// dropped because they arrived faster than they could be handled. Setup only.
func (s *Session) OnDrop(f func(method string)) { s.onDrop = append(s.onDrop, f) }

// OnClose registers who is told when the session has ended. Setup only.
func (s *Session) OnClose(f func(error)) { s.onClose = append(s.onClose, f) }

// Call sends a command and waits for its result; see [cdp.Call].
func Call[P, R any](ctx context.Context, s *Session, command proto.Command[P, R], params P) (R, error) {
	return Start(ctx, s, command, params).Wait(ctx)
}

// postTimeout bounds how long a command may wait for a browser that reads none.
const postTimeout = 2 * time.Second

// Post sends a command without waiting; a refusal by the browser is logged.
func Post[P, R any](s *Session, command proto.Command[P, R], params P) {
	ctx, cancel := context.WithTimeout(context.Background(), postTimeout)
	defer cancel()
	if _, err := s.send(ctx, command.Method, params); err != nil {
		s.conn.log.Debug("command not sent", "method", command.Method, "error", err)
	}
}

// A Pending is a command under way, whose result is of type R.
type Pending[R any] struct {
	session *Session
	sent    *sent
	err     error
}

// Start sends a command and returns at once, so that several can be under way:
// they arrive in the order in which they were started.
func Start[P, R any](ctx context.Context, s *Session, command proto.Command[P, R], params P) Pending[R] {
	p, err := s.send(ctx, command.Method, params)
	return Pending[R]{session: s, sent: p, err: err}
}

// Wait gives the command's result. When ctx ends first the error is its cause,
// and the command is forgotten: the browser may still carry it out.
func (p Pending[R]) Wait(ctx context.Context) (R, error) {
	var zero R
	if p.err != nil {
		return zero, p.err
	}
	select {
	case <-p.sent.done: // also when ctx has ended
	default:
		select {
		case <-p.sent.done:
		case <-ctx.Done():
			p.session.forget(p.sent)
			return zero, context.Cause(ctx)
		}
	}
	if p.sent.err != nil {
		return zero, p.sent.err
	}
	var result R
	if err := jsonv2.Unmarshal(p.sent.result, &result, decodeOptions); err != nil {
		return zero, fmt.Errorf("decoding the result of %s: %w", p.sent.method, err)
	}
	return result, nil
}

func (s *Session) send(ctx context.Context, method string, params any) (*sent, error) {
	raw, err := jsonv2.Marshal(params, jsonv2.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", method, err)
	}
	p := &sent{id: s.conn.nextID(), method: method, done: make(chan struct{})}
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		return nil, s.err
	}
	s.pending[p.id] = p
	s.mu.Unlock()
	select {
	case s.conn.out <- &cdproto.Message{ID: p.id, SessionID: s.ID, Method: cdproto.MethodType(method), Params: raw}:
		return p, nil
	case <-s.conn.done:
		err = s.conn.Err()
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	s.forget(p)
	return nil, err
}

func (s *Session) forget(p *sent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, p.id)
}

// CancelCalls ends every call under way with the cause; the session lives on.
// A crashed page answers none of them.
func (s *Session) CancelCalls(cause error) {
	s.mu.Lock()
	calls := s.pending
	s.pending = map[int64]*sent{}
	s.mu.Unlock()
	for _, p := range calls {
		p.err = cause
		close(p.done)
	}
}

// close ends the session once what has arrived for it has been handled: a
// worker's last words, and the answers before its end.
func (s *Session) close(cause error) {
	s.mu.Lock()
	s.err = cause
	s.mu.Unlock()
	s.queue.close()
}

// run handles the session's messages until it is closed.
func (s *Session) run() {
	for {
		msg, dropped, ok := s.queue.pop()
		switch {
		case !ok:
			s.CancelCalls(s.err)
			for _, f := range s.onClose {
				f(s.err)
			}
			return
		case dropped != "":
			for _, f := range s.onDrop {
				f(dropped)
			}
		case msg.ID != 0:
			s.answer(msg)
		default:
			for _, handle := range s.handlers[string(msg.Method)] {
				handle(msg.Params)
			}
		}
	}
}

func (s *Session) answer(msg *cdproto.Message) {
	s.mu.Lock()
	p := s.pending[msg.ID]
	delete(s.pending, msg.ID)
	s.mu.Unlock()
	if p == nil {
		return // the caller has gone
	}
	p.result = msg.Result
	if msg.Error != nil {
		p.err = fmt.Errorf("%s: %w", p.method, msg.Error)
		s.conn.log.Debug("command refused", "method", p.method, "target", s.Target.Type, "error", msg.Error)
	}
	close(p.done)
}

// Refused reports whether err is the browser's own answer to a command, as
// opposed to a connection, a target or a context that ended.
func Refused(err error) bool {
	var refusal *cdproto.Error
	return errors.As(err, &refusal)
}

// Empty is the parameters of a command that has none.
type Empty = proto.Empty
