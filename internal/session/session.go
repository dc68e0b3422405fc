// Package session owns one conversation's browser: when it starts and ends,
// its tabs and the order of the calls that act on them, what its console and
// network said, and the folder for files. A Session outlives its browsers; the
// Manager holds the sessions of all clients.
package session

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/watch"
	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Session is one client's conversation. Its browser starts with the first
// call that needs one.
type Session struct {
	Config    config.Config
	Console   *watch.Console
	Requests  *watch.Requests
	Downloads *Downloads
	Output    *Output

	id      string
	log     *slog.Logger
	manager *Manager

	mu       sync.Mutex
	browser  *browser
	starting *start         // nil unless a browser is being started
	line     *line          // of the calls that arrive while no browser runs
	lost     string         // what the next answer has to say about state that is gone
	calls    int            // under way
	drops    sync.WaitGroup // of browsers that are being ended
	idle     *time.Timer
	ended    bool
}

// A start is shared by the calls that wait for it.
type start struct {
	done chan struct{}
	err  error
}

func newSession(m *Manager, id string) *Session {
	output := newOutput(m.cfg.Output)
	return &Session{
		Config:    m.cfg,
		Console:   watch.NewConsole(),
		Requests:  watch.NewRequests(),
		Downloads: newDownloads(output),
		Output:    output,
		id:        id,
		log:       m.log.With("session", id),
		manager:   m,
		line:      &line{},
	}
}

// Turn takes a place in the line of the current tab. It must be called in the
// order in which the calls arrived.
func (s *Session) Turn(acts bool) *Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser != nil {
		if tab := s.browser.tab(); tab != nil {
			return tab.line.join(acts)
		}
	}
	return s.line.join(acts)
}

// Begin marks a call as under way, which keeps the browser from idling out;
// the function that it gives ends the call and starts the idle time anew.
func (s *Session) Begin() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls--
		s.rest()
	}
}

// rest sets the idle timer; s.mu is held.
func (s *Session) rest() {
	after := time.Duration(s.Config.Session.IdleTimeout)
	if after <= 0 || s.browser == nil {
		return
	}
	if s.idle == nil {
		s.idle = time.AfterFunc(after, s.idled)
		return
	}
	s.idle.Reset(after)
}

func (s *Session) idled() {
	s.mu.Lock()
	busy := s.calls > 0
	s.mu.Unlock()
	if !busy { // else the end of the call sets the timer anew
		s.CloseBrowser(fmt.Sprintf("it was idle for %s", time.Duration(s.Config.Session.IdleTimeout)))
	}
}

// current gives the running browser, and starts one when there is none.
func (s *Session) current(ctx context.Context) (*browser, error) {
	s.mu.Lock()
	switch {
	case s.ended:
		s.mu.Unlock()
		return nil, fault.New(fault.BrowserLost, "the session has ended")
	case s.browser != nil:
		b := s.browser
		s.mu.Unlock()
		return b, nil
	}
	starting := s.starting
	if starting == nil {
		starting = &start{done: make(chan struct{})}
		s.starting = starting
		go s.start(starting)
	}
	s.mu.Unlock()
	select {
	case <-starting.done:
		if starting.err != nil {
			return nil, starting.err
		}
		return s.current(ctx)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// start brings a browser up. It belongs to no single call: one that is
// cancelled leaves it to the next.
func (s *Session) start(st *start) {
	b, err := s.open()
	s.mu.Lock()
	s.starting = nil
	ended := s.ended
	if err == nil && !ended {
		s.browser = b
		s.rest()
	}
	s.mu.Unlock()
	switch {
	case err == nil && ended:
		b.stop()
		s.manager.release(s)
		st.err = fault.New(fault.BrowserLost, "the session has ended")
	case err != nil:
		st.err = err
	default:
		go s.mourn(b)
	}
	close(st.done)
}

func (s *Session) open() (*browser, error) {
	if err := s.manager.occupy(s); err != nil {
		return nil, err
	}
	b, err := openBrowser(s)
	if err != nil {
		s.manager.release(s)
		return nil, err
	}
	s.log.Info("browser started", "executable", b.process.Found().Path, "pid", b.process.PID())
	return b, nil
}

// mourn waits for the browser's end and, if nobody ordered it, notes the loss.
func (s *Session) mourn(b *browser) {
	<-b.conn.Done()
	s.drop(b, func() string { return "the browser ended unexpectedly: " + b.obituary() })
}

// CloseBrowser ends the browser and everything that belongs to it, and returns
// when it is gone. Calls under way end with the reason. It reports whether a
// browser was running.
func (s *Session) CloseBrowser(reason string) bool {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	return b != nil && s.drop(b, func() string { return reason })
}

// drop takes b out of the session first and ends it afterwards, with no lock
// held: otherwise a browser that dies slowly would block every call.
func (s *Session) drop(b *browser, reason func() string) bool {
	s.mu.Lock()
	mine := s.browser == b
	if mine {
		s.browser = nil
		s.line = b.inherit()
		s.drops.Add(1)
		defer s.drops.Done()
	}
	s.mu.Unlock()
	if mine {
		url := b.url()
		why := reason()
		b.abort(fault.New(fault.BrowserLost, "the browser is gone: %s. The next call starts a fresh one.", why))
		s.mu.Lock()
		s.lost = lostNote(why, url)
		s.mu.Unlock()
		s.log.Info("browser closed", "reason", why)
	}
	b.stop()
	if mine {
		s.manager.release(s)
	}
	return mine
}

func lostNote(why, url string) string {
	note := fmt.Sprintf("Note: a fresh browser was started, because the one before is gone: %s. Its page, cookies and storage are lost", why)
	if url != "" && url != "about:blank" {
		note += fmt.Sprintf("; it showed %s", url)
	}
	return note + "."
}

// TakeLost gives, once, what the next answer has to say about lost state.
func (s *Session) TakeLost() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil {
		return "" // said when the fresh browser is there
	}
	note := s.lost
	s.lost = ""
	return note
}

// end closes the session for good.
func (s *Session) end() {
	s.mu.Lock()
	s.ended = true
	starting := s.starting
	if s.idle != nil {
		s.idle.Stop()
	}
	s.mu.Unlock()
	s.CloseBrowser("the session has ended")
	if starting != nil {
		<-starting.done
		s.CloseBrowser("the session has ended")
	}
	s.drops.Wait() // otherwise the process could end before a profile is removed
	s.Output.close(s.log)
}
