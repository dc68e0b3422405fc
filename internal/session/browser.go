package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/console"
	"github.com/browser-mcp/browser-mcp/internal/cdp/launch"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/cdp/workers"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// startTimeout bounds a browser's start until its first tab is attached.
const startTimeout = 30 * time.Second

// A Tab is one tab of a session's browser.
type Tab = page.Page

// A browser is one process with its connection and its tabs.
type browser struct {
	session *Session
	process *launch.Process
	conn    *cdp.Conn
	workers *workers.Registry

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when a tab comes or goes
	tabs    []*Tab        // in the order of their opening
	active  *Tab          // the one that calls act on
	opening bool          // a tab, because the last one was closed
	opened  int           // ever
	cause   error         // why it was closed; nil while it runs
}

// openBrowser starts a process and returns when its first tab is attached. Its
// commands are on their way before the process is up.
func openBrowser(ctx context.Context, s *Session) (*browser, error) {
	cfg := s.Config.Browser
	process, err := launch.Start(launch.Options{
		Executable: cfg.Executable, Channel: cfg.Channel, Headless: cfg.Headless, Sandbox: cfg.Sandbox, Args: cfg.Args,
		Width: cfg.Viewport.Width, Height: cfg.Viewport.Height, Log: s.log,
	})
	if err != nil {
		return nil, err
	}
	b := &browser{session: s, process: process, workers: workers.New(), changed: make(chan struct{})}
	ready := make(chan struct{}) // otherwise setup could run before b.conn is set
	b.conn = cdp.Open(process.Transport(), s.log, func(t *cdp.Session) {
		<-ready
		b.setup(t)
	})
	close(ready)
	_, err = b.await(ctx)
	if err == nil {
		return b, nil
	}
	b.stop()
	if errors.Is(err, cdp.ErrClosed) {
		return nil, fault.New(fault.BrowserStartFailed, "the browser did not start: %w", process.Err())
	}
	return nil, fault.New(fault.BrowserStartFailed, "%s did not open a tab within %s; browser.executable in the configuration names another browser", process.Found().Path, startTimeout)
}

// setup prepares a target before any of its events is handled: what it says is
// watched, its own children are attached, and it runs on.
func (b *browser) setup(t *cdp.Session) {
	switch {
	case t.Parent == nil:
		b.setupBrowser(t)
		return
	case t.Target.Type == "browser":
		// Service workers are attached through a second session of the browser, so
		// that one stays attached when its page leaves.
		cdp.Post(t, target.SetAutoAttach, autoAttach(false, target.FilterEntry{Type: "service_worker"}))
		return
	case t.Target.Type == "page":
		b.addTab(t)
	case t.Target.Type == "iframe":
		if tab := b.tabOf(t); tab != nil {
			tab.AddPart(t)
		}
	}
	b.session.Console.Watch(t)
	b.session.Requests.Watch(t)
	b.session.emulation.watch(t)
	b.workers.Watch(t)
	if t.Target.Type == "service_worker" {
		b.keepRunning(t)
		return
	}
	cdp.Post(t, target.SetAutoAttach, autoAttach(true,
		target.FilterEntry{Type: "service_worker", Exclude: true}, target.FilterEntry{Type: "page", Exclude: true},
		target.FilterEntry{Type: "browser", Exclude: true}, target.FilterEntry{Type: "tab", Exclude: true},
		target.FilterEntry{}))
	switch {
	case t.Target.Type == "shared_worker":
		go func() {
			b.catchUp(context.Background(), t)
			cdp.Post(t, runtime.RunIfWaitingForDebugger, cdp.Empty{})
		}()
	case t.Waiting:
		cdp.Post(t, runtime.RunIfWaitingForDebugger, cdp.Empty{})
	}
}

// catchUp gives a new worker the orders in force once it can obey, and returns
// when they are on their way or it has gone. It is attached before it has a
// process, and until then the browser accepts orders about its network and does
// not carry them out; its first answer tells that it has one.
func (b *browser) catchUp(ctx context.Context, t *cdp.Session) {
	if _, err := cdp.Call(ctx, t, runtime.GetIsolateID, cdp.Empty{}); err == nil || cdp.Refused(err) || ctx.Err() != nil {
		b.session.emulation.renew(t)
	}
}

// restartTimeout bounds how long a worker that starts again is kept waiting for
// its orders.
const restartTimeout = 500 * time.Millisecond

// keepRunning lets a service worker go on, now and after each restart. A page
// that attaches to its workers with a pause pauses them too, whatever its filter
// and their own session say; otherwise they would wait for ever, and with them
// the page's fetches. For the protocol a worker that stops crashes: its session
// stays, and what was ordered meanwhile is lost.
func (b *browser) keepRunning(t *cdp.Session) {
	cdp.On(t, inspector.TargetCrashed, func(inspector.EventTargetCrashed) { b.session.emulation.stopped(t, true) })
	cdp.On(t, inspector.TargetReloadedAfterCrash, func(inspector.EventTargetReloadedAfterCrash) {
		b.session.emulation.stopped(t, false)
		go func() {
			console.Wrap(t)
			ctx, cancel := context.WithTimeout(context.Background(), restartTimeout)
			defer cancel()
			b.catchUp(ctx, t)
			cdp.Post(t, runtime.RunIfWaitingForDebugger, cdp.Empty{})
		}()
	})
	go b.catchUp(context.Background(), t)
	cdp.Post(t, runtime.RunIfWaitingForDebugger, cdp.Empty{})
}

