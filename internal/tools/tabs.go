package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var tabTools = []tool.Tool{
	tool.New("browser_tabs", tool.Acts, "List, open, select or close tabs; calls act on the selected one.", tabs).Holding(),
}

type tabsArgs struct {
	Action string `json:"action" enum:"list,new,select,close"`
	Index  *int   `json:"index,omitempty" min:"0"`
	URL    string `json:"url,omitempty"`
	tool.NavigationTimeout
}

func tabs(ctx context.Context, s *session.Session, args tabsArgs) (tool.Reply, error) {
	if err := session.AwaitTurn(ctx); err != nil {
		return tool.Reply{}, err
	}
	switch {
	case (args.Action == "select" || args.Action == "close") && args.Index == nil:
		return tool.Reply{}, fault.New(fault.InvalidArgument, "%s needs the index of a tab:\n%s", args.Action, tabList(ctx, s))
	case args.Action != "new" && args.URL != "":
		return tool.Reply{}, fault.New(fault.InvalidArgument, "url goes with the action new; to open a page in the selected tab use browser_navigate")
	case args.Action == "new":
		return newTab(ctx, s, args)
	case args.Action == "select":
		tab, err := s.SelectTab(ctx, *args.Index)
		if err != nil {
			return tool.Reply{}, err
		}
		return tool.Textf("Selected tab %s", tabLine(*args.Index, tab)), nil
	case args.Action == "close":
		if err := s.CloseTab(ctx, *args.Index); err != nil {
			return tool.Reply{}, err
		}
		return tool.Textf("Closed tab %d.\n%s", *args.Index, tabList(ctx, s)), nil
	}
	return tool.Text(tabList(ctx, s)), nil
}

func newTab(ctx context.Context, s *session.Session, args tabsArgs) (tool.Reply, error) {
	url := ""
	if args.URL != "" {
		var err error
		if url, err = address(args.URL); err != nil {
			return tool.Reply{}, err
		}
	}
	if _, err := s.NewTab(ctx); err != nil {
		return tool.Reply{}, err
	}
	if url == "" {
		return tool.Text("Opened an empty tab.\n" + tabList(ctx, s)), nil
	}
	var reply tool.Reply
	err := s.Drive(ctx, args.Bound(s.Config.Timeouts), func(ctx context.Context, tab *session.Tab) error {
		var err error
		reply, err = navigate(ctx, s, tab, navigateArgs{URL: args.URL, WaitUntil: "load"})
		return err
	})
	if err != nil {
		return tool.Reply{}, fault.New(fault.CodeOf(err), "a new tab was opened and selected, but: %w", err)
	}
	return reply.Headed("Opened a new tab. "), nil
}

// maxTabsListed bounds a list of tabs.
const maxTabsListed = 30

func tabList(ctx context.Context, s *session.Session) string {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	all := s.Tabs(ctx)
	if len(all) == 0 {
		return "No tab is open; browser_navigate opens one."
	}
	lines := []string{fmt.Sprintf("%d tabs:", len(all))}
	if len(all) == 1 {
		lines[0] = "1 tab:"
	}
	for i, tab := range all {
		if i >= maxTabsListed && !tab.Active {
			continue
		}
		lines = append(lines, tabLine(i, tab))
	}
	if left := len(all) + 1 - len(lines); left > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", left))
	}
	return strings.Join(lines, "\n")
}

// tabLine is `0 (selected) "Title" URL`.
func tabLine(index int, tab session.TabInfo) string {
	line := fmt.Sprint(index)
	if tab.Active {
		line += " (selected)"
	}
	if tab.Dialog != "" {
		return fmt.Sprintf("%s %s, stopped by the dialog %s", line, clip.Text(tab.URL, 300), tab.Dialog)
	}
	return fmt.Sprintf("%s %q %s", line, clip.Text(tab.Title, 100), clip.Text(tab.URL, 300))
}
