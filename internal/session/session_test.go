package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLineKeepsOrder(t *testing.T) {
	var l line
	ctx := t.Context()
	first, look, second := l.join(true), l.join(false), l.join(true)
	var mu sync.Mutex
	var order []string
	note := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, name)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if second.wait(ctx) == nil {
			note("second")
		}
		second.Done()
	})
	wg.Go(func() {
		if look.wait(ctx) == nil {
			<-second.over // it holds up nobody behind it
			note("look")
		}
		look.Done()
	})
	require.NoError(t, first.wait(ctx))
	note("first")
	first.Done()
	wg.Wait()
	require.Equal(t, []string{"first", "second", "look"}, order)
}

func TestTurnThatGivesUpIsNotOvertaken(t *testing.T) {
	var l line
	first, second, third := l.join(true), l.join(true), l.join(true)
	gone, cancel := context.WithCancelCause(t.Context())
	why := errors.New("cancelled")
	cancel(why)
	require.ErrorIs(t, second.wait(gone), why)
	second.Done()
	select {
	case <-third.before:
		require.Fail(t, "the third runs beside the first")
	default:
	}
	first.Done()
	require.NoError(t, third.wait(t.Context()))
	third.Done()
}

// open starts a session with a browser that ends with the test.
func open(t *testing.T) *Session {
	t.Helper()
	m := NewManager(config.Default(), slog.New(slog.DiscardHandler))
	t.Cleanup(m.CloseAll)
	return m.Open("test")
}

func TestServiceWorkerThatRestartsHoldsUpNobody(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sw.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());
				onfetch = (e) => { if (e.request.url.endsWith('/made')) e.respondWith(new Response('by the worker')) }; console.log('worker starts', {with: {a: {whole: ['value']}}})`)
			return
		}
		fmt.Fprint(w, "<title>App</title>")
	}))
	defer site.Close()
	defer site.CloseClientConnections()
	s := open(t)
	err := s.Drive(t.Context(), 30*time.Second, func(ctx context.Context, tab *Tab) error {
		_, err := tab.Navigate(ctx, site.URL, page.Load)
		require.NoError(t, err)
		_, err = tab.Eval(ctx, `navigator.serviceWorker.register('/sw.js'); await new Promise((r) => { navigator.serviceWorker.oncontrollerchange = r }); 1`, nil, true)
		require.NoError(t, err)
		_, err = cdp.Call(ctx, tab.Session(), serviceworker.Enable, cdp.Empty{})
		require.NoError(t, err)
		for range 3 {
			s.Console.Clear()
			_, err = cdp.Call(ctx, tab.Session(), serviceworker.StopAllWorkers, cdp.Empty{})
			require.NoError(t, err)
			made, err := tab.Eval(ctx, `(await fetch('/made')).text()`, nil, true)
			require.NoError(t, err)
			require.Equal(t, `"by the worker"`, made.Text)
			require.Eventually(t, func() bool { // it runs in a process of its own, whose messages may come later
				said, _ := s.Console.Recent()
				return len(said) == 1 && said[0].Text == `worker starts {with: {a: {whole: ["value"]}}}` && said[0].Context == "service worker"
			}, 10*time.Second, 10*time.Millisecond)
			_, err = cdp.Call(ctx, tab.Session(), serviceworker.StopAllWorkers, cdp.Empty{})
			require.NoError(t, err)
			_, err = tab.Travel(ctx, "reload")
			require.NoError(t, err)
		}
		return nil
	})
	require.NoError(t, err)
}

func TestStartIsSharedAndEndsWithTheSession(t *testing.T) {
	s := open(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			err := s.Drive(t.Context(), 20*time.Second, func(ctx context.Context, tab *Tab) error {
				_, err := tab.Eval(ctx, "1", nil, true)
				return err
			})
			require.NoError(t, err)
		})
	}
	wg.Wait()
	s.manager.Close("test")
	err := s.Drive(t.Context(), time.Second, func(context.Context, *Tab) error { return nil })
	require.Equal(t, fault.BrowserLost, fault.CodeOf(err))
}

func TestSessionEndsWhileItsBrowserStarts(t *testing.T) {
	m := NewManager(config.Default(), slog.New(slog.DiscardHandler))
	s := m.Open("test")
	done := make(chan error, 1)
	go func() {
		done <- s.Drive(t.Context(), time.Second, func(context.Context, *Tab) error { return nil })
	}()
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.starting != nil || s.browser != nil
	}, 10*time.Second, time.Millisecond)
	m.CloseAll()
	<-done
	s.mu.Lock()
	defer s.mu.Unlock()
	require.Nil(t, s.browser)
	require.Empty(t, m.running)
}
