package console

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// Bounds of asking workers for values.
const (
	maxQuestions = 64 // that wait; further ones are not asked
	askTimeout   = time.Second
)

// A question is a message of a worker that the wrapper did not see: the worker
// logged it before the wrapper was there, as one does that restarts. Its objects
// stay where they are, so that they can be asked for, unlike those of a page,
// which moves on.
type question struct {
	entry *entry
	raw   jsonv2.Value
}

// asks reports whether a worker's message has objects that were not kept whole.
func (w *watch) asks(raw jsonv2.Value) bool {
	return w.questions != nil && len(w.kept) == 0 && bytes.Contains(raw, []byte(`"objectId"`))
}

// ask answers the questions, one after the other, until they end.
func (w *watch) ask() {
	for q := range w.questions {
		ev, err := cdp.Decode(runtime.ConsoleAPICalled, q.raw)
		if err != nil {
			continue
		}
		asked := w.values(ev.Args)
		if asked == nil {
			continue
		}
		whole := entry{raw: q.raw, session: q.entry.session, frames: q.entry.frames, asked: asked, read: q.entry.read}
		w.console.replace(q.entry, whole.message())
	}
}

// values asks for the text of the objects among the arguments of a call; nil
// when all were whole or the worker did not answer.
func (w *watch) values(args []*runtime.RemoteObject) map[int]string {
	var places []int
	var objects []*runtime.CallArgument
	for i, arg := range args {
		if _, whole := objectText(arg); !whole && arg.ObjectID != "" {
			places, objects = append(places, i), append(objects, &runtime.CallArgument{ObjectID: arg.ObjectID})
		}
	}
	if len(objects) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	reply, err := cdp.Call(ctx, w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: writer, ObjectID: objects[0].ObjectID, Arguments: objects, ReturnByValue: new(true), Silent: new(true),
	})
	var texts []string
	if err != nil || reply.ExceptionDetails != nil || json.Unmarshal(reply.Result.Value, &texts) != nil || len(texts) != len(places) {
		return nil
	}
	asked := map[int]string{}
	for i, place := range places {
		asked[place] = texts[i]
	}
	return asked
}

// writer is a function that gives the texts of its arguments, as the wrapper
// would have written them.
var writer = fmt.Sprintf("(...values) => values.map(%s('', %d))", strings.TrimSpace(wrapperScript), maxMessageBytes)

// replace sets what an entry says, if it is still there.
func (c *Console) replace(e *entry, m Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.entries.Entries(), e) {
		return
	}
	n := len(m.Text) - e.size
	e.done, e.raw, e.kept, e.size = &m, nil, nil, len(m.Text)
	c.entries.Grow(n)
}
