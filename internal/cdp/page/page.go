// Package page drives one tab: its frames and documents, navigation, evaluation,
// dialogs and pictures. The part in js/ runs in the page's own world; what the
// page does (navigations, dialogs, crashes) is followed from events, and every
// call under way is ended when it can no longer be answered.
package page

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/agent"
	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Options are what every tab of a session starts with.
type Options struct {
	Width, Height int    // viewport, CSS pixels
	Dialogs       string // what happens to one that opens: ask, accept or dismiss
	Requests      *network.Requests
	Refs          *Refs
	Log           *slog.Logger
	Dialog        func(cause error) // told when a dialog opens and waits for an answer
}

// A Page is one tab.
type Page struct {
	session *cdp.Session
	opts    Options
	live    chan struct{} // closed once the renderer has answered

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever one of these changes
	main    proto.FrameID // of the main frame; a document that was rendered ahead brings its own
	doc     document
	commits int                            // documents that the main frame has shown
	moves   int                            // navigations within a document
	coming  *coming                        // the main frame's navigation under way, nil when there is none
	worlds  map[proto.FrameID]world        // the agent's contexts
	parts   map[proto.FrameID]*cdp.Session // of the frames that have one of their own
	// the page's own function for values, kept while its document is there
	valueWriter runtime.RemoteObjectID
	dialog      *Dialog
	chooser     *Chooser               // the file chooser that is open, nil without one
	drags       chan<- *input.DragData // gets what the page begins to drag; nil when nobody drags
	crashed     bool
	closed      bool
	guards      map[*context.CancelCauseFunc]struct{}
	size        [2]int
	freeing     <-chan struct{} // closed when a script that nobody waits for has been ended
}

// A document is what the main frame shows.
type document struct {
	loader   proto.LoaderID
	url      string
	reached  map[string]bool // lifecycle events: load, DOMContentLoaded, networkIdle, …
	restored bool            // from the back/forward cache, which repeats no lifecycle event
	title    *string         // at the end of loading; nil when the agent has not told it
}

type coming struct {
	loader proto.LoaderID
	url    string
}

// New takes over a page target in its session's setup: it registers what it
// follows and posts what enables it.
func New(s *cdp.Session, opts Options) *Page {
	p := &Page{
		session: s, opts: opts, live: make(chan struct{}),
		changed: make(chan struct{}),
		main:    proto.FrameID(s.Target.TargetID),
		doc:     document{url: s.Target.URL, reached: map[string]bool{}},
		worlds:  map[proto.FrameID]world{},
		parts:   map[proto.FrameID]*cdp.Session{},
		guards:  map[*context.CancelCauseFunc]struct{}{},
		size:    [2]int{opts.Width, opts.Height},
	}
	cdp.On(s, page.FrameStartedNavigating, p.frameStartedNavigating)
	cdp.On(s, page.FrameNavigated, p.frameNavigated)
	cdp.On(s, page.NavigatedWithinDocument, p.navigatedWithinDocument)
	cdp.On(s, page.LifecycleEvent, p.lifecycleEvent)
	cdp.On(s, page.FrameStoppedLoading, p.frameStoppedLoading)
	cdp.On(s, page.JavascriptDialogOpening, p.dialogOpening)
	cdp.On(s, page.JavascriptDialogClosed, func(page.EventJavascriptDialogClosed) { p.update(func() { p.dialog = nil }) })
	cdp.On(s, inspector.TargetCrashed, func(inspector.EventTargetCrashed) { p.crash() })
	cdp.On(s, runtime.ExecutionContextsCleared, func(runtime.EventExecutionContextsCleared) { p.update(func() { p.valueWriter = "" }) })
	cdp.OnRaw(s, runtime.BindingCalled, p.agentTold)
	cdp.On(s, input.DragIntercepted, p.dragIntercepted)
	p.followChoosers(s)
	s.OnClose(p.close)

	cdp.Post(s, page.Enable, page.EnableParams{})
	cdp.Post(s, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: true})
	cdp.Post(s, emulation.SetDeviceMetricsOverride, metrics(opts.Width, opts.Height))
	cdp.Post(s, runtime.AddBinding, runtime.AddBindingParams{Name: agent.Binding, ExecutionContextName: agent.World})
	installed := p.install(s)
	go p.enliven(installed)
	return p
}

