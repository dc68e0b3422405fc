package tools

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/browser-mcp/browser-mcp/internal/cdp/console"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var consoleTools = []tool.Tool{
	tool.New("browser_recent_console_logs", tool.Reads, "Console messages and uncaught errors, newest first.", recentConsoleLogs),
	tool.New("browser_clear_console_logs", tool.Sets, "Discard the captured console messages.", clearConsoleLogs),
}

// entryLimit is how much of a message is shown inline, in bytes.
const entryLimit = 500

type recentConsoleLogsArgs struct {
	Limit    int    `json:"limit,omitempty" default:"100" min:"1" max:"1000"`
	Level    string `json:"level,omitempty" enum:"error,warn,info,log,debug" note:"only this one"`
	Contains string `json:"contains,omitempty" note:"only messages with this text"`
}

func recentConsoleLogs(_ context.Context, s *session.Session, args recentConsoleLogsArgs) (tool.Reply, error) {
	all, dropped := s.Console.Recent()
	var matching []console.Message
	for _, m := range all {
		if (args.Level == "" || m.Level == args.Level) && strings.Contains(strings.ToLower(m.Text), strings.ToLower(args.Contains)) {
			matching = append(matching, m)
		}
	}
	shown := matching[:min(len(matching), args.Limit)]
	heading := newestFirst("console message", len(shown), len(matching), len(all), dropped)
	short, size, clipped := []string{heading}, len(heading), false
	for _, m := range shown {
		line := consoleLine(m, clip.Text(m.Text, entryLimit))
		short, size = append(short, line), size+len(line)+1
		clipped = clipped || len(m.Text) > entryLimit
	}
	reply := tool.Text(strings.Join(short, "\n"))
	if clipped || size > s.Config.Output.InlineLimit {
		long := []string{heading}
		for _, m := range shown {
			long = append(long, consoleLine(m, m.Text))
		}
		reply = reply.Spilling(tool.Whole{Kind: "console", Extension: "log", Text: strings.Join(long, "\n"), Always: clipped})
	}
	return reply, nil
}

func consoleLine(m console.Message, text string) string {
	line := fmt.Sprintf("[%s] %s %s", m.Level, m.Time.Format("15:04:05.000"), indented(text))
	where := m.Context
	if m.Source != "" {
		where += ", " + m.Source
	}
	if m.Preview {
		where += ", only a preview was kept"
	}
	return line + " (" + where + ")"
}

// indented sets the further lines of a message off, so that they cannot pass for
// entries, and takes out what would steer a terminal.
func indented(text string) string {
	return strings.ReplaceAll(printable(text), "\n", "\n    ")
}

// printable takes out of a page's text what would steer a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// newestFirst heads a list of what a ring holds: «50 of 312 network requests,
// newest first», and how many were dropped.
func newestFirst(word string, shown, matching, all, dropped int) string {
	heading := ""
	switch {
	case all == 0:
		heading = fmt.Sprintf("No %ss.", word)
	case matching == 0:
		heading = fmt.Sprintf("None of the %d %ss matches.", all, word)
	case shown < matching:
		heading = fmt.Sprintf("%d of %d %ss, newest first.", shown, matching, word)
	case shown == 1:
		heading = fmt.Sprintf("1 %s.", word)
	default:
		heading = fmt.Sprintf("%d %ss, newest first.", shown, word)
	}
	if dropped > 0 {
		heading += fmt.Sprintf(" %d older ones were dropped.", dropped)
	}
	return heading
}

type clearConsoleLogsArgs struct{}

func clearConsoleLogs(_ context.Context, s *session.Session, _ clearConsoleLogsArgs) (tool.Reply, error) {
	return tool.Textf("Cleared %d console log entries.", s.Console.Clear()), nil
}
