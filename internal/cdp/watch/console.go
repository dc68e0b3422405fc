package watch

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	logdomain "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// Bounds of a console.
const (
	maxMessages     = 1000
	maxMessageBytes = 1 << 20  // of one message
	maxConsoleBytes = 16 << 20 // of all
)

// The levels of a message.
const (
	LevelError = "error"
	LevelWarn  = "warn"
	LevelInfo  = "info"
	LevelLog   = "log"
	LevelDebug = "debug"
)

const (
	consoleBinding = "__consoleText"
	consoleSource  = "browser-mcp:console" // hides the wrapper's own frame from stacks
)

//go:embed js/console.js
var consoleScript string

// A Message is one entry of a console, whole.
type Message struct {
	Time    time.Time
	Level   string
	Text    string
	Context string // page, frame, worker, shared worker, service worker
	Source  string // URL:line:column of the call; "" when unknown
	Preview bool   // part of an object's value could not be kept
}

func (m Message) bytes() int { return len(m.Text) + len(m.Source) }

// A Console holds the newest messages of every target that it watches.
type Console struct {
	mu       sync.Mutex
	messages ring[Message]
}

// NewConsole makes an empty console with the bounds above.
func NewConsole() *Console {
	return &Console{messages: ring[Message]{maxEntries: maxMessages, maxBytes: maxConsoleBytes, size: Message.bytes}}
}

// Recent gives a copy of the messages, newest first, and how many were dropped
// since the last clear.
func (c *Console) Recent() (newest []Message, dropped int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.messages.entries) - 1; i >= 0; i-- {
		newest = append(newest, c.messages.entries[i])
	}
	return newest, c.messages.dropped
}

// Clear discards the messages and gives their number.
func (c *Console) Clear() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.messages.clear()
}

// Mark is a point in the console's life for [Console.ErrorsSince].
func (c *Console) Mark() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.messages.added
}

// ErrorsSince gives the errors that came after the mark, oldest first.
func (c *Console) ErrorsSince(mark int) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []Message
	for _, m := range c.messages.since(mark) {
		if m.Level == LevelError {
			errs = append(errs, m)
		}
	}
	return errs
}

func (c *Console) add(m Message) {
	if len(m.Text) > maxMessageBytes {
		m.Text = strings.ToValidUTF8(m.Text[:maxMessageBytes], "") + "…"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages.add(m)
}

func (c *Console) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages.dropped++
}

// Watch listens to a session from its setup on. Pages and frames also get the
// wrapper that keeps logged objects whole.
func (c *Console) Watch(s *cdp.Session) {
	w := &consoleWatch{console: c, session: s, texts: map[runtime.ExecutionContextID]string{}, frames: map[runtime.ExecutionContextID]string{}}
	cdp.On(s, runtime.ExecutionContextCreated, w.contextCreated)
	cdp.On(s, runtime.ExecutionContextDestroyed, w.contextDestroyed)
	cdp.On(s, runtime.ExecutionContextsCleared, func(runtime.EventExecutionContextsCleared) { clear(w.texts); clear(w.frames) })
	cdp.On(s, runtime.BindingCalled, w.bindingCalled)
	cdp.On(s, runtime.ConsoleAPICalled, w.called)
	cdp.On(s, runtime.ExceptionThrown, w.thrown)
	cdp.On(s, logdomain.EntryAdded, w.logged)
	s.OnDrop(func(method string) {
		if method == runtime.ConsoleAPICalled.Method || method == runtime.ExceptionThrown.Method || method == logdomain.EntryAdded.Method {
			c.drop()
		}
	})
	if kind := s.Target.Type; kind == "page" || kind == "iframe" {
		cdp.Post(s, runtime.AddBinding, runtime.AddBindingParams{Name: consoleBinding})
		cdp.Post(s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source:         fmt.Sprintf("%s(%q, %d)\n//# sourceURL=%s", strings.TrimSpace(consoleScript), consoleBinding, maxMessageBytes, consoleSource),
			RunImmediately: new(true),
		})
	}
	cdp.Post(s, runtime.Enable, cdp.Empty{})
	cdp.Post(s, logdomain.Enable, cdp.Empty{})
}

