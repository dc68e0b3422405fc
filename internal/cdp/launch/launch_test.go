//go:build linux

package launch

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/process"
	"github.com/browser-mcp/browser-mcp/internal/tempdir"
	"go.uber.org/goleak"
)

// ownerVariable makes the test program a mere owner of a browser, to be killed.
const ownerVariable = "LAUNCH_TEST_OWNER_CHANNEL"

func TestMain(m *testing.M) {
	if channel := os.Getenv(ownerVariable); channel != "" {
		p, err := Start(Options{Channel: channel, Headless: true})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(p.PID(), p.Profile())
		select {}
	}
	goleak.VerifyTestMain(m)
}

// start gives each test a temporary folder of its own: others sweep theirs.
func start(t *testing.T, o Options) *Process {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	p, err := Start(o)
	require.NoError(t, err)
	t.Cleanup(p.Stop)
	return p
}

// eachBrowser runs a test on the headless shell and on the full browser.
func eachBrowser(t *testing.T, test func(t *testing.T, o Options)) {
	for _, channel := range []string{"headless-shell", "chromium"} {
		t.Run(channel, func(t *testing.T) {
			o := Options{Channel: channel, Headless: true, Width: 800, Height: 600}
			if _, err := Find(o); err != nil {
				t.Fatal(err) // `make test` installs it
			}
			test(t, o)
		})
	}
}

// getVersion waits for the browser to answer.
func getVersion(t *testing.T, p *Process) string {
	t.Helper()
	require.NoError(t, p.Transport().Write(context.Background(), &cdproto.Message{ID: 1, Method: "Browser.getVersion"}))
	var answer cdproto.Message
	require.NoError(t, p.Transport().Read(context.Background(), &answer), "%v", p.Err())
	require.EqualValues(t, 1, answer.ID)
	return string(answer.Result)
}

// readToEnd reads until the pipe ends.
func readToEnd(p *Process) error {
	for {
		if err := p.Transport().Read(context.Background(), new(cdproto.Message)); err != nil {
			return err
		}
	}
}

// family gives the births of all processes of a browser by pid: found by their
// parents and by any mention of the profile, not by the rules of process.KillLeftovers.
func family(t *testing.T, root int, profile string) map[int]string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	require.NoError(t, err)
	births := map[int]string{}
	parents := map[int]int{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		birth, alive := "", false
		if err == nil {
			birth, alive = process.Birth(pid)
		}
		if !alive {
			continue
		}
		births[pid] = birth
		stat, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "stat"))
		if end := bytes.LastIndexByte(stat, ')'); end > 0 {
			parents[pid], _ = strconv.Atoi(strings.Fields(string(stat[end+1:]))[1])
		}
		if line, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline")); bytes.Contains(line, []byte(profile)) {
			parents[pid] = root
		}
	}
	members := map[int]string{root: births[root]}
	for grown := true; grown; {
		grown = false
		for pid, parent := range parents {
			if _, in := members[parent]; in && pid != root && pid != os.Getpid() && members[pid] == "" {
				members[pid], grown = births[pid], true
			}
		}
	}
	return members
}

// wholeFamily waits until the browser has all its kinds of processes.
func wholeFamily(t *testing.T, root int, profile string) (members map[int]string) {
	t.Helper()
	require.Eventually(t, func() bool {
		members = family(t, root, profile)
		return len(members) > 5
	}, 10*time.Second, 10*time.Millisecond)
	return members
}

// living says which of the processes still run.
func living(members map[int]string) []string {
	var names []string
	for pid, birth := range members {
		if now, alive := process.Birth(pid); alive && now == birth {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			names = append(names, fmt.Sprint(pid, " ", strings.ReplaceAll(string(line), "\x00", " ")))
		}
	}
	return names
}

func TestStartAnswerStop(t *testing.T) {
	eachBrowser(t, func(t *testing.T, o Options) {
		p := start(t, o)
		require.Contains(t, getVersion(t, p), "Chrome/")
		require.NoError(t, p.Err(), "nothing is wrong while it runs")
		members := wholeFamily(t, p.PID(), p.Profile())
		begin := time.Now()
		p.Stop()
		require.Less(t, time.Since(begin), 3*time.Second)
		require.Empty(t, living(members))
		require.NoDirExists(t, p.Profile())
		require.ErrorContains(t, p.Err(), "ended (")
	})
}

func TestStopFromMany(t *testing.T) {
	p := start(t, Options{Headless: true})
	getVersion(t, p)
	members := wholeFamily(t, p.PID(), p.Profile())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			p.Stop()
			if left := living(members); len(left) > 0 {
				t.Error("a call of Stop returned before the end: ", left)
			}
		})
	}
	wg.Go(func() { _ = readToEnd(p) })
	wg.Wait()
	p.Stop()
	require.NoDirExists(t, p.Profile())
}

func TestStopBeforeTheFirstAnswer(t *testing.T) {
	p := start(t, Options{Headless: true})
	p.Stop()
	require.NoDirExists(t, p.Profile())
	require.Empty(t, living(family(t, p.PID(), p.Profile())))
}

