// Package tool is what a tool is: a record, made from a struct of arguments and a
// plain function over a session. It reads the arguments, strictly, writes their
// schema and their documents, and keeps every answer within its bounds. It knows
// no tool, and nothing of the protocol that carries the calls.
package tool

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

// A Toolset groups tools that a client is offered together.
type Toolset string

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

// A Standing says how a tool's calls stand in line with the others of a session.
type Standing int

// The standings.
const (
	Passes  Standing = iota // it takes no turn and waits for nobody
	Follows                 // it waits for the calls before it, and holds up nobody
	Holds                   // it waits for the calls before it, and holds up those behind it
)

// A Tool is one tool as data, with the function that carries out a call.
type Tool struct {
	Name     string
	Title    string
	Set      Toolset // as the list that it is in says
	Effect   Effect
	Doc      string
	Fields   []Field         // its arguments
	Schema   json.RawMessage // JSON schema of its arguments, an object
	Standing Standing        // among the calls that drive the browser

	call func(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) Reply
}

// Call decodes the arguments, strictly, and carries out the call. What the
// caller can mend is a Reply with a Fault.
func (t Tool) Call(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) Reply {
	reply := t.call(ctx, s, arguments)
	reply.lost = s.TakeLost()
	return reply
}

// New makes a tool that needs no tab: it reads what the session holds, or
// changes the session itself.
func New[A any](name string, effect Effect, doc string, f func(context.Context, *session.Session, A) (Reply, error)) Tool {
	t := newTool[A](name, effect, doc)
	t.call = func(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) Reply {
		args, err := decode[A](t, arguments)
		if err != nil {
			return failure(err)
		}
		ctx, cancel := session.WithLimit(ctx, boundOf(args, s.Config.Timeouts))
		defer cancel()
		reply, err := f(ctx, s, args)
		return reply.with(err)
	}
	return t
}

// OnPage makes a tool that drives the current tab. It waits for its turn,
// starts the browser when there is none, and is refused while a dialog is open.
// The answer of a tool that changes something ends with what changed.
func OnPage[A any](name string, effect Effect, doc string, f func(context.Context, *session.Session, *session.Tab, A) (Reply, error)) Tool {
	t := newTool[A](name, effect, doc)
	t.Standing = Holds
	if effect == Looks {
		t.Standing = Follows
	}
	t.call = func(ctx context.Context, s *session.Session, arguments map[string]json.RawMessage) (reply Reply) {
		args, err := decode[A](t, arguments)
		if err != nil {
			return failure(err)
		}
		err = s.Drive(ctx, boundOf(args, s.Config.Timeouts), func(ctx context.Context, tab *session.Tab) error {
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

// Holding makes a tool hold up those behind it although it only looks, or drives
// no tab.
func (t Tool) Holding() Tool {
	t.Standing = Holds
	return t
}

func newTool[A any](name string, effect Effect, doc string) Tool {
	fields := fieldsOf(reflect.TypeFor[A](), nil)
	return Tool{Name: name, Title: titleOf(name), Effect: effect, Doc: doc, Fields: fields, Schema: schemaOf(fields)}
}

// titleOf makes «Take screenshot» of browser_take_screenshot.
func titleOf(name string) string {
	words := strings.ReplaceAll(strings.TrimPrefix(name, "browser_"), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// A Timeout is an argument that bounds a call: "15s", "500ms", or a number of
// milliseconds. Zero stands for the configured time.
type Timeout time.Duration

// bounded is implemented by arguments that bound their call.
type bounded interface {
	Bound(config.Timeouts) time.Duration
}

// The kinds of bounds; arguments embed the one that fits.
type (
	ActionTimeout struct {
		Timeout Timeout `json:"timeout,omitempty"`
	}
	BriefTimeout struct { // of calls that hardly ever need another
		Timeout Timeout `json:"timeout,omitempty" listed:"no"`
	}
	NavigationTimeout struct {
		Timeout Timeout `json:"timeout,omitempty"`
	}
	WaitTimeout struct {
		Timeout Timeout `json:"timeout,omitempty" doc:"default 30s"`
	}
)

// Bound is the time that a call has: the configured one unless it was given.
func (t ActionTimeout) Bound(d config.Timeouts) time.Duration     { return t.Timeout.or(d.Default) }
func (t BriefTimeout) Bound(d config.Timeouts) time.Duration      { return t.Timeout.or(d.Default) }
func (t NavigationTimeout) Bound(d config.Timeouts) time.Duration { return t.Timeout.or(d.Navigation) }
func (t WaitTimeout) Bound(d config.Timeouts) time.Duration       { return t.Timeout.or(d.Wait) }

func (t Timeout) or(d config.Duration) time.Duration {
	if t > 0 {
		return time.Duration(t)
	}
	return time.Duration(d)
}

func boundOf(args any, defaults config.Timeouts) time.Duration {
	if b, ok := args.(bounded); ok {
		return b.Bound(defaults)
	}
	return time.Duration(defaults.Default)
}
