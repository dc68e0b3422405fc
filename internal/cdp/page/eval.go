package page

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

//go:embed js/serialize.js
var serializeScript string

// maxResultText bounds the text of a result, in the page, before it travels.
const maxResultText = 8 << 20

const evalObjects = "browser-mcp-eval"

// A Result is the value of an expression as JSON text; what JSON cannot hold
// is written out (undefined, NaN, 10n, "[Circular]", DOM nodes as HTML).
type Result struct {
	Text string
	Cut  bool // Text ends before the value does
}

// Eval evaluates an expression in the page's own world, as a console does:
// await works at the top, and const may be declared again. An exception is a
// fault with its class, message and line. With an element the expression runs in
// that one's document, with the element as `this`. When ctx ends first, the script is
// ended too and the page answers again.
func (p *Page) Eval(ctx context.Context, expression string, on *Object, await bool) (Result, error) {
	result, err := p.eval(ctx, expression, on, await)
	if ctx.Err() != nil && !OpenedDialog(err) {
		p.FreeLater()
	}
	switch {
	case OpenedDialog(err):
		return result, fault.New(fault.DialogOpen, "%w The expression goes on after that; its value is lost.", err)
	case fault.Is(err, fault.Timeout) && ctx.Err() != nil:
		return result, fault.New(fault.Timeout, "%w waiting for the expression. If a script ran, it was ended; the page answers again.", err)
	case moved(err):
		return result, fault.New(fault.ScriptFailed, "the page navigated while the expression ran, so its value is lost; look at the page and evaluate again")
	}
	return result, err
}

func (p *Page) eval(ctx context.Context, expression string, on *Object, await bool) (Result, error) {
	if on != nil {
		return p.evalOn(ctx, expression, *on, await)
	}
	source, err := p.parenthesize(ctx, expression)
	if err != nil {
		return Result{}, err
	}
	value, err := cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression:   source,
		ReplMode:     new(true),
		AwaitPromise: &await,
		UserGesture:  new(true),
		ObjectGroup:  evalObjects,
	})
	if err := outcome(err, value.ExceptionDetails); err != nil {
		return Result{}, err
	}
	return p.serialize(ctx, p.session, value.Result, expression, "", await)
}

// evalOn evaluates with `this` being the element; a function that is the whole
// expression is called with it.
func (p *Page) evalOn(ctx context.Context, expression string, on Object, await bool) (Result, error) {
	keyword := "function"
	if await {
		keyword = "async function"
	}
	body := keyword + "(element) { return (" + strings.TrimRight(expression, "; \n\t") + "\n); }"
	if compiles, err := p.compiles(ctx, "("+body+")"); err != nil {
		return Result{}, err
	} else if !compiles {
		body = keyword + "(element) { " + expression + "\n}" // statements, with a return of their own
	}
	value, err := cdp.Call(ctx, on.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: body,
		ObjectID:            on.ID,
		Arguments:           []*runtime.CallArgument{{ObjectID: on.ID}},
		AwaitPromise:        &await,
		UserGesture:         new(true),
		ObjectGroup:         evalObjects,
	})
	if err := outcome(err, value.ExceptionDetails); err != nil {
		return Result{}, err
	}
	return p.serialize(ctx, on.Session, value.Result, expression, on.ID, await)
}

// parenthesize makes an object literal of `{a: 1}` if that compiles.
func (p *Page) parenthesize(ctx context.Context, expression string) (string, error) {
	trimmed := strings.TrimRight(strings.TrimSpace(expression), "; \n\t")
	if !strings.HasPrefix(trimmed, "{") || !strings.HasSuffix(trimmed, "}") {
		return expression, nil
	}
	wrapped := "(" + trimmed + ")"
	compiles, err := p.compiles(ctx, wrapped)
	if err != nil || !compiles {
		return expression, err
	}
	return wrapped, nil
}

// compiles reports whether the source is a script, without running it.
func (p *Page) compiles(ctx context.Context, source string) (bool, error) {
	compiled, err := cdp.Call(ctx, p.session, runtime.CompileScript, runtime.CompileScriptParams{Expression: source})
	if err != nil && !cdp.Refused(err) {
		return false, err
	}
	return err == nil && compiled.ExceptionDetails == nil, nil
}

// serialize turns the value into text, in the page where it lives.
func (p *Page) serialize(ctx context.Context, session *cdp.Session, value *runtime.RemoteObject, expression string, element runtime.RemoteObjectID, await bool) (Result, error) {
	if value.ObjectID == "" {
		return Result{Text: primitiveText(value)}, nil
	}
	onElement := &runtime.CallArgument{ObjectID: element}
	if element == "" {
		onElement = &runtime.CallArgument{UnserializableValue: "NaN"}
	}
	defer cdp.Post(session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: evalObjects})
	var serializer runtime.RemoteObjectID
	var err error
	if element != "" {
		serializer, err = p.serializerOf(ctx, session, value.ObjectID)
	} else {
		serializer, err = p.serializer(ctx)
	}
	if err != nil {
		return Result{}, err
	}
	reply, err := cdp.Call(ctx, session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(serialize, ...rest) { return serialize.apply(this, rest); }",
		ObjectID:            value.ObjectID,
		Arguments: []*runtime.CallArgument{
			{ObjectID: serializer}, argument(expression), onElement, argument(element != ""), argument(await), argument(maxResultText),
		},
		AwaitPromise:  new(true),
		ReturnByValue: new(true),
		UserGesture:   new(true),
		ObjectGroup:   evalObjects,
	})
	if err := outcome(err, reply.ExceptionDetails); err != nil {
		return Result{}, err
	}
	var answer struct {
		Text     string
		Cut      bool
		Function string
	}
	if err := json.Unmarshal(reply.Result.Value, &answer); err != nil {
		return Result{}, fmt.Errorf("decoding a result: %w", err)
	}
	if answer.Function != "" {
		return Result{}, fault.New(fault.ScriptFailed, "the expression's value is a function (%s) and was not called; call it in the expression, as in (…)()", answer.Function)
	}
	return Result{Text: answer.Text, Cut: answer.Cut}, nil
}

