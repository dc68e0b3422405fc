package cdp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/browser-mcp/browser-mcp/internal/cdp/launch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open connects to a browser of its own, and gives the session of its first page.
func open(t *testing.T, setup func(*Session)) (*Conn, *Session, *launch.Process) {
	t.Helper()
	process, err := launch.Start(launch.Options{Headless: true})
	require.NoError(t, err)
	pages := make(chan *Session, 10)
	c := Open(process.Transport(), slog.New(slog.DiscardHandler), func(s *Session) {
		if s.Target.Type == "page" {
			pages <- s
		}
		if setup != nil {
			setup(s)
		}
	})
	t.Cleanup(func() {
		process.Stop()
		c.Close()
	})
	Post(c.Browser(), target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, Flatten: new(true)})
	select {
	case p := <-pages:
		return c, p, process
	case <-time.After(30 * time.Second):
		require.Fail(t, "no page")
		return nil, nil, nil
	}
}

func TestCallsAndRefusals(t *testing.T) {
	c, p, _ := open(t, nil)
	version, err := Call(t.Context(), c.Browser(), browser.GetVersion, Empty{})
	require.NoError(t, err)
	require.NotEmpty(t, version.Product)
	_, err = Call(t.Context(), p, page.Navigate, page.NavigateParams{URL: ":"})
	require.True(t, Refused(err), "%v", err)
	require.ErrorContains(t, err, "Page.navigate")
	surrogate, err := Call(t.Context(), p, runtime.Evaluate, runtime.EvaluateParams{Expression: `"a\ud800b"`})
	require.NoError(t, err)
	require.Equal(t, `"a\ud800b"`, string(surrogate.Result.Value))
}

func TestCallEndsWithTheCause(t *testing.T) {
	_, p, _ := open(t, nil)
	why := errors.New("no more time")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, why)
	defer cancel()
	forever := runtime.EvaluateParams{Expression: "new Promise(() => {})", AwaitPromise: new(true)}
	_, err := Call(ctx, p, runtime.Evaluate, forever)
	require.ErrorIs(t, err, why)
	require.Empty(t, p.pending, "a call that was given up is forgotten")

	reply := Start(t.Context(), p, runtime.Evaluate, forever)
	p.CancelCalls(why)
	_, err = reply.Wait(t.Context())
	require.ErrorIs(t, err, why)
	_, err = Call(t.Context(), p, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	require.NoError(t, err, "the session lives on")
}

func TestDetachedAndClosed(t *testing.T) {
	c, p, process := open(t, nil)
	waiting := Start(t.Context(), p, runtime.Evaluate, runtime.EvaluateParams{Expression: "new Promise(() => {})", AwaitPromise: new(true)})
	_, err := Call(t.Context(), c.Browser(), target.CloseTarget, target.CloseTargetParams{TargetID: p.Target.TargetID})
	require.NoError(t, err)
	_, err = waiting.Wait(t.Context())
	require.ErrorIs(t, err, ErrDetached)
	_, err = Call(t.Context(), p, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
	require.ErrorIs(t, err, ErrDetached)

	process.Stop()
	select {
	case <-c.Done():
	case <-time.After(30 * time.Second):
		require.Fail(t, "the end of the browser went unnoticed")
	}
	require.ErrorIs(t, c.Err(), ErrClosed)
	_, err = Call(t.Context(), c.Browser(), browser.GetVersion, Empty{})
	require.ErrorIs(t, err, ErrClosed)
}

// TestEventsComeBeforeTheReply: when a call returns, what it caused has been handled.
func TestEventsComeBeforeTheReply(t *testing.T) {
	seen := 0
	_, p, _ := open(t, func(s *Session) {
		if s.Target.Type == "page" {
			On(s, runtime.ConsoleAPICalled, func(runtime.EventConsoleAPICalled) { seen++ })
			Post(s, runtime.Enable, Empty{})
		}
	})
	_, err := Call(t.Context(), p, runtime.Evaluate, runtime.EvaluateParams{Expression: "for (let i = 0; i < 3000; i++) console.log(i)"})
	require.NoError(t, err)
	require.Equal(t, 3000, seen)
}

// A failing transport ends the connection with its error.
type failing struct{ Transport }

func (failing) Close() error { return io.ErrClosedPipe }

func TestFailingCloseIsNoPanic(t *testing.T) {
	process, err := launch.Start(launch.Options{Headless: true})
	require.NoError(t, err)
	c := Open(failing{process.Transport()}, slog.New(slog.DiscardHandler), func(*Session) {})
	process.Stop()
	c.Close()
	require.ErrorIs(t, c.Err(), ErrClosed)
}