// enliven marks the page as ready once its renderer has answered.
func (p *Page) enliven(installed cdp.Pending[page.AddScriptToEvaluateOnNewDocumentResult]) {
	defer close(p.live)
	if _, err := installed.Wait(context.Background()); err == nil {
		// Without it a tab in the background has no animation frames. Sent earlier,
		// with a navigation behind it, it crashes a renderer that is still starting.
		cdp.Post(p.session, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	}
}

// Ready waits until the tab's renderer follows what the page does. A navigation
// that starts earlier can overtake the orders to watch its document.
func (p *Page) Ready(ctx context.Context) error {
	select {
	case <-p.live:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.mu.Lock()
	freeing := p.freeing
	p.mu.Unlock()
	if freeing == nil {
		return nil
	}
	select {
	case <-freeing:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func metrics(width, height int) emulation.SetDeviceMetricsOverrideParams {
	return emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 0, Mobile: false}
}

// Session is the tab's own protocol session.
func (p *Page) Session() *cdp.Session { return p.session }

// Refs are the names of elements in the session's snapshots.
func (p *Page) Refs() *Refs { return p.opts.Refs }

// URL is the address of the document in the main frame.
func (p *Page) URL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doc.url
}

// Resize sets the viewport, in CSS pixels.
func (p *Page) Resize(ctx context.Context, width, height int) error {
	if _, err := cdp.Call(ctx, p.session, emulation.SetDeviceMetricsOverride, metrics(width, height)); err != nil {
		return err
	}
	p.update(func() { p.size = [2]int{width, height} })
	return nil
}

// update changes the page's state and wakes those who wait for it.
func (p *Page) update(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	close(p.changed)
	p.changed = make(chan struct{})
}

// await waits until the condition on the page's state holds; p.mu is held
// while it is asked. The error is the cause of ctx's end.
func (p *Page) await(ctx context.Context, condition func() bool) error {
	for {
		p.mu.Lock()
		ok, changed := condition(), p.changed
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Guard gives a context that also ends when the page can no longer answer: a
// dialog opens, the page crashes, or the tab goes. A page that is in such a
// state already is refused with the same error.
func (p *Page) Guard(ctx context.Context) (context.Context, context.CancelFunc, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return nil, nil, ErrTabClosed()
	case p.dialog != nil:
		return nil, nil, p.dialog.fault()
	}
	guarded, cancel := context.WithCancelCause(ctx)
	p.guards[&cancel] = struct{}{}
	return guarded, func() {
		p.mu.Lock()
		delete(p.guards, &cancel)
		p.mu.Unlock()
		cancel(context.Canceled)
	}, nil
}

// Interrupt ends every guarded call with the cause.
func (p *Page) Interrupt(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.interrupt(cause)
}

// interrupt is Interrupt with p.mu held.
func (p *Page) interrupt(cause error) {
	for cancel := range p.guards {
		(*cancel)(cause)
	}
}

func (p *Page) crash() {
	p.session.CancelCalls(errCrashed(p.URL()))
	p.update(func() {
		p.crashed, p.coming, p.dialog = true, nil, nil
		for frame := range p.worlds {
			p.leave(frame)
		}
		p.interrupt(errCrashed(p.doc.url))
	})
}

func (p *Page) close(err error) {
	if errors.Is(err, cdp.ErrDetached) {
		err = ErrTabClosed()
	}
	p.update(func() {
		p.closed = true
		p.interrupt(err)
	})
}

func errCrashed(url string) error {
	return fault.New(fault.PageCrashed, "the page crashed: %s is gone. The next call gets an empty tab; browser_navigate opens the page again.", clip.Text(url, 300))
}

// CutShort reports whether an error is what an action has brought about: it
// opened a dialog, or closed its tab.
func CutShort(err error) bool {
	return OpenedDialog(err) || fault.Is(err, fault.TabClosed) || errors.Is(err, cdp.ErrDetached) && !errors.Is(err, ErrMoved)
}

// ErrTabClosed is the fault of calls on a tab that has gone.
func ErrTabClosed() error {
	return fault.New(fault.TabClosed, "the tab was closed; the next call uses another tab")
}

// Recover gives a crashed tab an empty document so that it answers again, and
// the URL of what was lost; "" when the tab had not crashed.
func (p *Page) Recover(ctx context.Context) (lost string, err error) {
	p.mu.Lock()
	crashed, url := p.crashed, p.doc.url
	p.mu.Unlock()
	if !crashed {
		return "", nil
	}
	_, err = p.Navigate(ctx, "about:blank", Load) // its commit ends the crash
	return url, err
}

// Remaining is the time until ctx's deadline, for code in the page that waits
// by itself; it ends a little earlier so that its own answer still arrives.
func Remaining(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Minute
	}
	left := time.Until(deadline)
	return max(left-min(left/10, 50*time.Millisecond), 0)
}

// patience is how long after the deadline of a call the answer of code may come
// that ends by itself at the deadline: a busy machine is late.
const patience = 700 * time.Millisecond

// Patient gives a context that outlives ctx's deadline by a little, but nothing
// else that ends ctx.
func Patient(ctx context.Context) (context.Context, context.CancelFunc) {
	patient, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		cause := context.Cause(ctx)
		if !fault.Is(cause, fault.Timeout) {
			cancel(cause)
			return
		}
		timer := time.AfterFunc(patience, func() { cancel(cause) })
		context.AfterFunc(patient, func() { timer.Stop() })
	})
	return patient, func() {
		stop()
		cancel(context.Canceled)
	}
}
