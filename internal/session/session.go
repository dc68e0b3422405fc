// Package session owns one conversation's browser: when it starts and ends,
// its tabs and the order of the calls that act on them, what its console and
// network said, and the folder for files. A Session outlives its browsers; the
// Manager holds the sessions of all clients.
package session

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/console"
	"github.com/browser-mcp/browser-mcp/internal/cdp/downloads"
	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/output"
)

// A Session is one client's conversation. Its browser starts with the first
// call that needs one.
type Session struct {
	Config    config.Config
	Console   *console.Console
	Requests  *network.Requests
	Downloads *downloads.List
	Output    *output.Folder

	id        string
	refs      *page.Refs
	log       *slog.Logger
	manager   *Manager
	emulation *emulation

	line line // of the calls that drive the browser; one, until a tool can name a tab

	mu       sync.Mutex
	browser  *browser
	starting *start        // nil unless a browser is being started
	dropping chan struct{} // closed when it is known why the last browser went; nil unless one goes
	lost     string        // what the next answer has to say about state that is gone
	calls    int           // under way
	idle     *time.Timer
	ended    bool
	drops    sync.WaitGroup // of browsers that are being ended
}

func newSession(m *Manager, id string) *Session {
	folder := output.New(m.cfg.Output)
	return &Session{
		Config:    m.cfg,
		Console:   console.New(),
		Requests:  network.NewRequests(),
		Downloads: downloads.New(folder, m.log),
		Output:    folder,
		id:        id,
		refs:      page.NewRefs(),
		log:       m.log.With("session", id),
		manager:   m,
		emulation: newEmulation(),
	}
}

// Turn takes a place in the line of the calls that drive the browser. It must be
// called in the order in which the calls arrived.
func (s *Session) Turn(holds bool) *Turn { return s.line.join(holds) }

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
	why := fmt.Sprintf("it was idle for %s", s.Config.Session.IdleTimeout)
	s.mu.Lock()
	b := s.browser
	if s.calls > 0 || b == nil { // the end of the call sets the timer anew
		s.mu.Unlock()
		return
	}
	s.take(b)
	s.mu.Unlock()
	s.bury(b, func() string { return why })
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
	if note != "" && s.Offline() {
		note += " It is offline, as browser_set_offline ordered."
	}
	return note
}

func (s *Session) noteLost(note string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = note
}
