//go:build linux

package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server is the program under test, running, with a client on plain lines.
type server struct {
	*peer
	pid    int
	tmp    string        // its temporary folder, its alone
	waited chan struct{} // closed when the process has ended; not for an orphan
	code   int           // its exit code, once waited is closed
	family []process     // its browser's, as taken by remember
	killed bool          // it could not clean up
}

// newTmp makes a temporary folder for a server, below the one of the run.
func newTmp(t *testing.T) string {
	t.Helper()
	tmp, err := os.MkdirTemp(base, "tmp-")
	require.NoError(t, err)
	return tmp
}

// command is a run of the program that keeps its files in tmp.
func command(tmp string, args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	return cmd
}

// start runs a server of its own for the test and says hello.
func start(t *testing.T, args ...string) *server {
	t.Helper()
	return startWith(t, nil, args...)
}

// startWith starts with more in the environment.
func startWith(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	tmp := newTmp(t)
	cmd := command(tmp, args...)
	cmd.Env = append(cmd.Env, env...)
	return spawnServer(t, tmp, cmd)
}

// spawnServer runs a server, says hello, and makes sure that it ends with the test.
func spawnServer(t *testing.T, tmp string, cmd *exec.Cmd) *server {
	t.Helper()
	s := spawn(t, tmp, cmd)
	s.pid = cmd.Process.Pid
	s.hello()
	return s
}

// spawn starts a command on three streams of the test.
func spawn(t *testing.T, tmp string, cmd *exec.Cmd) *server {
	t.Helper()
	stdin, in, err := os.Pipe()
	require.NoError(t, err)
	out, stdout, err := os.Pipe()
	require.NoError(t, err)
	stderr, err := os.CreateTemp(base, "stderr-")
	require.NoError(t, err)
	cmd.Stdin, cmd.Stdout = stdin, stdout
	if cmd.Stderr == nil {
		cmd.Stderr = stderr
	}
	require.NoError(t, cmd.Start())
	_ = stdin.Close()
	_ = stdout.Close()
	_ = stderr.Close()
	s := &server{peer: newPeer(t, in, out, stderr.Name()), tmp: tmp, waited: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the code tells all
		s.code = cmd.ProcessState.ExitCode()
		close(s.waited)
	}()
	t.Cleanup(func() {
		_ = in.Close()
		select {
		case <-s.waited:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			t.Errorf("the server did not end when its input did\n%s", s.log())
		}
		_ = out.Close()
		if !s.killed {
			require.Empty(t, append(foldersOf(s), stillAlive(s.family)...), "left behind\n%s", s.log())
		}
	})
	return s
}

// foldersOf lists what a server has in its temporary folder.
func foldersOf(s *server) []string {
	folders, _ := filepath.Glob(filepath.Join(s.tmp, "browser-mcp-*-"+strconv.Itoa(s.pid)+"-*"))
	return folders
}

// alive reports whether the server's process runs.
func (s *server) alive() bool {
	p, live := readProcess("/proc/" + strconv.Itoa(s.pid))
	return live && p.exe == binary
}

// remember takes note of the browser's processes, whose names alone would not
// tell later whose they were.
func (s *server) remember() {
	s.t.Helper()
	s.family = family(s.pid)
	require.NotEmpty(s.t, s.family, "no browser runs")
	profiles, _ := filepath.Glob(filepath.Join(s.tmp, fmt.Sprintf("browser-mcp-profile-%d-*", s.pid)))
	require.Len(s.t, profiles, 1)
}

// browser is the process that the server itself has started.
func (s *server) browser() process {
	s.t.Helper()
	for _, p := range family(s.pid) {
		if p.parent == s.pid && strings.Contains(p.cmdline, "--user-data-dir="+s.tmp+"/browser-mcp-profile-"+strconv.Itoa(s.pid)+"-") {
			return p
		}
	}
	require.Fail(s.t, "no browser runs")
	return process{}
}

// left lists what a server leaves: its processes, and whatever its folder holds.
func (s *server) left() []string {
	left := stillAlive(s.family)
	for _, p := range processes() {
		if p.names(s.tmp) {
			left = append(left, p.String())
		}
	}
	entries, _ := os.ReadDir(s.tmp)
	for _, e := range entries {
		left = append(left, filepath.Join(s.tmp, e.Name()))
	}
	return left
}

// mustBeGone waits until the server has ended and nothing of it is left, and
// reports the times since the order to end was given.
func (s *server) mustBeGone(ordered time.Time) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return !s.alive() }, 10*time.Second, 5*time.Millisecond, "the server has not ended")
	ended := time.Since(ordered)
	require.EventuallyWithT(s.t, func(c *assert.CollectT) { assert.Empty(c, s.left()) }, 10*time.Second, 5*time.Millisecond,
		"left behind by server %d\n%s", s.pid, s.log())
	s.t.Logf("server gone after %s, everything after %s", ended.Round(time.Millisecond), time.Since(ordered).Round(time.Millisecond))
}

// parentMark in the environment makes the test binary the parent of a server:
// it names the folder of the server.
const parentMark = "E2E_PARENT"

// beParent starts the program on the streams of this process, tells its pid on
// file descriptor 3, and stays until it is killed.
func beParent() {
	cmd := exec.Command(os.Getenv("E2E_BINARY"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.NewFile(3, "pid"), cmd.Process.Pid)
	_ = cmd.Wait()
	os.Exit(0)
}

// startOrphan starts a server by way of a process that kill ends with SIGKILL,
// while the test holds the server's input open.
func startOrphan(t *testing.T) (s *server, kill func()) {
	t.Helper()
	tmp := newTmp(t)
	told, tell, err := os.Pipe()
	require.NoError(t, err)
	defer told.Close()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "TMPDIR="+tmp, parentMark+"=1", "E2E_BINARY="+binary)
	parent.ExtraFiles = []*os.File{tell}
	s = spawn(t, tmp, parent)
	_ = tell.Close()
	line, err := bufio.NewReader(told).ReadString('\n')
	require.NoError(t, err)
	s.pid, err = strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err)
	s.hello()
	return s, func() { _ = parent.Process.Kill() }
}
