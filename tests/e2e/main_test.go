//go:build linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

const program = "github.com/browser-mcp/browser-mcp/cmd/browser-mcp"

// patience bounds what a test waits for; no test waits that long unless it fails.
const patience = 60 * time.Second

var (
	base   string // the folder of this run: every server's temporary folder is below it
	binary string // the program under test
)

// TestMain builds the program, and fails when a test leaves a process or a
// folder of a server behind. Such a process is ended.
func TestMain(m *testing.M) {
	if os.Getenv(parentMark) != "" {
		beParent()
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if base, err = os.MkdirTemp("", "browser-mcp-e2e-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(base)
	binary = filepath.Join(base, "browser-mcp")
	if out, err := exec.Command("go", "build", "-o", binary, program).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building %s: %v\n%s", program, err, out)
		return 1
	}
	code := m.Run()
	left, pids := leftovers(base)
	for _, what := range left {
		fmt.Fprintln(os.Stderr, "left behind:", what)
		code = 1
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return code
}

// leftovers lists the live processes that run from below the folder or name it,
// and the folders of ours there.
func leftovers(folder string) (left []string, pids []int) {
	for _, p := range processes() {
		if p.pid != os.Getpid() && p.names(folder) {
			left = append(left, p.String())
			pids = append(pids, p.pid)
		}
	}
	folders, _ := filepath.Glob(filepath.Join(folder, "*", "browser-mcp-*"))
	return append(left, folders...), pids
}
