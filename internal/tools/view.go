package tools

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/view"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var viewTools = []tool.Tool{
	tool.OnPage("browser_snapshot", tool.Looks, "Outline of the page: roles, names, values, and refs (e12) for any selector. Cheaper than a screenshot.", snapshot),
	tool.OnPage("browser_find", tool.Looks, "Find elements by text, regex or role; gives refs and context.", find),
}

type snapshotArgs struct {
	Selector    string `json:"selector,omitempty"`
	Interactive bool   `json:"interactive,omitempty" doc:"only what can be acted on"`
	Depth       int    `json:"depth,omitempty" min:"1" note:"levels"`
	Offset      *int   `json:"offset,omitempty" min:"0" note:"first line"`
	tool.BriefTimeout
}

// headRoom is what the lines around an outline may take, in bytes.
const headRoom = 1050

func snapshot(ctx context.Context, s *session.Session, tab *session.Tab, args snapshotArgs) (tool.Reply, error) {
	limit := s.Config.Output.SnapshotLimit
	text, err := view.Snapshot(ctx, tab, view.SnapshotOptions{
		Selector: args.Selector, Interactive: args.Interactive, Depth: args.Depth, Offset: args.Offset, Budget: limit - headRoom,
	})
	return tool.Text(text).Within(limit), err
}

type findArgs struct {
	Text  string `json:"text,omitempty"`
	Regex string `json:"regex,omitempty" note:"JavaScript, /flags/ optional"`
	Role  string `json:"role,omitempty"`
	Limit int    `json:"limit,omitempty" default:"10" min:"1" max:"50"`
	tool.BriefTimeout
}

func find(ctx context.Context, _ *session.Session, tab *session.Tab, args findArgs) (tool.Reply, error) {
	wanted := view.Query{Text: strings.TrimSpace(args.Text), Role: strings.ToLower(strings.TrimSpace(args.Role))}
	sought, given := "", 0
	for _, one := range []struct{ name, value string }{{"text", wanted.Text}, {"regex", args.Regex}, {"role", wanted.Role}} {
		if one.value != "" {
			sought, given = fmt.Sprintf("%s %q", one.name, one.value), given+1
		}
	}
	if given != 1 {
		return tool.Reply{}, fault.New(fault.InvalidArgument, "browser_find needs one of text, regex and role; it was given %d", given)
	}
	if args.Regex != "" {
		pattern := patternOf(args.Regex)
		wanted.Pattern = &pattern
	}
	finding, err := view.Search(ctx, tab, wanted, args.Limit)
	unread := finding.Unread.String()
	if unread != "" {
		unread = "\n" + unread + ". Try again when they have loaded."
	}
	switch {
	case err != nil:
		return tool.Reply{}, err
	case finding.Total == 0:
		return tool.Textf("No visible element has the %s. browser_snapshot shows what there is.%s", sought, unread), nil
	case finding.Total > len(finding.Lines):
		sought += fmt.Sprintf(", the first %d", len(finding.Lines))
	}
	return tool.Textf("%d with the %s:\n%s%s", finding.Total, sought, strings.Join(finding.Lines, "\n"), unread), nil
}

var slashed = regexp.MustCompile(`^/(.+)/([a-z]*)$`)

// patternOf reads `pattern` or `/pattern/flags`.
func patternOf(text string) view.Pattern {
	if parts := slashed.FindStringSubmatch(text); parts != nil {
		return view.Pattern{Source: parts[1], Flags: parts[2]}
	}
	return view.Pattern{Source: text}
}
