package page

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// LookEvery is the pause between two looks at what no event tells.
const LookEvery = 50 * time.Millisecond

// Pause waits for a while; the error is why it ended early.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// idleFor is how long a page that counts as idle has been without a request.
const idleFor = 500 * time.Millisecond

// AwaitURL waits until the main frame's address is as wanted.
func (p *Page) AwaitURL(ctx context.Context, wanted func(url string) bool) error {
	return p.await(ctx, func() bool { return wanted(p.doc.url) })
}

// AwaitTrue evaluates an expression in the page until it gives something true,
// also in the next document. An expression that cannot be read is a fault at
// once; what it throws otherwise is told to otherwise.
func (p *Page) AwaitTrue(ctx context.Context, expression string, otherwise func(why string)) error {
	if compiles, err := p.compiles(ctx, "async () => (\n"+expression+"\n)"); err != nil || !compiles {
		if err == nil {
			err = fault.New(fault.ScriptFailed, "'%s' is not an expression; a statement has no value to wait for", clip.Text(expression, 200))
		}
		return err
	}
	for {
		value, err := cdp.Call(ctx, p.session, runtime.Evaluate, runtime.EvaluateParams{
			Expression: "(async () => Boolean(await (\n" + expression + "\n)))()", AwaitPromise: new(true), ReturnByValue: new(true),
		})
		switch {
		case err != nil && !cdp.Refused(err):
			if ctx.Err() != nil && !OpenedDialog(err) {
				p.FreeLater()
			}
			return err
		case err != nil: // the page went on; so does the wait
		case value.ExceptionDetails != nil:
			otherwise("the expression throws " + thrown(value.ExceptionDetails))
		case string(value.Result.Value) == "true":
			return nil
		default:
			otherwise("the expression has not been true")
		}
		if err := Pause(ctx, LookEvery); err != nil {
			return err
		}
	}
}

// AwaitIdle waits until the document has loaded and no request was under way for
// half a second.
func (p *Page) AwaitIdle(ctx context.Context) error {
	if err := p.await(ctx, func() bool { return p.loadedTo(Load) }); err != nil {
		return err
	}
	mark, since := p.opts.Requests.Mark(), time.Now()
	for {
		now := p.opts.Requests.Mark()
		if done, pending := p.opts.Requests.Since(mark, p.session); done+len(pending) > 0 || len(p.OpenRequests()) > 0 {
			since = time.Now()
		}
		mark = now
		if time.Since(since) >= idleFor {
			return nil
		}
		if err := Pause(ctx, LookEvery); err != nil {
			return err
		}
	}
}

// OpenRequests lists the addresses of the tab's requests that are not answered yet;
// connections that stay open by their nature are not among them.
func (p *Page) OpenRequests() []string {
	_, pending := p.opts.Requests.Since(0, p.session)
	var urls []string
	for _, r := range pending {
		if r.Type != "EventSource" && r.Type != "WebSocket" {
			urls = append(urls, r.URL)
		}
	}
	return urls
}
