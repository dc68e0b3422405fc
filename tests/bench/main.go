// Command bench measures the figures of the specification: each piece of work
// through the protocol's door, beside the same work sent raw over the debugging
// pipe to a browser of the same executable, in turn and in one run. Absolute
// times are of this machine; the ratios are what counts.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/launch"
)

func main() {
	b := &bench{}
	flag.StringVar(&b.binary, "binary", "", "`path` of the server to measure; empty builds bin/browser-mcp")
	flag.StringVar(&b.browser, "browser", "", "`path` of the browser for both sides; empty takes the one that the server would find")
	flag.IntVar(&b.runs, "n", 40, "runs of a warm measure; starts take a quarter as many, evaluations ten times")
	flag.Func("log", "`file` that the warm server writes its debug log to", func(path string) error {
		b.args = []string{"--log-level=debug", "--log-file=" + path}
		return nil
	})
	flag.StringVar(&b.only, "only", "", "`part` to measure alone: starts, warm or sessions")
	flag.Parse()
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A bench is one run with its surroundings.
type bench struct {
	binary  string
	browser string
	runs    int
	args    []string // of the warm server
	only    string
	site    string // address of the test site
	rows    []row
}

func (b *bench) run() error {
	if b.runs < 4 {
		return fmt.Errorf("-n is %d; a median needs 4 runs or more", b.runs)
	}
	if !slices.Contains([]string{"", "starts", "warm", "sessions"}, b.only) {
		return fmt.Errorf("-only is %q; there are starts, warm and sessions", b.only)
	}
	if err := b.prepare(); err != nil {
		return err
	}
	site, err := serveSite()
	if err != nil {
		return err
	}
	defer site.Close()
	b.site = "http://" + site.Addr
	started, before := time.Now(), load()
	for _, part := range []struct {
		name    string
		measure func() error
	}{{"starts", b.starts}, {"warm", b.warm}, {"sessions", b.sideBySide}} {
		if b.only != "" && b.only != part.name {
			continue
		}
		if err := part.measure(); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	fmt.Printf("%s\n%s, %s/%s, %d processors, load %s before and %s after, %s\n\n", b.browser, runtime.Version(),
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), before, load(), time.Since(started).Round(time.Second))
	printTable(os.Stdout, b.rows)
	return nil
}

// prepare builds the server and finds the browser, one for both sides.
func (b *bench) prepare() error {
	if b.binary == "" {
		b.binary = filepath.Join("bin", "browser-mcp")
		if runtime.GOOS == "windows" {
			b.binary += ".exe"
		}
		build := exec.Command("go", "build", "-o", b.binary, "./cmd/browser-mcp")
		build.Stdout, build.Stderr = os.Stderr, os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building %s: %w; run the bench in the module's folder, or give -binary", b.binary, err)
		}
	}
	found, err := launch.Find(launch.Options{Headless: true, Executable: b.browser})
	if err != nil {
		return err
	}
	b.browser = found.Path
	return nil
}

// serverArgs make the server's browser the raw side's: the same executable and
// size, whatever a configuration file or the environment says.
func (b *bench) serverArgs(more ...string) []string {
	return slices.Concat([]string{
		"--browser-executable=" + b.browser, fmt.Sprintf("--browser-viewport=%dx%d", width, height),
		"--browser-headless=true", "--log-level=error",
	}, more)
}

// load is the machine's, over the last minute: the first thing to look at when
// two runs differ.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	now, _, _ := strings.Cut(string(text), " ")
	return now
}
