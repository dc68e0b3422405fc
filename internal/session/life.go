package session

import (
	"context"
	"fmt"

	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A start is shared by the calls that wait for it.
type start struct {
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// current gives the running browser, and starts one when there is none.
func (s *Session) current(ctx context.Context) (*browser, error) {
	for {
		s.mu.Lock()
		if s.ended {
			s.mu.Unlock()
			return nil, errEnded()
		}
		if s.browser != nil {
			defer s.mu.Unlock()
			return s.browser, nil
		}
		wait := s.dropping // so that the answer can say why the last one went
		var starting *start
		if wait == nil {
			starting = s.startOnce()
			wait = starting.done
		}
		s.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, fault.New(fault.CodeOf(context.Cause(ctx)), "%w while the browser was starting; it goes on starting, so call again", context.Cause(ctx))
		}
		if starting != nil && starting.err != nil {
			return nil, starting.err
		}
	}
}

func errEnded() error { return fault.New(fault.BrowserLost, "the session has ended") }

// startOnce gives the start under way, or begins one; s.mu is held. It belongs
// to no single call: one that is cancelled leaves it to the next.
func (s *Session) startOnce() *start {
	if s.starting == nil {
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		s.starting = &start{cancel: cancel, done: make(chan struct{})}
		go s.start(ctx, s.starting)
	}
	return s.starting
}

func (s *Session) start(ctx context.Context, st *start) {
	defer st.cancel()
	b, err := s.open(ctx)
	s.mu.Lock()
	s.starting = nil
	if err == nil && s.ended {
		s.drops.Add(1)
	} else if err == nil {
		s.browser = b
		s.rest()
		go s.mourn(b)
	}
	ended := s.ended
	s.mu.Unlock()
	if err == nil && ended {
		err = errEnded()
		s.manager.release(s)
		b.stop()
		s.drops.Done()
	}
	st.err = err
	close(st.done)
}

func (s *Session) open(ctx context.Context) (*browser, error) {
	if err := s.manager.occupy(s); err != nil {
		return nil, err
	}
	b, err := openBrowser(ctx, s)
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

// drop takes b out of the session and ends it, unless somebody else does.
func (s *Session) drop(b *browser, reason func() string) bool {
	s.mu.Lock()
	mine := s.browser == b
	if mine {
		s.take(b)
	}
	s.mu.Unlock()
	if mine {
		s.bury(b, reason)
	}
	return mine
}

// take takes b out of the session; s.mu is held. bury must follow.
func (s *Session) take(b *browser) {
	s.browser = nil
	s.dropping = make(chan struct{})
	s.drops.Add(1)
	s.manager.release(s)
}

// bury ends a browser that was taken, with no lock held: otherwise one that dies
// slowly would block every call.
func (s *Session) bury(b *browser, reason func() string) {
	defer s.drops.Done()
	url, why := b.url(), reason()
	b.abort(fault.New(fault.BrowserLost, "the browser is gone: %s. The next call starts a fresh one.", why))
	s.mu.Lock()
	s.lost = lostNote(why, url)
	close(s.dropping)
	s.dropping = nil
	s.mu.Unlock()
	s.log.Info("browser closed", "reason", why)
	b.stop()
}

func lostNote(why, url string) string {
	note := fmt.Sprintf("Note: a fresh browser was started, because the one before is gone: %s. Its page, cookies and storage are lost", why)
	if url != "" && url != "about:blank" {
		note += fmt.Sprintf("; it showed %s", clip.Text(url, 300))
	}
	return note + "."
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
	if starting != nil {
		starting.cancel()
		<-starting.done
	}
	s.CloseBrowser("the session has ended")
	s.drops.Wait() // otherwise the process could end before a profile is removed
	s.Output.Close(s.log)
}
