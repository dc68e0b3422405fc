package tools

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var waitTools = []tool.Tool{
	tool.OnPage("browser_wait_for_selector", tool.Looks, "Wait until an element is there.", waitForSelector),
	tool.OnPage("browser_wait", tool.Looks, "Wait for one of: a text, its end, a part of the URL, a true expression, no requests, a time.", waitFor),
}

type waitForSelectorArgs struct {
	Selector string `json:"selector"`
	Visible  bool   `json:"visible,omitempty" note:"and is visible"`
	Gone     bool   `json:"gone,omitempty" note:"instead: until it is gone or hidden"`
	tool.WaitTimeout
}

func waitForSelector(ctx context.Context, s *session.Session, tab *session.Tab, args waitForSelectorArgs) (tool.Reply, error) {
	if args.Visible && args.Gone {
		return tool.Reply{}, fault.New(fault.InvalidArgument, "visible and gone exclude each other; give one of them")
	}
	match, err := element.WaitFor(ctx, tab, args.Selector, args.Visible, args.Gone)
	switch {
	case fault.Is(err, fault.SelectorNotFound), fault.Is(err, fault.NotActionable):
		return tool.Reply{}, fault.New(fault.Timeout, "Timeout after %s: %w", args.Bound(s.Config.Timeouts), err)
	case err != nil:
		return tool.Reply{}, err
	case args.Gone:
		if match.AtOnce {
			return tool.Textf("Nothing visible matches '%s', nor did at the first look", args.Selector), nil
		}
		return tool.Textf("'%s' is gone", args.Selector), nil
	}
	return tool.Textf("Found %s%s", match.Element, among(match)), nil
}

type waitArgs struct {
	Text       string       `json:"text,omitempty"`
	TextGone   string       `json:"text_gone,omitempty"`
	URL        string       `json:"url,omitempty"`
	Expression string       `json:"expression,omitempty"`
	Idle       bool         `json:"idle,omitempty" doc:"no request for 500ms"`
	Time       tool.Timeout `json:"time,omitempty"`
	tool.WaitTimeout
}

func waitFor(ctx context.Context, s *session.Session, tab *session.Tab, args waitArgs) (tool.Reply, error) {
	given := 0
	for _, one := range []bool{args.Text != "", args.TextGone != "", args.URL != "", args.Expression != "", args.Idle, args.Time != 0} {
		if one {
			given++
		}
	}
	if given != 1 {
		return tool.Reply{}, fault.New(fault.InvalidArgument, "browser_wait needs one of text, text_gone, url, expression, idle and time; it was given %d", given)
	}
	if args.Expression != "" && s.Config.Tools.ReadOnly {
		return tool.Reply{}, fault.New(fault.Blocked, "this server is read-only (tools.read_only), and an expression may change the page; wait for a text, a selector or the URL")
	}
	limit := args.Bound(s.Config.Timeouts)
	began := time.Now()
	done, missed, err := await(ctx, tab, args)
	switch {
	case fault.Is(err, fault.Timeout) && ctx.Err() != nil:
		return tool.Reply{}, fault.New(fault.Timeout, "Timeout after %s: %s", limit, missed())
	case err != nil:
		return tool.Reply{}, err
	}
	return tool.Textf("%s (after %s)", done, time.Since(began).Round(10*time.Millisecond)), nil
}

// await waits for what the arguments name. done says that it came, missed what
// is the case instead.
func await(ctx context.Context, tab *session.Tab, args waitArgs) (done string, missed func() string, err error) {
	switch {
	case args.Text != "", args.TextGone != "":
		last := "the page is too busy or too large to be looked through in that time; give a longer timeout"
		atOnce, err := element.WaitText(ctx, tab, cmp.Or(args.Text, args.TextGone), args.TextGone != "", func(why string) { last = why })
		done := "The text is there"
		switch {
		case args.TextGone != "" && atOnce:
			done = "The text is not there, nor was at the first look"
		case args.TextGone != "":
			done = "The text is gone"
		}
		return done, func() string { return last }, err
	case args.URL != "":
		missed = func() string { return "the URL is " + clip.Text(tab.URL(), urlLimit) }
		return "The URL is as awaited", missed, tab.AwaitURL(ctx, func(url string) bool { return strings.Contains(url, args.URL) })
	case args.Expression != "":
		last := "the expression has not been true"
		err := tab.AwaitTrue(ctx, args.Expression, func(why string) { last = why })
		return "The expression is true", func() string { return last }, err
	case args.Idle:
		missed = func() string {
			open := tab.OpenRequests()
			if len(open) == 0 {
				return "no request is under way now, but the page has not been without one for 500ms; give a longer timeout"
			}
			return "requests go on: " + clip.Text(strings.Join(open, ", "), urlLimit)
		}
		return "No requests are under way", missed, tab.AwaitIdle(ctx)
	}
	missed = func() string { return "the time to wait is longer than timeout allows; give a longer timeout too" }
	return "Waited", missed, page.Pause(ctx, time.Duration(args.Time))
}