func (b *browser) setupBrowser(t *cdp.Session) {
	b.session.Downloads.Watch(t)
	cdp.Post(t, target.SetAutoAttach, autoAttach(true, target.FilterEntry{Type: "page"}, target.FilterEntry{Type: "shared_worker"}))
	cdp.Post(t, target.AttachToBrowserTarget, cdp.Empty{})
}

func autoAttach(wait bool, filter ...target.FilterEntry) target.SetAutoAttachParams {
	params := target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: wait, Flatten: new(true)}
	for _, entry := range filter {
		params.Filter = append(params.Filter, entry)
	}
	return params
}

func (b *browser) addTab(t *cdp.Session) {
	cfg := b.session.Config.Browser
	tab := page.New(t, page.Options{
		Width: cfg.Viewport.Width, Height: cfg.Viewport.Height, Dialogs: cfg.Dialogs,
		Requests: b.session.Requests, Refs: b.session.refs, Log: b.session.log, Dialog: b.interrupt,
	})
	t.OnClose(func(err error) {
		if errors.Is(err, cdp.ErrDetached) { // the end of the connection closes no window
			b.removeTab(tab)
		}
	})
	b.update(func() {
		b.opened++
		b.tabs = append(b.tabs, tab)
		if b.active == nil {
			b.active = tab
		}
	})
}

// tabOf gives the tab that a target was attached through, nil when it has gone.
func (b *browser) tabOf(t *cdp.Session) *Tab {
	for ; t != nil; t = t.Parent {
		for _, tab := range b.list() {
			if tab.Session() == t {
				return tab
			}
		}
	}
	return nil
}

// interrupt ends the calls on every tab: one dialog stops all tabs that share
// its renderer, and no call says which they are.
func (b *browser) interrupt(cause error) {
	for _, tab := range b.list() {
		tab.Interrupt(cause)
	}
}

// list gives the tabs, the active one first, then the newest.
func (b *browser) list() []*Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	var tabs []*Tab
	if b.active != nil {
		tabs = append(tabs, b.active)
	}
	for _, tab := range slices.Backward(b.tabs) {
		if tab != b.active {
			tabs = append(tabs, tab)
		}
	}
	return tabs
}

// stopped gives the tab whose dialog is open, nil when there is none.
func (b *browser) stopped() *Tab {
	for _, tab := range b.list() {
		if tab.Dialog() != nil {
			return tab
		}
	}
	return nil
}

func (b *browser) removeTab(tab *Tab) {
	b.update(func() {
		b.tabs = slices.DeleteFunc(b.tabs, func(t *Tab) bool { return t == tab })
		if b.active == tab {
			b.active = nil
			if len(b.tabs) > 0 {
				b.active = b.tabs[len(b.tabs)-1]
			}
		}
	})
}

func (b *browser) update(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
	close(b.changed)
	b.changed = make(chan struct{})
}

// tab is the active tab, nil when there is none.
func (b *browser) tab() *Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.active
}

// await waits for an active tab.
func (b *browser) await(ctx context.Context) (*Tab, error) {
	return b.awaitTab(ctx, func() *Tab { return b.active })
}

// awaitTab waits until find gives a tab; b.mu is held while it looks.
func (b *browser) awaitTab(ctx context.Context, find func() *Tab) (*Tab, error) {
	for {
		b.mu.Lock()
		tab, changed := find(), b.changed
		b.mu.Unlock()
		if tab != nil {
			return tab, nil
		}
		select {
		case <-changed:
		case <-b.conn.Done():
			return nil, b.conn.Err()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// use gives the active tab; when the page has closed the last one, a new one,
// which the calls that come meanwhile share.
func (b *browser) use(ctx context.Context) (*Tab, error) {
	opens := false
	tab, err := b.awaitTab(ctx, func() *Tab {
		if b.active == nil && !b.opening {
			b.opening, opens = true, true
			cdp.Post(b.conn.Browser(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
		}
		return b.active
	})
	if opens {
		b.update(func() { b.opening = false })
	}
	return tab, err
}

// ordered is why the browser was closed; nil when nobody ordered it.
func (b *browser) ordered() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cause
}

// gone reports whether the connection has ended.
func (b *browser) gone() bool {
	select {
	case <-b.conn.Done():
		return true
	default:
		return false
	}
}

// abort ends the calls under way with the cause.
func (b *browser) abort(cause error) {
	b.mu.Lock()
	b.cause = cause
	b.mu.Unlock()
	b.conn.Fail(cause)
}

// stop ends the process, the connection and the profile, and returns when they
// are gone.
func (b *browser) stop() {
	b.process.Stop()
	b.conn.Close()
}

// obituary tells how the process ended.
func (b *browser) obituary() string {
	select {
	case <-b.process.Done():
	case <-time.After(time.Second): // only the pipe has closed
		return "it closed its connection"
	}
	if err := b.process.Err(); err != nil {
		return err.Error()
	}
	return "it exited"
}

func (b *browser) url() string {
	if tab := b.tab(); tab != nil {
		return tab.URL()
	}
	return ""
}
