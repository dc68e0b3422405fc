package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/agent"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Frame is a place for documents in the tab: the main frame, or one that an
// element of another frame's document shows.
type Frame struct {
	page   *Page
	id     proto.FrameID // "" for the main frame, whatever it is
	parent *Frame        // nil for the main frame
	owner  int64         // the agent's number of the element that shows it, in the parent's document
}

// A world is the agent's context in a frame's document.
type world struct {
	session *cdp.Session
	id      string // unique id of the context
	whole   bool   // all of the agent has been sent there, not only what is early
}

// ErrMoved means that the document went away while the agent was at work.
var ErrMoved = errors.New("the document was replaced")

// Main is the tab's main frame.
func (p *Page) Main() *Frame { return &Frame{page: p} }

// Nested reports whether an element of another document shows the frame.
func (f *Frame) Nested() bool { return f.parent != nil }

// Apart reports whether the frame's document runs in another process than the
// tab's: what is done to the one overtakes what is done to the other.
func (f *Frame) Apart() bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.session() != f.page.session
}

// AcrossDocuments does what finds or reads, and does it again in the next document
// when the one that it was at went away.
func (p *Page) AcrossDocuments(ctx context.Context, work func() error) error {
	for {
		err := work()
		if !errors.Is(err, ErrMoved) || ctx.Err() != nil {
			return err
		}
		if err := p.await(ctx, func() bool { return p.worlds[p.main].id != "" || p.loadedTo(Load) }); err != nil {
			return err
		}
	}
}

// AddPart takes over, in its setup, the session of a frame that runs in another
// process than its parent's.
func (p *Page) AddPart(s *cdp.Session) {
	id := proto.FrameID(s.Target.TargetID)
	p.update(func() { p.parts[id] = s })
	s.OnClose(func(error) {
		p.update(func() {
			if p.parts[id] == s {
				delete(p.parts, id)
			}
			p.forget(s)
		})
	})
	cdp.On(s, inspector.TargetCrashed, func(inspector.EventTargetCrashed) {
		s.CancelCalls(fmt.Errorf("%w: its process crashed", ErrMoved))
		p.update(func() { p.forget(s) })
	})
	cdp.On(s, page.JavascriptDialogOpening, p.dialogOpening)
	cdp.On(s, page.JavascriptDialogClosed, func(page.EventJavascriptDialogClosed) { p.update(func() { p.dialog = nil }) })
	p.followChoosers(s)
	cdp.Post(s, page.Enable, page.EnableParams{})
	p.install(s)
}

// install brings the agent into every document of a session, and follows where
// it lives.
func (p *Page) install(s *cdp.Session) cdp.Pending[page.AddScriptToEvaluateOnNewDocumentResult] {
	cdp.On(s, runtime.ExecutionContextCreated, func(ev runtime.EventExecutionContextCreated) {
		var aux struct{ FrameID proto.FrameID }
		if ev.Context.Name == agent.World && json.Unmarshal(ev.Context.AuxData, &aux) == nil {
			p.update(func() {
				p.leave(aux.FrameID)
				p.worlds[aux.FrameID] = world{session: s, id: ev.Context.UniqueID}
			})
		}
	})
	cdp.On(s, runtime.ExecutionContextDestroyed, func(ev runtime.EventExecutionContextDestroyed) {
		p.update(func() {
			for frame, w := range p.worlds {
				if w.id == ev.ExecutionContextUniqueID {
					p.leave(frame)
				}
			}
		})
	})
	cdp.On(s, runtime.ExecutionContextsCleared, func(runtime.EventExecutionContextsCleared) { p.update(func() { p.forget(s) }) })
	return cdp.Start(context.Background(), s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: agent.Early, WorldName: agent.World, RunImmediately: new(true),
	})
}

// forget drops the contexts of a session; p.mu is held.
func (p *Page) forget(s *cdp.Session) {
	for frame, w := range p.worlds {
		if w.session == s {
			p.leave(frame)
		}
	}
}

// leave drops a frame's context, and with it the refs of its elements; p.mu is held.
func (p *Page) leave(frame proto.FrameID) {
	if w, ok := p.worlds[frame]; ok {
		delete(p.worlds, frame)
		p.opts.Refs.end(w.id)
	}
}

// frameID is the frame's id now; p.mu is held.
func (f *Frame) frameID() proto.FrameID {
	if f.id == "" {
		return f.page.main
	}
	return f.id
}

