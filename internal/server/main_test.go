package server

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"github.com/browser-mcp/browser-mcp/internal/config"
)

// TestMain fails when a test leaves a goroutine, a browser or a profile behind.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, "left behind:", err)
			code = 1
		}
		for _, left := range leftovers(os.Getpid()) {
			fmt.Fprintln(os.Stderr, "left behind:", left)
			code = 1
		}
	}
	os.Exit(code)
}

// leftovers lists the folders and the processes that carry the owner's pid in
// the name of their profile.
func leftovers(owner int) []string {
	pattern := "browser-mcp-*-" + strconv.Itoa(owner) + "-*"
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), pattern))
	processes, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	mark := []byte("browser-mcp-profile-" + strconv.Itoa(owner) + "-")
	for _, path := range processes {
		if line, err := os.ReadFile(path); err == nil && bytes.Contains(line, mark) {
			left = append(left, path+": "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return left
}

// testLog is quiet, unless BROWSER_TEST_LOG asks for everything.
func testLog() *slog.Logger {
	if os.Getenv("BROWSER_TEST_LOG") != "" {
		return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return slog.New(slog.NewTextHandler(io.Discard, nil))
}

// newTestServer makes a server that ends with the test.
func newTestServer(t *testing.T, change func(*config.Config)) *Server {
	t.Helper()
	cfg := config.Default()
	cfg.Session.Max = 100
	if change != nil {
		change(&cfg)
	}
	s, err := New(cfg, "test", testLog())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}