func TestKilledFromOutside(t *testing.T) {
	eachBrowser(t, func(t *testing.T, o Options) {
		p := start(t, o)
		getVersion(t, p)
		members := wholeFamily(t, p.PID(), p.Profile())
		require.NoError(t, syscall.Kill(p.PID(), syscall.SIGKILL))
		require.ErrorIs(t, readToEnd(p), io.EOF)
		select {
		case <-p.Done():
		case <-time.After(5 * time.Second):
			t.Fatal("Done stays open")
		}
		require.ErrorContains(t, p.Err(), "signal: killed")
		p.Stop()
		require.Empty(t, living(members))
		require.NoDirExists(t, p.Profile())
	})
}

// A wrapper that does not exec leaves the browser one process further away.
func TestWrapperScript(t *testing.T) {
	found, err := Find(Options{Headless: true})
	if err != nil {
		t.Fatal(err) // `make test` installs it
	}
	wrapper := script(t, found.Path+` "$@"; exit $?`)
	p := start(t, Options{Executable: wrapper, Headless: true, Args: []string{"--headless"}})
	getVersion(t, p)
	members := wholeFamily(t, p.PID(), p.Profile())
	require.NoError(t, syscall.Kill(p.PID(), syscall.SIGKILL))
	p.Stop()
	require.Empty(t, living(members))
}

// script makes an executable.
func script(t *testing.T, body string) string {
	path := filepath.Join(t.TempDir(), "browser")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
	return path
}

func TestBadExecutable(t *testing.T) {
	for _, tc := range []struct{ name, body, says string }{
		{"printed", `echo "[1:1] ERROR:dbus/bus.cc noise" >&2; echo "the disk is on fire" >&2; exit 1`, "ended (exit status 1) and printed:\n  the disk is on fire\ntry again"},
		{"silent", `exit 3`, "ended (exit status 3) and printed nothing of use; "},
		{"library", `echo "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2; exit 127`, "the library libnss3.so is missing"},
		{"display", `echo "ERROR:ui/ozone/x11.cc Missing X server or \$DISPLAY" >&2; exit 1`, "browser.headless to true"},
		{"flood", `i=0; while [ $i -lt 9000 ]; do echo "line $i of the flood, which is long enough to fill the pipe"; i=$((i+1)); done; exit 1`, "line 8999 of the flood"},
		{"signal", `kill -SEGV $$`, "segmentation fault"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := start(t, Options{Executable: script(t, tc.body), Headless: true})
			<-p.Done()
			require.ErrorContains(t, p.Err(), tc.says)
			require.Error(t, readToEnd(p))
			p.Stop()
			require.NoDirExists(t, p.Profile())
		})
	}
}

// A child that left the group and keeps the output open is cut off.
func TestChildHoldsTheOutput(t *testing.T) {
	p := start(t, Options{Executable: script(t, `setsid sh -c 'echo $$; touch "$1"; exec sleep 60' sh "$0.left" & until [ -e "$0.left" ]; do :; done; exit 1`), Headless: true})
	begin := time.Now()
	<-p.Done()
	require.Less(t, time.Since(begin), 5*time.Second)
	pid, err := strconv.Atoi(strings.TrimSpace(p.output.tail()))
	require.NoError(t, err)
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

func TestNotAProgram(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "browser")
	require.NoError(t, os.WriteFile(path, []byte("\x00\x01not a program"), 0o755))
	_, err := Start(Options{Executable: path, Headless: true})
	require.ErrorContains(t, err, "not a program for this machine")
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestSandboxForcedAsRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root cannot use it")
	}
	eachBrowser(t, func(t *testing.T, o Options) {
		o.Sandbox = "on"
		p := start(t, o)
		select {
		case <-p.Done():
		case <-time.After(20 * time.Second):
			t.Fatal("it runs")
		}
		require.ErrorContains(t, p.Err(), `set browser.sandbox to "auto"`)
	})
}

func TestOutputGoesToTheLog(t *testing.T) {
	var log bytes.Buffer
	t.Setenv("BROWSER_MCP_SECRET", "hidden")
	p := start(t, Options{
		Executable: script(t, `echo to stdout; echo to stderr >&2; echo "mine: $BROWSER_MCP_SECRET"`), Headless: true,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	<-p.Done()
	require.Contains(t, log.String(), `line="to stdout"`)
	require.Contains(t, log.String(), `line="to stderr"`)
	require.NotContains(t, log.String(), "hidden")
}

func TestOwnerKilled(t *testing.T) {
	eachBrowser(t, func(t *testing.T, o Options) {
		t.Setenv("TMPDIR", t.TempDir())
		owner := exec.Command(os.Args[0])
		owner.Env = append(os.Environ(), ownerVariable+"="+o.Channel)
		owner.Stderr = os.Stderr
		out, err := owner.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, owner.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		var pid int
		var profile string
		_, err = fmt.Sscan(line, &pid, &profile)
		require.NoError(t, err)
		members := wholeFamily(t, pid, profile)
		tempdir.Sweep(nil)
		require.DirExists(t, profile, "its owner lives")

		require.NoError(t, owner.Process.Kill())
		_ = owner.Wait()
		require.Eventually(t, func() bool { return len(living(members)) == 0 }, 10*time.Second, 20*time.Millisecond, "%v", living(members))
		tempdir.Sweep(nil)
		require.NoDirExists(t, profile)
	})
}
