// Package tools is the list of tools: each is a record and a plain function
// over a session. One list, [All], yields what clients are offered, its
// documentation and its checks. The package knows nothing of the protocol that
// carries the calls.
package tools

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

// A Toolset groups tools that a client is offered together.
type Toolset string

// The toolsets.
const (
	Core      Toolset = "core"
	Forms     Toolset = "forms"
	Content   Toolset = "content"
	Tabs      Toolset = "tabs"
	PWA       Toolset = "pwa"
	Recording Toolset = "recording"
)

// An Effect says what a tool may do, in the protocol's four hints.
type Effect struct {
	ReadOnly    bool `json:"readOnlyHint"`    // changes nothing
	Destructive bool `json:"destructiveHint"` // may change or delete what it did not make
	Idempotent  bool `json:"idempotentHint"`  // a second call with the same arguments changes nothing more
	OpenWorld   bool `json:"openWorldHint"`   // reaches what lies outside of this server
}

// The effects that tools have.
var (
	Reads  = Effect{ReadOnly: true, Idempotent: true}                  // what the server or the disk holds
	Looks  = Effect{ReadOnly: true, Idempotent: true, OpenWorld: true} // at the page
	Sets   = Effect{Idempotent: true}                                  // something of the session itself
	Visits = Effect{OpenWorld: true}                                   // opens pages
	Acts   = Effect{Destructive: true, OpenWorld: true}                // on the page
)

// A Turn says how a call stands in line with the others of its session.
type Turn int

// The turns.
const (
	NoTurn  Turn = iota // it passes all others
	Follows             // it waits for the calls before it, and holds up nobody
	Holds               // it waits for the calls before it, and holds up those behind it
)

// A Tool is one tool as data, with the function that carries out a call.
type Tool struct {
	Name   string
	Title  string
	Set    Toolset
	Effect Effect
	Doc    string
	Schema json.RawMessage // JSON schema of its arguments, an object
	Turn   Turn            // its place among the calls that drive the browser

	fields []field
	call   func(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) Reply
}

// Call decodes the arguments, strictly, and carries out the call. What the
// caller can mend is a Reply with a Fault.
func (t Tool) Call(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) Reply {
	reply := t.call(ctx, s, arguments)
	reply.lost = s.TakeLost()
	return reply
}

// define makes a tool that needs no tab: it reads what the session holds, or
// changes the session itself.
func define[A any](name string, set Toolset, effect Effect, doc string, f func(context.Context, *session.Session, A) (Reply, error)) Tool {
	t := newTool[A](name, set, effect, doc)
	t.call = func(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) Reply {
		args, err := decode[A](t, arguments)
		if err != nil {
			return failure(err)
		}
		ctx, cancel := session.WithLimit(ctx, limitOf(args, s.Config.Timeouts))
		defer cancel()
		reply, err := f(ctx, s, args)
		return reply.with(err)
	}
	return t
}

// definePage makes a tool that drives the current tab. It waits for its turn,
// starts the browser when there is none, and is refused while a dialog is open.
// The answer of a tool that changes something ends with what changed.
func definePage[A any](name string, set Toolset, effect Effect, doc string, f func(context.Context, *session.Session, *session.Tab, A) (Reply, error)) Tool {
	t := newTool[A](name, set, effect, doc)
	t.Turn = Holds
	if effect == Looks {
		t.Turn = Follows
	}
	t.call = func(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) (reply Reply) {
		args, err := decode[A](t, arguments)
		if err != nil {
			return failure(err)
		}
		err = s.Drive(ctx, limitOf(args, s.Config.Timeouts), func(ctx context.Context, tab *session.Tab) error {
			before := s.Before(tab)
			var err error
			reply, err = f(ctx, s, tab, args)
			if !effect.ReadOnly {
				reply.changes = before.Changes(ctx, reply.told)
			}
			return err
		})
		return reply.with(err)
	}
	return t
}

// holding makes a tool hold up those behind it although it only looks, or drives
// no tab.
func (t Tool) holding() Tool {
	t.Turn = Holds
	return t
}

func newTool[A any](name string, set Toolset, effect Effect, doc string) Tool {
	fields := fieldsOf[A]()
	return Tool{Name: name, Title: titleOf(name), Set: set, Effect: effect, Doc: doc, fields: fields, Schema: schemaOf(fields)}
}

// titleOf makes «Take screenshot» of browser_take_screenshot.
func titleOf(name string) string {
	words := strings.ReplaceAll(strings.TrimPrefix(name, "browser_"), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// A Timeout is an argument that bounds a call: "15s", "500ms", or a number of
// milliseconds. Zero stands for the configured time.
type Timeout time.Duration

// limited is implemented by arguments that bound their call.
type limited interface {
	limit(config.Timeouts) time.Duration
}

// The kinds of bounds; arguments embed the one that fits.
type (
	actionTimeout struct {
		Timeout Timeout `json:"timeout,omitempty"`
	}
	briefTimeout struct { // of calls that hardly ever need another
		Timeout Timeout `json:"timeout,omitempty" listed:"no"`
	}
	navigationTimeout struct {
		Timeout Timeout `json:"timeout,omitempty"`
	}
	waitTimeout struct {
		Timeout Timeout `json:"timeout,omitempty" doc:"default 30s"`
	}
)

func (t actionTimeout) limit(d config.Timeouts) time.Duration     { return t.Timeout.or(d.Default) }
func (t briefTimeout) limit(d config.Timeouts) time.Duration      { return t.Timeout.or(d.Default) }
func (t navigationTimeout) limit(d config.Timeouts) time.Duration { return t.Timeout.or(d.Navigation) }
func (t waitTimeout) limit(d config.Timeouts) time.Duration       { return t.Timeout.or(d.Wait) }

func (t Timeout) or(d config.Duration) time.Duration {
	if t > 0 {
		return time.Duration(t)
	}
	return time.Duration(d)
}

func limitOf(args any, defaults config.Timeouts) time.Duration {
	if l, ok := args.(limited); ok {
		return l.limit(defaults)
	}
	return time.Duration(defaults.Default)
}