// serializer gives the function of js/serialize.js in the page's own world. It
// is compiled once per document: sent with each call it would double the time.
func (p *Page) serializer(ctx context.Context) (runtime.RemoteObjectID, error) {
	p.mu.Lock()
	id := p.valueWriter
	p.mu.Unlock()
	if id != "" {
		return id, nil
	}
	from := p.position()
	made, err := cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{Expression: serializeScript})
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.commits == from.commits {
		p.valueWriter = made.Result.ObjectID
	}
	return made.Result.ObjectID, nil
}

// serializerOf gives the same function in the world of an object, which may be
// another frame's.
func (p *Page) serializerOf(ctx context.Context, session *cdp.Session, object runtime.RemoteObjectID) (runtime.RemoteObjectID, error) {
	made, err := cdp.Call(ctx, session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function() { return (" + serializeScript + ") }", ObjectID: object, ObjectGroup: evalObjects,
	})
	if err := outcome(err, made.ExceptionDetails); err != nil {
		return "", err
	}
	return made.Result.ObjectID, nil
}

func argument(v any) *runtime.CallArgument {
	raw, _ := json.Marshal(v) // strings, numbers and booleans only
	return &runtime.CallArgument{Value: raw}
}

func primitiveText(o *runtime.RemoteObject) string {
	switch {
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case o.Type == "string":
		return plainJSON(o.Value)
	case len(o.Value) > 0:
		return string(o.Value)
	case o.Type == "undefined":
		return "undefined"
	default:
		return o.Description
	}
}

// plainJSON writes a JSON string anew: the browser escapes every letter beyond
// ASCII, which costs a reader six times as much.
func plainJSON(raw []byte) string {
	var text string
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if json.Unmarshal(raw, &text) != nil || encoder.Encode(text) != nil {
		return string(raw)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Bounds of the look whether a page is busy with a script.
const (
	busyAfter   = 250 * time.Millisecond
	freeTimeout = 2 * time.Second
)

// FreeLater frees the page after the answer has been given; the next call waits
// for it in [Page.Ready].
func (p *Page) FreeLater() { p.Main().freeLater() }

// freeLater is FreeLater for the process that the frame's document is in.
func (f *Frame) freeLater() {
	p, done := f.page, make(chan struct{})
	p.mu.Lock()
	session, before := f.session(), p.freeing
	p.freeing = done
	p.mu.Unlock()
	go func() {
		defer close(done)
		p.freeScript(context.Background(), session)
		if before != nil {
			<-before
		}
	}()
}

// freeScript ends a script that runs in the page without end: after its caller
// has gone, and before the page is left, because a navigation within a site
// never gets past it. Without a running script the order would hit the next one,
// so the page is asked first whether it is busy.
func (p *Page) freeScript(ctx context.Context, session *cdp.Session) {
	p.mu.Lock()
	crashed := p.crashed
	p.mu.Unlock()
	if crashed {
		return // nothing runs there, and nothing answers
	}
	ctx, cancel := context.WithTimeout(ctx, freeTimeout)
	defer cancel()
	probe := cdp.Start(ctx, session, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"})
	quick, cancelQuick := context.WithTimeout(ctx, busyAfter)
	defer cancelQuick()
	if _, err := probe.Wait(quick); errors.Is(err, context.DeadlineExceeded) && p.Dialog() == nil {
		_, _ = cdp.Call(ctx, session, runtime.TerminateExecution, cdp.Empty{})
		// A page that was only slow has no script to end by now: this takes the order to itself.
		_, _ = cdp.Call(ctx, session, runtime.Evaluate, runtime.EvaluateParams{Expression: "0"})
	}
}

var (
	illegalTop = regexp.MustCompile(`Illegal return statement`)
	ownFrame   = regexp.MustCompile(`<anonymous>:(\d+):\d+`)
)

// outcome is the error of an evaluation: the connection's, or what was thrown.
func outcome(err error, thrown *runtime.ExceptionDetails) error {
	if err == nil && thrown != nil {
		return exceptionFault(thrown)
	}
	return err
}

// exceptionFault is `ReferenceError: foo is not defined at line 1`.
func exceptionFault(d *runtime.ExceptionDetails) error {
	hint := ""
	if text := thrown(d); illegalTop.MatchString(text) {
		hint = ". Wrap statements with return in a function: (() => { … })()"
	}
	return fault.New(fault.ScriptFailed, "%s at line %s%s", thrown(d), lineOf(d), hint)
}

// lineOf is the line of the expression, from 1. The stack knows it better: for
// an expression that awaits, the details name a line of the browser's wrapper.
func lineOf(d *runtime.ExceptionDetails) string {
	if d.Exception != nil {
		if frame := ownFrame.FindStringSubmatch(d.Exception.Description); frame != nil {
			return frame[1]
		}
	}
	return strconv.FormatInt(d.LineNumber+1, 10)
}

// thrown is the class and the message of what was thrown.
func thrown(d *runtime.ExceptionDetails) string {
	switch {
	case d.Exception == nil:
		return d.Text
	case d.Exception.Subtype == "error":
		message, _, _ := strings.Cut(d.Exception.Description, "\n    at ")
		return clip.Text(message, 2000)
	default:
		return clip.Text("thrown: "+primitiveText(d.Exception), 2000)
	}
}
