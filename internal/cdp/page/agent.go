package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// errMoved means that the document went away while the agent was at work.
var errMoved = errors.New("the document was replaced")

// agentContext gives the unique id of the agent's context in the main frame,
// and installs the agent where the browser did not (in error pages).
func (p *Page) agentContext(ctx context.Context) (string, error) {
	p.mu.Lock()
	world, frame := p.world, p.main
	p.mu.Unlock()
	if world != "" {
		return world, nil
	}
	made, err := cdp.Call(ctx, p.session, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID: frame, WorldName: agentWorld,
	})
	if err != nil {
		return "", err
	}
	_, err = cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{Expression: agentScript, ContextID: made.ExecutionContextID})
	if err != nil {
		return "", movedOr(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.world == "" {
		return "", errMoved
	}
	return p.world, nil
}

// ask calls a function of the agent in the main frame's document; the answer
// is errMoved when the document went away meanwhile.
func ask[R any](ctx context.Context, p *Page, function string, args ...any) (R, error) {
	var answer R
	world, err := p.agentContext(ctx)
	if err != nil {
		return answer, err
	}
	list, err := json.Marshal(append([]any{}, args...)) // [] and not null without any
	if err != nil {
		return answer, fmt.Errorf("encoding the arguments of %s: %w", function, err)
	}
	result, err := cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression:      fmt.Sprintf("agent.%s(...%s)", function, list),
		UniqueContextID: world,
		AwaitPromise:    new(true),
		ReturnByValue:   new(true),
	})
	if err != nil {
		return answer, movedOr(err)
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

// movedOr turns the browser's ways to say that a context is gone into errMoved.
func movedOr(err error) error {
	if cdp.Refused(err) {
		said := strings.ToLower(err.Error())
		for _, sign := range []string{"context", "navigated or closed", "promise was collected"} {
			if strings.Contains(said, sign) {
				return fmt.Errorf("%w: %w", errMoved, err)
			}
		}
	}
	return err
}

// A Match is the element that a selector found, and how many it could have been.
type Match struct {
	Element string // `<button#save> "Save"`
	Count   int
	Index   int // of the element, from 0
}

// found is the agent's answer about a selector.
type found struct {
	State   string // ready, refused, moving, missing, invalid
	Reason  string
	Element string
	Count   int
	Index   int
	Close   []string // like the selector, when it is missing
	Frames  int      // in the document
	X, Y    float64
	Width   float64
	Height  float64
	Set     bool // the value was set, for want of keys
	Kind    string
	Before  string
}

func (f found) match() Match { return Match{Element: f.Element, Count: f.Count, Index: f.Index} }

// maxSelector bounds a selector, in bytes: nested a thousand times it takes the
// renderer's stack.
const maxSelector = 4000

var lastCall atomic.Int64

// locate asks the agent about a selector until it is ready, also in the next
// document when the page moves on meanwhile.
func (p *Page) locate(ctx context.Context, function, selector string, options map[string]any) (found, error) {
	if len(selector) > maxSelector {
		return found{}, fault.New(fault.InvalidArgument, "the selector has %d bytes; the most is %d", len(selector), maxSelector)
	}
	for {
		call := lastCall.Add(1)
		options["timeout"], options["call"] = remaining(ctx).Milliseconds(), call
		f, err := ask[found](ctx, p, function, selector, options)
		switch {
		case errors.Is(err, errMoved) && ctx.Err() == nil:
			if err := p.await(ctx, func() bool { return p.world != "" || p.loadedTo(Load) }); err != nil {
				return f, err
			}
			continue
		case err != nil:
			if ctx.Err() != nil && p.Dialog() == nil {
				p.stop(call)
				p.freeLater()
			}
			if fault.Is(err, fault.Timeout) {
				err = fault.New(fault.Timeout, "%w looking for '%s': the page is busy and did not answer. If a script ran, it was ended; look at the console and try again.", err, selector)
			}
			return f, err
		}
		return f, f.fault(selector)
	}
}

// stop ends a call of the agent that nobody waits for any more.
func (p *Page) stop(call int64) {
	p.mu.Lock()
	world := p.world
	p.mu.Unlock()
	if world != "" {
		cdp.Post(p.session, runtime.Evaluate, runtime.EvaluateParams{
			Expression: fmt.Sprintf("agent.stop(%d)", call), UniqueContextID: world,
		})
	}
}

// fault is why the element cannot be used, nil when it is ready.
func (f found) fault(selector string) error {
	switch f.State {
	case "ready":
		return nil
	case "invalid":
		return fault.New(fault.InvalidArgument, "Selector '%s' is not valid CSS: %s", selector, f.Reason)
	case "missing":
		hint := ""
		if len(f.Close) > 0 {
			hint = "; near it: " + strings.Join(f.Close, ", ")
		}
		if f.Frames > 0 {
			hint += fmt.Sprintf("; the page has %d frame(s), whose elements a selector does not reach", f.Frames)
		}
		return fault.New(fault.SelectorNotFound, "Selector '%s' not found%s", selector, hint)
	default:
		return fault.New(fault.NotActionable, "%s cannot be used: %s. Selector '%s' matched %d element(s).", f.Element, f.Reason, selector, f.Count)
	}
}

// Clip shortens page text to n bytes at a rune boundary, and shows that it did.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
