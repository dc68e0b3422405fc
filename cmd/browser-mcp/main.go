// Command browser-mcp gives an AI agent a real Chrome over the Model Context
// Protocol. Without a subcommand it serves one client on standard input and
// output until that client goes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/browser-mcp/browser-mcp/internal/build"
	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/demo"
	"github.com/browser-mcp/browser-mcp/internal/server"
	"github.com/browser-mcp/browser-mcp/internal/tools"
)

const usage = `browser-mcp gives an AI agent a real Chrome over the Model Context Protocol.

  browser-mcp [flags]           serve one client on standard input and output
  browser-mcp demo              run a session against a built-in page and print it
  browser-mcp tools             list the tools
  browser-mcp tools --auto-approve
                                print the auto-approval list for an mcp.json
  browser-mcp version           print the version

Flags set the configuration; docs/configuration.md has every key.
`

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "browser-mcp:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	command := "serve"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		command, args = args[0], args[1:]
	}
	if command == "version" || len(args) > 0 && (args[0] == "--version" || args[0] == "-version") {
		fmt.Println("browser-mcp", build.Version())
		return nil
	}
	autoApprove := false
	if command == "tools" && len(args) > 0 && args[0] == "--auto-approve" {
		autoApprove, args = true, args[1:]
	}
	cfg, rest, err := config.Load(args, os.Environ(), help(os.Stdout))
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q; browser-mcp --help lists what there is", rest[0])
	case command == "demo":
		return demo.Run(context.Background(), os.Stdout, args)
	case command == "tools":
		return listTools(cfg, autoApprove)
	case command == "serve":
		return serve(cfg)
	default:
		return fmt.Errorf("no command %q; browser-mcp --help lists what there is", command)
	}
}

// help puts the commands before the flags.
func help(w io.Writer) io.Writer { return &prefixed{Writer: w, prefix: usage} }

type prefixed struct {
	io.Writer
	prefix string
}

func (p *prefixed) Write(b []byte) (int, error) {
	if p.prefix != "" {
		if _, err := io.WriteString(p.Writer, p.prefix); err != nil {
			return 0, err
		}
		p.prefix = ""
	}
	return p.Writer.Write(b)
}

func listTools(cfg config.Config, autoApprove bool) error {
	offered, err := tools.Select(cfg.Tools)
	if err != nil {
		return err
	}
	if autoApprove {
		fmt.Println(tools.AutoApproval(offered))
		return nil
	}
	for _, t := range offered {
		fmt.Printf("%-28s %s\n", t.Name, t.Doc)
	}
	return nil
}

func serve(cfg config.Config) error {
	log, closeLog, err := newLog(cfg.Log)
	if err != nil {
		return err
	}
	defer closeLog()
	slog.SetDefault(log)
	// Otherwise the garbage of large screenshots stays with the process.
	debug.SetMemoryLimit(64 << 20)
	debug.SetGCPercent(50)
	s, err := server.New(cfg, build.Version(), log)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := untilToldToEnd()
	defer stop()
	return s.ServeLines(ctx, os.Stdin, os.Stdout)
}

func newLog(cfg config.Log) (log *slog.Logger, closeLog func(), err error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.Level)); err != nil {
		return nil, nil, fmt.Errorf("log.level: %w", err)
	}
	var out io.Writer = os.Stderr // standard output belongs to the protocol
	closeLog = func() {}
	if cfg.File != "" {
		file, err := os.OpenFile(cfg.File, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("log.file: %w", err)
		}
		out, closeLog = file, func() { _ = file.Close() }
	}
	options := &slog.HandlerOptions{Level: level}
	if cfg.Format == "json" {
		return slog.New(slog.NewJSONHandler(out, options)), closeLog, nil
	}
	return slog.New(slog.NewTextHandler(out, options)), closeLog, nil
}