// consoleWatch turns one session's events into messages. Its handlers run one
// after the other, so that it needs no lock of its own.
type consoleWatch struct {
	console *Console
	session *cdp.Session
	texts   map[runtime.ExecutionContextID]string // what the wrapper wrote just before the next call
	frames  map[runtime.ExecutionContextID]string // contexts of frames inside a page, with their unique ids
}

func (w *consoleWatch) contextCreated(ev runtime.EventExecutionContextCreated) {
	var aux struct{ FrameID string }
	if json.Unmarshal(ev.Context.AuxData, &aux) == nil && aux.FrameID != "" && aux.FrameID != string(w.session.Target.TargetID) {
		w.frames[ev.Context.ID] = ev.Context.UniqueID
	}
}

func (w *consoleWatch) contextDestroyed(ev runtime.EventExecutionContextDestroyed) {
	for id, unique := range w.frames {
		if unique == ev.ExecutionContextUniqueID {
			delete(w.frames, id)
			delete(w.texts, id)
		}
	}
}

func (w *consoleWatch) bindingCalled(ev runtime.EventBindingCalled) {
	if ev.Name == consoleBinding {
		w.texts[ev.ExecutionContextID] = ev.Payload
	}
}

func (w *consoleWatch) called(ev runtime.EventConsoleAPICalled) {
	kind := string(ev.Type)
	if kind == "endGroup" || kind == "clear" {
		return
	}
	var kept map[int]string
	if payload, ok := w.texts[ev.ExecutionContextID]; ok {
		delete(w.texts, ev.ExecutionContextID)
		if json.Unmarshal([]byte(payload), &kept) != nil {
			kept = nil
		}
	}
	values, preview := describe(ev.Args, kept)
	text := format(values)
	switch kind {
	case "assert":
		text = strings.TrimRight("Assertion failed: "+text, ": ")
	case "trace":
		text = strings.TrimRight("Trace: "+text, ": ") + stackText(ev.StackTrace)
	}
	w.console.add(Message{
		Time: timeOf(ev.Timestamp), Level: levelOf(kind), Text: text, Preview: preview,
		Context: w.context(ev.ExecutionContextID), Source: sourceOf(ev.StackTrace),
	})
}

func (w *consoleWatch) thrown(ev runtime.EventExceptionThrown) {
	d := ev.ExceptionDetails
	w.console.add(Message{
		Time: timeOf(ev.Timestamp), Level: LevelError, Text: ExceptionText(d),
		Context: w.context(d.ExecutionContextID), Source: position(d.URL, d.LineNumber, d.ColumnNumber),
	})
}

func (w *consoleWatch) logged(ev logdomain.EventEntryAdded) {
	entry := ev.Entry
	if entry.Source == "worker" {
		return // the worker's own session has reported it
	}
	text := entry.Text
	if entry.URL != "" && entry.Source == "network" {
		text += " " + entry.URL
	}
	level := string(entry.Level)
	if level == "verbose" {
		level = LevelDebug
	}
	source := sourceOf(entry.StackTrace)
	if source == "" && entry.Source != "network" && entry.URL != "" {
		source = position(entry.URL, entry.LineNumber, 0)
	}
	w.console.add(Message{Time: timeOf(entry.Timestamp), Level: levelOf(level), Text: text, Context: w.context(0), Source: source})
}

func (w *consoleWatch) context(id runtime.ExecutionContextID) string {
	if w.frames[id] != "" {
		return "frame"
	}
	return contextName(w.session.Target.Type)
}

// contextName is the word that answers use for a type of target.
func contextName(targetType string) string {
	if targetType == "iframe" {
		return "frame"
	}
	return strings.ReplaceAll(targetType, "_", " ")
}

func levelOf(kind string) string {
	switch kind {
	case "warning":
		return LevelWarn
	case LevelError, "assert":
		return LevelError
	case LevelInfo, LevelDebug:
		return kind
	default:
		return LevelLog
	}
}
