//go:build linux

package e2e

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a server is doing when its end comes.
const (
	resting   = "resting"
	waiting   = "waiting for a selector"
	looping   = "running a loop"
	loading   = "loading a page that never comes"
	launching = "launching the browser"
	closing   = "closing the browser"
)

// TestEnds ends a server in every way it can be told to, at rest and at work,
// and looks for what is left of it.
func TestEnds(t *testing.T) {
	endOfInput := func(s *server) { _ = s.in.Close() }
	signal := func(sig syscall.Signal) func(*server) {
		return func(s *server) { _ = syscall.Kill(s.pid, sig) }
	}
	for _, c := range []struct {
		name, doing string
		end         func(*server)
	}{
		{"end of input", resting, endOfInput},
		{"end of input", waiting, endOfInput},
		{"end of input", looping, endOfInput},
		{"end of input", launching, endOfInput},
		{"SIGTERM", resting, signal(syscall.SIGTERM)},
		{"SIGTERM", waiting, signal(syscall.SIGTERM)},
		{"SIGTERM", looping, signal(syscall.SIGTERM)},
		{"SIGTERM", launching, signal(syscall.SIGTERM)},
		{"SIGTERM", closing, signal(syscall.SIGTERM)},
		{"SIGINT", resting, signal(syscall.SIGINT)},
		{"SIGINT", loading, signal(syscall.SIGINT)},
		{"SIGHUP", resting, signal(syscall.SIGHUP)},
		{"SIGHUP", waiting, signal(syscall.SIGHUP)},
	} {
		t.Run(c.name+"/"+c.doing, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.engage(newApp(t), c.doing)
			ordered := time.Now()
			c.end(s)
			s.mustBeGone(ordered)
			<-s.waited
			require.Zero(t, s.code, "exit code\n%s", s.log())
		})
	}
}

// TestParentDies has the server notice by itself: its input stays open.
func TestParentDies(t *testing.T) {
	for _, doing := range []string{resting, waiting} {
		t.Run(doing, func(t *testing.T) {
			t.Parallel()
			s, kill := startOrphan(t)
			s.engage(newApp(t), doing)
			ordered := time.Now()
			kill()
			s.mustBeGone(ordered)
		})
	}
}

// TestServerKilled leaves no process, and what folders it leaves the next
// server sweeps, but not those of a server that lives.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	site, tmp := newApp(t), newTmp(t)
	victim := spawnServer(t, tmp, command(tmp))
	neighbour := spawnServer(t, tmp, command(tmp))
	for _, s := range []*server{victim, neighbour} {
		s.engage(site, waiting)
	}
	old := foldersOf(victim)
	require.Len(t, old, 2, "a profile and an output folder")
	ordered := time.Now()
	victim.killed = true
	require.NoError(t, syscall.Kill(victim.pid, syscall.SIGKILL))
	require.Eventually(t, func() bool { return !victim.alive() && len(stillAlive(victim.family)) == 0 }, 10*time.Second, 5*time.Millisecond, "%v", stillAlive(victim.family))
	t.Logf("the browser ended %s after its server", time.Since(ordered).Round(time.Millisecond))

	next := spawnServer(t, tmp, command(tmp))
	ordered = time.Now()
	next.must("browser_navigate", map[string]any{"url": site.url})
	require.Eventually(t, func() bool { return len(foldersOf(victim)) == 0 }, 10*time.Second, 5*time.Millisecond, "%v", foldersOf(victim))
	t.Logf("swept after %s", time.Since(ordered).Round(time.Millisecond))
	require.Len(t, foldersOf(neighbour), 2)
	require.Len(t, stillAlive(neighbour.family), len(neighbour.family))
}

// engage brings the server to where it does what is asked: with a browser, and
// with a profile and an output folder. It gives what will be the answer.
func (s *server) engage(site *app, doing string) (reply <-chan wire) {
	s.t.Helper()
	if doing == launching {
		reply = s.begin("browser_navigate", map[string]any{"url": site.url})
		require.Eventually(s.t, func() bool { return len(foldersOf(s)) > 0 }, 10*time.Second, time.Millisecond)
		return reply
	}
	s.must("browser_navigate", map[string]any{"url": site.url})
	s.must("browser_take_screenshot", nil)
	switch doing {
	case waiting:
		reply = s.begin("browser_wait_for_selector", map[string]any{"selector": "#never", "timeout": "30s"})
		s.must("browser_recent_console_logs", nil)
	case looping:
		reply = s.begin("browser_eval", map[string]any{"expression": `const x = new XMLHttpRequest(); x.open('GET', '/seen?loop', false); x.send(); for (;;);`})
		require.Equal(s.t, "loop", <-site.seen)
	case loading:
		reply = s.begin("browser_navigate", map[string]any{"url": site.url + "hang"})
		require.Equal(s.t, "hang", <-site.seen)
	}
	s.remember()
	require.Len(s.t, foldersOf(s), 2, "a profile and an output folder")
	require.Empty(s.t, reply, "answered already")
	if doing == closing {
		reply = s.begin("browser_close", nil)
	}
	return reply
}

// TestClientStopsReading closes the client's reading end, or leaves it full,
// while answers are written.
func TestClientStopsReading(t *testing.T) {
	flood := func(s *server) {
		for range 100 {
			s.begin("browser_eval", map[string]any{"expression": "'x'.repeat(4000)"})
		}
	}
	t.Run("closes its end", func(t *testing.T) {
		t.Parallel()
		s := start(t)
		s.engage(newApp(t), resting)
		flood(s)
		ordered := time.Now()
		s.tears.Store(true)
		require.NoError(t, s.out.Close()) // the input stays open
		s.mustBeGone(ordered)
		<-s.waited
		t.Logf("exit code %d", s.code)
	})
	t.Run("closes every end", func(t *testing.T) {
		t.Parallel()
		stderr, logs, err := os.Pipe()
		require.NoError(t, err)
		tmp := newTmp(t)
		cmd := command(tmp, "--log-level=debug")
		cmd.Stderr = logs
		s := spawnServer(t, tmp, cmd)
		_ = logs.Close()
		go func() { _, _ = io.Copy(io.Discard, stderr) }()
		s.engage(newApp(t), resting)
		flood(s)
		ordered := time.Now()
		s.tears.Store(true)
		require.NoError(t, stderr.Close())
		require.NoError(t, s.out.Close())
		require.NoError(t, s.in.Close())
		s.mustBeGone(ordered)
	})
	for name, end := range map[string]func(*server){
		"SIGTERM while it does not read":      func(s *server) { _ = syscall.Kill(s.pid, syscall.SIGTERM) },
		"end of input while it does not read": func(s *server) { _ = s.in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.engage(newApp(t), resting)
			s.tears.Store(true)
			s.reading.Lock()
			defer s.reading.Unlock()
			flood(s)
			require.Eventually(t, s.outputIsFull, 10*time.Second, 5*time.Millisecond, "no thread of the server is stuck in a write")
			ordered := time.Now()
			end(s)
			s.mustBeGone(ordered)
		})
	}
}

// outputIsFull reports whether a thread of the server is stuck in a write.
func (s *server) outputIsFull() bool {
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(s.pid) + "/task/*/wchan")
	for _, task := range tasks {
		where, _ := os.ReadFile(task)
		if strings.Contains(string(where), "pipe_write") {
			return true
		}
	}
	return false
}
