package console

import (
	"cmp"
	"encoding/json"
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	logdomain "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// An entry is one event of a console: raw until somebody looks at it.
type entry struct {
	session *cdp.Session // that said it
	raw     jsonv2.Value
	kept    jsonv2.Value   // the wrapper's own event, for a call with objects
	asked   map[int]string // in its stead, what a worker answered
	frames  map[runtime.ExecutionContextID]bool
	read    func(*entry) Message
	size    int // of raw and kept

	done *Message
}

// message reads the event, once.
func (e *entry) message() Message {
	if e.done == nil {
		m := e.read(e)
		m.Text = clip.Text(m.Text, maxMessageBytes)
		e.done, e.raw, e.kept = &m, nil, nil
	}
	return *e.done
}

func (e *entry) called() Message {
	ev, err := cdp.Decode(runtime.ConsoleAPICalled, e.raw)
	if err != nil {
		return unreadable(err)
	}
	kind := string(ev.Type)
	values, preview := describe(ev.Args, e.texts(ev.ExecutionContextID))
	text := format(values)
	switch kind {
	case "assert":
		if text == "console.assert" { // what stands for no message
			text = ""
		}
		text = strings.TrimRight("Assertion failed: "+text, ": ")
	case "trace":
		text = strings.TrimRight("Trace: "+text, ": ") + stackText(ev.StackTrace)
	}
	return Message{
		Time: timeOf(ev.Timestamp), Level: levelOf(kind), Text: text, Preview: preview,
		Context: e.context(ev.ExecutionContextID), Source: sourceOf(ev.StackTrace),
	}
}

// texts are the arguments that were written down for this very call.
func (e *entry) texts(id runtime.ExecutionContextID) (texts map[int]string) {
	if len(e.kept) == 0 {
		return e.asked
	}
	ev, err := cdp.Decode(runtime.BindingCalled, e.kept)
	if err != nil || ev.Name != wrapperBinding || ev.ExecutionContextID != id || json.Unmarshal([]byte(ev.Payload), &texts) != nil {
		return nil
	}
	return texts
}

func (e *entry) thrown() Message {
	ev, err := cdp.Decode(runtime.ExceptionThrown, e.raw)
	if err != nil {
		return unreadable(err)
	}
	d := ev.ExceptionDetails
	text, whole := exceptionText(d)
	return Message{
		Time: timeOf(ev.Timestamp), Level: levelError, Text: text, Preview: !whole,
		Context: e.context(d.ExecutionContextID), Source: cmp.Or(position(d.URL, d.LineNumber, d.ColumnNumber), sourceOf(d.StackTrace)),
	}
}

// logged is a message of the browser itself about a target.
func logged(said *logdomain.Entry, kind string) Message {
	text, url := said.Text, clip.Text(said.URL, maxURL)
	if url != "" && said.Source == "network" {
		text += " " + url
	}
	level := string(said.Level)
	if level == "verbose" {
		level = levelDebug
	}
	source := sourceOf(said.StackTrace)
	switch {
	case source != "" || said.Source == "network":
	case said.LineNumber == 0: // unknown
		source = url
	default:
		source = position(url, said.LineNumber, 0)
	}
	return Message{Time: timeOf(said.Timestamp), Level: levelOf(level), Text: text, Context: kind, Source: source}
}

func unreadable(err error) Message {
	return Message{Level: levelLog, Text: "a message that could not be read: " + err.Error()}
}

func (e *entry) context(id runtime.ExecutionContextID) string {
	if e.frames[id] {
		return "frame"
	}
	return e.session.Kind()
}

func levelOf(kind string) string {
	switch kind {
	case "warning":
		return levelWarn
	case levelError, "assert":
		return levelError
	case levelInfo, levelDebug:
		return kind
	default:
		return levelLog
	}
}