// session is where the frame's document lives; p.mu is held.
func (f *Frame) session() *cdp.Session {
	id := f.frameID()
	if w, ok := f.page.worlds[id]; ok {
		return w.session
	}
	if part := f.page.parts[id]; part != nil {
		return part
	}
	if f.parent != nil {
		return f.parent.session()
	}
	return f.page.session
}

// Document names the document that the frame shows now, "" when it is not known.
func (f *Frame) Document() string {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.page.worlds[f.frameID()].id
}

// world gives the agent's context in the frame, and makes one where the browser
// did not (in error pages). What is asked of it next finds all of the agent there.
func (f *Frame) world(ctx context.Context) (world, error) {
	p := f.page
	p.mu.Lock()
	w, ok := p.worlds[f.frameID()]
	id, session := f.frameID(), f.session()
	p.mu.Unlock()
	if !ok {
		made, err := cdp.Call(ctx, session, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: id, WorldName: agent.World})
		if err != nil {
			return w, f.movedOr(session, err)
		}
		cdp.Post(session, runtime.Evaluate, runtime.EvaluateParams{Expression: agent.Early, ContextID: made.ExecutionContextID})
	}
	p.mu.Lock()
	w, ok = p.worlds[id]
	p.mu.Unlock()
	switch {
	case !ok:
		return w, ErrMoved
	case w.whole:
		return w, nil
	}
	cdp.Post(w.session, runtime.Evaluate, runtime.EvaluateParams{Expression: agent.Script, UniqueContextID: w.id})
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.worlds[id]; now.id == w.id {
		now.whole = true
		p.worlds[id] = now
	}
	return w, nil
}

// Ask calls a function of the agent in the frame's document; the error is
// ErrMoved when the document went away meanwhile.
func Ask[R any](ctx context.Context, f *Frame, function string, args ...any) (R, error) {
	answer, _, err := AskIn[R](ctx, f, function, args...)
	return answer, err
}

// AskIn is Ask that also names the document which answered, for the refs of
// elements in the answer.
func AskIn[R any](ctx context.Context, f *Frame, function string, args ...any) (answer R, document string, err error) {
	w, err := f.world(ctx)
	if err != nil {
		return answer, "", err
	}
	answer, err = ask[R](ctx, f, w, function, args)
	return answer, w.id, err
}

func ask[R any](ctx context.Context, f *Frame, w world, function string, args []any) (answer R, err error) {
	list, err := json.Marshal(append([]any{}, args...)) // [] and not null without any
	if err != nil {
		return answer, fmt.Errorf("encoding the arguments of %s: %w", function, err)
	}
	result, err := cdp.Call(ctx, w.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression:      fmt.Sprintf("agent.%s(...%s)", function, list),
		UniqueContextID: w.id,
		AwaitPromise:    new(true),
		ReturnByValue:   new(true),
	})
	if err != nil {
		return answer, f.movedOr(w.session, err)
	}
	if result.ExceptionDetails != nil {
		return answer, fmt.Errorf("agent.%s: %s", function, thrown(result.ExceptionDetails))
	}
	if len(result.Result.Value) == 0 {
		return answer, nil
	}
	if err := json.Unmarshal(result.Result.Value, &answer); err != nil {
		return answer, fmt.Errorf("decoding the answer of agent.%s: %w", function, err)
	}
	return answer, nil
}

// FrameTimeout bounds one look into a frame, so that one that hangs leaves time
// to the others.
const FrameTimeout = 2 * time.Second

var errBusyFrame = fault.New(fault.Timeout, "no answer within %s", FrameTimeout)

// Look is [AskIn] for what reads a document, which takes long when the document is
// large. When the time is over before, what runs there is ended and the document
// answers again; the error says so. A frame that is not the main one gets a part
// of the time only.
func Look[R any](ctx context.Context, f *Frame, function string, args ...any) (answer R, document string, err error) {
	if f.Nested() {
		brief, cancel := context.WithTimeoutCause(ctx, FrameTimeout, errBusyFrame)
		defer cancel()
		ctx = brief
	}
	answer, document, err = AskIn[R](ctx, f, function, args...)
	if err == nil || ctx.Err() == nil {
		return answer, document, err
	}
	if f.page.Dialog() == nil {
		f.freeLater()
	}
	if fault.Is(err, fault.Timeout) {
		err = fault.New(fault.Timeout, "%w: the page is busy, or too large to be read in that time. If a script ran, it was ended; read a part of the page or give a longer timeout.", err)
	}
	return answer, document, err
}

