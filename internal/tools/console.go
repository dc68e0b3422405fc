package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/console"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

var consoleTools = []Tool{
	define("browser_recent_console_logs", Core, Reads, "Console messages and uncaught errors, newest first.", recentConsoleLogs),
	define("browser_clear_console_logs", Core, Sets, "Discard the captured console messages.", clearConsoleLogs),
}

// entryLimit is how much of a message is shown inline, in bytes.
const entryLimit = 500

type recentConsoleLogsArgs struct {
	Limit    int    `json:"limit,omitempty" default:"100" min:"1" max:"1000"`
	Level    string `json:"level,omitempty" enum:"error,warn,info,log,debug" note:"only this one"`
	Contains string `json:"contains,omitempty" note:"only messages with this text"`
}

func recentConsoleLogs(_ context.Context, s *session.Session, args recentConsoleLogsArgs) (Reply, error) {
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
		line := consoleLine(m, page.Clip(m.Text, entryLimit))
		short, size = append(short, line), size+len(line)+1
		clipped = clipped || len(m.Text) > entryLimit
	}
	reply := Text(strings.Join(short, "\n"))
	if clipped || size > s.Config.Output.InlineLimit {
		long := []string{heading}
		for _, m := range shown {
			long = append(long, consoleLine(m, m.Text))
		}
		reply = reply.spilling(whole{kind: "console", extension: "log", text: strings.Join(long, "\n"), always: clipped})
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

type clearConsoleLogsArgs struct{}

func clearConsoleLogs(_ context.Context, s *session.Session, _ clearConsoleLogsArgs) (Reply, error) {
	return Textf("Cleared %d console log entries.", s.Console.Clear()), nil
}
