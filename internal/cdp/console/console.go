// Package console keeps what the targets of a browser say: their messages and
// uncaught errors, with logged objects whole, the newest within bounds.
package console

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	logdomain "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/ring"
)

// Bounds of a console.
const (
	maxMessages     = 1000
	maxMessageBytes = 1 << 20  // of one message
	maxBytes        = 16 << 20 // of all
	maxURL          = 4 << 10  // bytes: data URLs are of any length
	maxFrames       = 1000     // whose contexts are told from their page's
)

// The levels of a message.
const (
	levelError = "error"
	levelWarn  = "warn"
	levelInfo  = "info"
	levelLog   = "log"
	levelDebug = "debug"
)

const (
	wrapperBinding = "__consoleText"
	wrapperSource  = "browser-mcp:console" // hides the wrapper's own frame from stacks
)

//go:embed js/console.js
var wrapperScript string

// A Message is one entry of a console, whole.
type Message struct {
	Time    time.Time
	Level   string
	Text    string
	Context string // page, frame, worker, shared worker, service worker
	Source  string // URL:line:column of the call; "" when unknown
	Preview bool   // part of an object's value could not be kept
}

// A Console holds the newest messages of every target that it watches. It keeps
// events as they came and reads them when somebody looks: a page that writes a
// hundred thousand lines costs next to nothing.
type Console struct {
	mu      sync.Mutex
	entries ring.Ring[*entry]
}

// New makes an empty console with the bounds above.
func New() *Console {
	return &Console{entries: ring.Ring[*entry]{MaxEntries: maxMessages, MaxBytes: maxBytes, Size: func(e *entry) int { return e.size }}}
}

// Recent gives the messages, newest first, and how many were dropped since the
// last clear.
func (c *Console) Recent() (newest []Message, dropped int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range slices.Backward(c.entries.Entries()) {
		newest = append(newest, e.message())
	}
	return newest, c.entries.Dropped
}

// Clear discards the messages and gives their number.
func (c *Console) Clear() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries.Clear()
}

// Mark is a point in the console's life for [Console.ErrorsSince].
func (c *Console) Mark() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries.Added()
}

// Errors gives all errors that are kept, oldest first.
func (c *Console) Errors() []Message {
	return c.ErrorsSince(0, func(*cdp.Session) bool { return true })
}

// ErrorsSince gives the errors that came after the mark, oldest first; those of
// the sessions that are told.
func (c *Console) ErrorsSince(mark int, told func(*cdp.Session) bool) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []Message
	for _, e := range c.entries.Since(mark) {
		if m := e.message(); m.Level == levelError && told(e.session) {
			errs = append(errs, m)
		}
	}
	return errs
}

func (c *Console) add(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Add(e)
}

func (c *Console) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries.Dropped++
}

// Watch listens to a session from its setup on, and puts the wrapper that keeps
// logged objects whole before its first script.
func (c *Console) Watch(s *cdp.Session) {
	w := &watch{console: c, session: s}
	cdp.On(s, runtime.ExecutionContextCreated, w.contextCreated)
	cdp.On(s, runtime.ExecutionContextsCleared, func(runtime.EventExecutionContextsCleared) { w.frames = nil })
	cdp.OnRaw(s, runtime.BindingCalled, func(raw jsonv2.Value) { w.kept = raw })
	cdp.OnRaw(s, runtime.ConsoleAPICalled, func(raw jsonv2.Value) { w.add(raw, (*entry).called) })
	cdp.OnRaw(s, runtime.ExceptionThrown, func(raw jsonv2.Value) { w.add(raw, (*entry).thrown) })
	cdp.OnRaw(s, logdomain.EntryAdded, w.logged)
	s.OnDrop(func(method string) {
		if method == runtime.ConsoleAPICalled.Method || method == runtime.ExceptionThrown.Method || method == logdomain.EntryAdded.Method {
			c.drop()
		}
	})
	cdp.Post(s, runtime.AddBinding, runtime.AddBindingParams{Name: wrapperBinding})
	cdp.Post(s, runtime.Enable, cdp.Empty{}) // before the wrapper: until then a stack is one frame, which would be the wrapper's
	cdp.Post(s, logdomain.Enable, cdp.Empty{})
	if kind := s.Target.Type; kind == "page" || kind == "iframe" {
		cdp.Post(s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: wrapper, RunImmediately: new(true)})
	} else {
		Wrap(s)
		w.questions = make(chan question, maxQuestions)
		go w.ask()
		s.OnClose(func(error) { close(w.questions) })
	}
}

// wrapper is the script that keeps logged objects whole.
var wrapper = fmt.Sprintf("%s(%q, %d)\n//# sourceURL=%s", strings.TrimSpace(wrapperScript), wrapperBinding, maxMessageBytes, wrapperSource)

// Wrap puts the wrapper into a worker that waits to run its script: one that
// starts, or starts again.
func Wrap(s *cdp.Session) { cdp.Post(s, runtime.Evaluate, runtime.EvaluateParams{Expression: wrapper}) }

// A watch collects one session's events. Its handlers run one after the
// other, so that it needs no lock of its own.
type watch struct {
	console *Console
	session *cdp.Session
	kept    jsonv2.Value                        // what the wrapper wrote just before the next call
	frames  map[runtime.ExecutionContextID]bool // contexts of frames inside a page; replaced, never changed

	questions chan question // about what a worker logged; nil for pages and frames
}

func (w *watch) contextCreated(ev runtime.EventExecutionContextCreated) {
	var aux struct{ FrameID string }
	if json.Unmarshal(ev.Context.AuxData, &aux) == nil && aux.FrameID != "" && aux.FrameID != string(w.session.Target.TargetID) {
		frames := map[runtime.ExecutionContextID]bool{ev.Context.ID: true}
		if len(w.frames) < maxFrames {
			maps.Copy(frames, w.frames)
		}
		w.frames = frames
	}
}

// logged adds a message of the browser, unless another one says the same: what
// a page repeats of its workers, whose own sessions report it, and the failure
// of a request of which a message before told the rule that forbids it.
func (w *watch) logged(raw jsonv2.Value) {
	if bytes.HasPrefix(raw, []byte(`{"entry":{"source":"worker"`)) {
		return
	}
	ev, err := cdp.Decode(logdomain.EntryAdded, raw)
	if err != nil || ev.Entry.Source == "worker" || ev.Entry.Source == "network" && ev.Entry.Category == "cors" {
		return
	}
	m := logged(ev.Entry, w.session.Kind())
	w.console.add(&entry{session: w.session, done: &m, size: len(m.Text)})
}

func (w *watch) add(raw jsonv2.Value, read func(*entry) Message) {
	if bytes.HasPrefix(raw, []byte(`{"type":"endGroup"`)) || bytes.HasPrefix(raw, []byte(`{"type":"clear"`)) {
		return // they say nothing to a reader
	}
	e := &entry{raw: raw, kept: w.kept, session: w.session, frames: w.frames, read: read, size: len(raw) + len(w.kept)}
	asks := w.asks(raw)
	w.kept = nil
	if e.size > 2*maxMessageBytes {
		e.size = len(e.message().Text) // the rest is let go at once
	}
	w.console.add(e)
	if asks {
		select {
		case w.questions <- question{e, raw}:
		default: // its preview has to do
		}
	}
}
