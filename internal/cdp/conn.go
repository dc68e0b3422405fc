// Package cdp owns the connection to a browser: one reader, one writer, and a
// flat session for every attached target. Only it and cdp/launch import
// chromedp (cdp/element has the table of keys in chromedp/kb); everybody above
// speaks cdproto's typed commands through [Call], [Start], [Post] and [On].
package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/chromedp/cdproto"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// ErrClosed is the cause of every call on a connection that has ended.
var ErrClosed = errors.New("the connection to the browser is closed")

// ErrDetached is the cause of every call on a session whose target has gone.
var ErrDetached = errors.New("the target is gone")

// A Transport carries protocol messages: the pipe of a process that we started,
// or a websocket.
type Transport = chromedp.Transport

// decodeOptions accept what pages produce: lone surrogates arrive as U+FFFD.
var decodeOptions = chromedp.DefaultUnmarshalOptions

// A Conn multiplexes the sessions of one browser over one transport. Its reader
// decodes envelopes only and never blocks: every session has its own queue and
// its own goroutine, so that a target which floods its events slows no other.
type Conn struct {
	tr    Transport
	log   *slog.Logger
	setup func(*Session)
	out   chan *cdproto.Message
	done  chan struct{}
	wg    sync.WaitGroup

	mu       sync.Mutex
	lastID   int64
	sessions map[target.SessionID]*Session
	root     *Session
	err      error // why the connection ended
}

// Open starts to read and write tr, and owns it from then on. setup runs once
// for every session, the browser's own first, on that session's goroutine and
// before any of its events: there it registers handlers and posts the commands
// that enable them. setup must not wait for an answer.
func Open(tr Transport, log *slog.Logger, setup func(*Session)) *Conn {
	c := &Conn{
		tr:       tr,
		log:      log,
		setup:    setup,
		out:      make(chan *cdproto.Message, 64),
		done:     make(chan struct{}),
		sessions: map[target.SessionID]*Session{},
	}
	c.root = newSession(c, nil, "", target.Info{Type: "browser"}, false)
	c.sessions[""] = c.root
	c.wg.Go(c.write)
	c.wg.Go(c.read)
	c.run(c.root)
	return c
}

// Browser is the session of the browser itself.
func (c *Conn) Browser() *Session { return c.root }

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err tells why the connection ended; nil before [Conn.Done].
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection, fails every call under way, and closes the
// transport. It returns when all goroutines of the connection are gone.
func (c *Conn) Close() {
	c.Fail(ErrClosed)
	if err := c.tr.Close(); err != nil {
		c.log.Debug("closing the transport", "error", err)
	}
	c.wg.Wait()
}

// Fail ends the connection; cause is what calls under way and later ones get.
// The transport stays open until [Conn.Close].
func (c *Conn) Fail(cause error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = cause
	sessions := slices.Collect(maps.Values(c.sessions))
	clear(c.sessions)
	close(c.done)
	c.mu.Unlock()
	for _, s := range sessions {
		s.close(cause)
	}
}

// read routes messages until the transport ends. What it does per message is
// bounded and takes no lock that is held over work.
func (c *Conn) read() {
	for {
		msg := new(cdproto.Message)
		if err := c.tr.Read(context.Background(), msg); err != nil {
			var syntax *jsonv2.SyntacticError
			if errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF) {
				c.log.Warn("unreadable protocol message", "error", err)
				continue
			}
			c.Fail(fmt.Errorf("%w: %w", ErrClosed, err))
			return
		}
		c.mu.Lock()
		s := c.sessions[msg.SessionID]
		c.mu.Unlock()
		if s == nil {
			continue // a message of a session that has just been detached
		}
		switch string(msg.Method) {
		case target.AttachedToTarget.Method:
			c.attached(s, msg.Params)
		case target.DetachedFromTarget.Method:
			c.detached(msg.Params)
		}
		s.queue.push(msg)
	}
}

// write is the only writer: a browser that does not read can stall it, but no
// caller, whose deadline goes on counting.
func (c *Conn) write() {
	for {
		select {
		case <-c.done:
			return
		case msg := <-c.out:
			if err := c.tr.Write(context.Background(), msg); err != nil {
				c.Fail(fmt.Errorf("%w: %w", ErrClosed, err))
				return
			}
		}
	}
}

func (c *Conn) run(s *Session) {
	c.wg.Go(func() {
		c.setup(s)
		close(s.ready)
		s.run()
	})
}

// AwaitSetups waits until every target that is attached by now has been set up.
func (c *Conn) AwaitSetups(ctx context.Context) error {
	c.mu.Lock()
	sessions := slices.Collect(maps.Values(c.sessions))
	c.mu.Unlock()
	for _, s := range sessions {
		select {
		case <-s.ready:
			continue // also when ctx has ended
		default:
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (c *Conn) nextID() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastID++
	return c.lastID
}

// attached registers the session before its first message can arrive. A target
// that is attached already keeps its first session: with two, every event of a
// worker would be reported twice.
func (c *Conn) attached(parent *Session, params jsonv2.Value) {
	var ev target.EventAttachedToTarget
	if err := jsonv2.Unmarshal(params, &ev, decodeOptions); err != nil {
		c.log.Warn("unreadable attach event", "error", err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	for _, s := range c.sessions {
		if s.Target.TargetID == ev.TargetInfo.TargetID && s.Target.Type != "browser" {
			go Post(parent, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: ev.SessionID})
			return
		}
	}
	s := newSession(c, parent, ev.SessionID, *ev.TargetInfo, ev.WaitingForDebugger)
	c.sessions[ev.SessionID] = s
	c.run(s)
}

func (c *Conn) detached(params jsonv2.Value) {
	var ev target.EventDetachedFromTarget
	if err := jsonv2.Unmarshal(params, &ev, decodeOptions); err != nil {
		c.log.Warn("unreadable detach event", "error", err)
		return
	}
	c.mu.Lock()
	gone := c.removeTree(ev.SessionID)
	c.mu.Unlock()
	for _, s := range gone {
		s.close(ErrDetached)
	}
}

// removeTree forgets a session and those attached through it; c.mu is held.
func (c *Conn) removeTree(id target.SessionID) []*Session {
	s := c.sessions[id]
	if s == nil {
		return nil
	}
	delete(c.sessions, id)
	gone := []*Session{s}
	for childID, child := range c.sessions {
		if child.Parent == s {
			gone = append(gone, c.removeTree(childID)...)
		}
	}
	return gone
}