// Tell sends the agent a call without waiting for it.
func (f *Frame) Tell(call string) {
	f.page.mu.Lock()
	w, ok := f.page.worlds[f.frameID()]
	f.page.mu.Unlock()
	if ok {
		cdp.Post(w.session, runtime.Evaluate, runtime.EvaluateParams{Expression: "agent." + call, UniqueContextID: w.id})
	}
}

// movedOr turns the browser's ways to say that a document is gone into ErrMoved.
func (f *Frame) movedOr(session *cdp.Session, err error) error {
	if errors.Is(err, cdp.ErrDetached) && session != f.page.session || moved(err) {
		return fmt.Errorf("%w: %w", ErrMoved, err)
	}
	return err
}

// moved reports whether the browser refused a command because its document is gone.
func moved(err error) bool {
	if !cdp.Refused(err) {
		return false
	}
	said := strings.ToLower(err.Error())
	for _, sign := range []string{"context", "navigated or closed", "promise was collected", "no frame for given id", "with given id"} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return false
}

// An Object is the page's own handle of an element: the agent's lives in another
// world.
type Object struct {
	Session *cdp.Session
	ID      runtime.RemoteObjectID
	Node    proto.BackendNodeID
}

// describe gives the node behind the agent's number of an element.
func (f *Frame) describe(ctx context.Context, number int64) (*cdp.Session, *proto.Node, error) {
	w, err := f.world(ctx)
	if err != nil {
		return nil, nil, err
	}
	found, err := cdp.Call(ctx, w.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: fmt.Sprintf("agent.element(%d)", number), UniqueContextID: w.id, ObjectGroup: evalObjects,
	})
	switch {
	case err != nil:
		return nil, nil, f.movedOr(w.session, err)
	case found.Result.ObjectID == "":
		return nil, nil, ErrMoved
	}
	defer cdp.Post(w.session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: found.Result.ObjectID})
	node, err := cdp.Call(ctx, w.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: found.Result.ObjectID})
	return w.session, node.Node, f.movedOr(w.session, err)
}

// Child gives the frame that an element of this frame's document shows, nil when
// it shows none.
func (f *Frame) Child(ctx context.Context, owner int64) (*Frame, error) {
	_, node, err := f.describe(ctx, owner)
	if err != nil || node.FrameID == "" {
		return nil, err
	}
	return &Frame{page: f.page, id: node.FrameID, parent: f, owner: owner}, nil
}

// Own gives the page's own object for the agent's number of an element.
func (f *Frame) Own(ctx context.Context, number int64) (Object, error) {
	session, node, err := f.describe(ctx, number)
	if err != nil {
		return Object{}, err
	}
	own, err := cdp.Call(ctx, session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.BackendNodeID, ObjectGroup: evalObjects})
	if err != nil {
		return Object{}, f.movedOr(session, err)
	}
	return Object{session, own.Object.ObjectID, node.BackendNodeID}, nil
}

// A Point is one of a viewport, in CSS pixels.
type Point struct {
	X, Y             float64
	ScrollX, ScrollY float64 // of its document
	Reason           string  // why the point cannot be seen; "" when it can
}

// Through gives the point of the tab's viewport at which a point of the frame's
// viewport is shown, and why it is not seen there, if so. What can be scrolled
// into view is, for the next try.
func (f *Frame) Through(ctx context.Context, x, y float64) (Point, error) {
	return f.out(ctx, "through", Point{X: x, Y: y})
}

// Outside is Through without a look whether the point is seen.
func (f *Frame) Outside(ctx context.Context, x, y float64) (Point, error) {
	return f.out(ctx, "outside", Point{X: x, Y: y})
}

func (f *Frame) out(ctx context.Context, function string, at Point) (Point, error) {
	for inner := f; inner.parent != nil; inner = inner.parent {
		next, err := Ask[Point](ctx, inner.parent, function, inner.owner, at.X, at.Y)
		if err != nil || next.Reason != "" {
			return next, err
		}
		at = next
	}
	return at, nil
}

// Hidden tells why nothing of the frame is seen in the tab, "" when something may be.
func (f *Frame) Hidden(ctx context.Context) (string, error) {
	for inner := f; inner.parent != nil; inner = inner.parent {
		if reason, err := Ask[string](ctx, inner.parent, "frameHidden", inner.owner); err != nil || reason != "" {
			return reason, err
		}
	}
	return "", nil
}
