package session

import (
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/tempdir"
)

// A Manager holds the sessions of all clients of a server.
type Manager struct {
	cfg config.Config
	log *slog.Logger

	sweep    sync.Once
	mu       sync.Mutex
	sessions map[string]*Session
	running  map[*Session]bool // sessions that have a browser, or are starting one
}

// NewManager makes a manager without sessions.
func NewManager(cfg config.Config, log *slog.Logger) *Manager {
	return &Manager{cfg: cfg, log: log, sessions: map[string]*Session{}, running: map[*Session]bool{}}
}

// Open gives the session of a client, a new one at its first call. It starts
// no browser.
func (m *Manager) Open(id string) *Session {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[id]
	if s == nil {
		s = newSession(m, id)
		m.sessions[id] = s
	}
	return s
}

// Close ends a client's session with its browser and its files.
func (m *Manager) Close(id string) {
	m.mu.Lock()
	s := m.sessions[id]
	delete(m.sessions, id)
	m.mu.Unlock()
	if s != nil {
		s.end()
	}
}

// CloseAll ends every session, side by side.
func (m *Manager) CloseAll() {
	m.mu.Lock()
	sessions := m.sessions
	m.sessions = map[string]*Session{}
	m.mu.Unlock()
	var wg sync.WaitGroup
	for _, s := range sessions {
		wg.Go(s.end)
	}
	wg.Wait()
}

// occupy takes one of the places for browsers. The first one also sweeps what
// servers that died have left behind, without holding anybody up.
func (m *Manager) occupy(s *Session) error {
	m.sweep.Do(func() { go tempdir.Sweep(m.log, m.cfg.Output.Dir) })
	m.mu.Lock()
	defer m.mu.Unlock()
	if limit := m.cfg.Session.Max; len(m.running) >= limit {
		var ids []string
		for open := range m.running {
			ids = append(ids, open.id)
		}
		slices.Sort(ids)
		return fault.New(fault.TooManySessions, "%d browsers are open, which is the limit (session.max): sessions %s. Call browser_close in one of them, or raise the limit.", limit, strings.Join(ids, ", "))
	}
	m.running[s] = true
	return nil
}

func (m *Manager) release(s *Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.running, s)
}
