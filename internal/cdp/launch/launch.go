// Package launch finds a browser, starts it on a debugging pipe and ends it
// with everything it left: processes, pipes and the profile folder. It speaks no
// protocol; of chromedp it uses the Transport over a pipe alone.
package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/process"
	"github.com/browser-mcp/browser-mcp/internal/tempdir"
)

const (
	// exitGrace is how long a browser may take to end by itself; a full one needs
	// a fifth of a second. Its profile is thrown away, so that a kill loses nothing.
	exitGrace = 300 * time.Millisecond
	// killGrace bounds the wait for what was killed.
	killGrace = 1500 * time.Millisecond
)

// Options say which browser to start and how.
type Options struct {
	Executable    string   // absolute path or a name on PATH; wins over everything
	Channel       string   // one of Channels; "" takes what is there
	Headless      bool     // no window
	Sandbox       string   // auto (also ""), on, off
	Args          []string // further switches, after ours, so that they win
	Width, Height int      // window size, CSS px; 0 leaves it to the browser
	Log           *slog.Logger
}

func (o Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// A Process is one running browser. Whoever started it calls Stop, also after
// the browser ended by itself: otherwise its profile folder stays behind.
type Process struct {
	found   Found
	profile string
	log     *slog.Logger
	cmd     *exec.Cmd
	writer  *os.File // our end of the command pipe: closing it ends the browser
	pipe    *chromedp.PipeConn
	output  *output
	waitErr error // why a wait told nothing of the browser; read after done
	done    chan struct{}
	stop    sync.Once
}

// Start spawns the browser and returns at once, before it answers: a caller
// sends its first commands into the pipe, where they wait for the browser. An
// error is a fault, BrowserNotFound or BrowserStartFailed; nothing is left then.
func Start(o Options) (*Process, error) {
	found, err := Find(o)
	if err != nil {
		return nil, err
	}
	if !o.Headless && missingDisplay() {
		return nil, fault.New(fault.BrowserStartFailed, "a browser with a window needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set; %s", cureDisplay)
	}
	p := &Process{found: found, log: o.log(), done: make(chan struct{})}
	if p.profile, err = tempdir.New("", "profile"); err != nil {
		return nil, fault.New(fault.BrowserStartFailed, "no folder for the browser's profile: %w; free space in %s or set TMPDIR", err, os.TempDir())
	}
	p.cmd = exec.Command(found.Path, switches(o, found, p.profile)...)
	p.cmd.Env = environment(os.Environ(), p.profile)
	if err := p.spawn(); err != nil {
		os.RemoveAll(p.profile)
		return nil, fault.New(fault.BrowserStartFailed, "%s does not start: %w; %s", found.Path, err, cureExec(err))
	}
	p.log.Debug("browser started", "pid", p.PID(), "path", found.Path, "source", found.Source, "args", p.cmd.Args[1:])
	return p, nil
}

// spawn makes the pipes and starts the process and the goroutines that drain
// and reap it; they end by themselves with the browser.
func (p *Process) spawn() error {
	var files [6]*os.File
	for i := 0; i < len(files); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(files[:i])
			return err
		}
		files[i], files[i+1] = r, w
	}
	childR, writer, reader, childW, outR, outW := files[0], files[1], files[2], files[3], files[4], files[5]
	p.cmd.Stdout, p.cmd.Stderr = outW, outW
	err := prepare(p.cmd, childR, childW, []*os.File{writer, reader, outR})
	if err == nil {
		started := make(chan error)
		go p.run(started, outR)
		err = <-started
	}
	// The ends of the child are its own now; with them open here no pipe would ever end.
	closeAll([]*os.File{childR, childW, outW})
	if err != nil {
		closeAll([]*os.File{writer, reader, outR})
		return err
	}
	p.writer, p.pipe = writer, chromedp.NewPipeConn(reader, writer)
	return nil
}

// run starts the browser, waits for its end and clears up its children. It keeps
// its thread all the while: Linux sends the parent-death signal when the thread
// that forked ends, not the process.
func (p *Process) run(started chan<- error, outR *os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	p.output = drain(outR, p.log)
	started <- nil
	if err := p.cmd.Wait(); p.cmd.ProcessState == nil {
		p.waitErr = err
	}
	// Helpers that outlive a crashed browser would hold its pipes and its profile.
	killGroup(p.PID())
	p.output.finish()
	close(p.done)
}

// Transport is the debugging pipe. Read returns io.EOF when the browser has ended.
func (p *Process) Transport() chromedp.Transport { return p.pipe }

// PID is the process that was started: the browser, or the script that wraps it.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Found says which browser runs.
func (p *Process) Found() Found { return p.found }

// Profile is the browser's profile folder; Stop removes it.
func (p *Process) Profile() string { return p.profile }

// Done is closed when the browser has ended, been reaped, and printed its last.
func (p *Process) Done() <-chan struct{} { return p.done }

// Stop ends the browser: it closes the pipe, gives a short grace, kills the
// process group, waits until all of it is gone (two seconds at most) and removes
// the profile. It may be called often and from anywhere; every call returns after
// the end. No other method waits for it.
func (p *Process) Stop() { p.stop.Do(p.end) }

func (p *Process) end() {
	// Not pipe.Close: it would close the reading end first, which on Windows waits
	// for a read under way, and that one for the browser.
	p.writer.Close()
	if !p.ended(exitGrace) {
		p.log.Debug("browser does not end by itself: killing it", "pid", p.PID())
		kill(p.cmd.Process)
	}
	deadline := time.Now().Add(killGrace)
	p.ended(killGrace)
	for process.KillLeftovers(p.PID(), p.profile) > 0 && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond) // a killed process takes a moment to be gone, and nothing tells when
	}
	p.pipe.Close()
	if err := removeProfile(p.profile, deadline); err != nil {
		p.log.Warn("profile folder stays behind; the next start sweeps it", "path", p.profile, "error", err)
	}
}

// ended waits for the end of the browser, at most d.
func (p *Process) ended(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

// removeProfile tries again until the deadline: Windows refuses while a dying
// process still holds a file, and one may write a last file while we remove.
func removeProfile(path string, deadline time.Time) error {
	for {
		err := os.RemoveAll(path)
		if err == nil || errors.Is(err, fs.ErrPermission) && runtime.GOOS != "windows" || time.Now().After(deadline) {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Err tells how the browser ended, what it printed last and, where it is known,
// the cure. It is nil until Done is closed. It has no code of its own: whether
// the browser did not start or was lost is the caller's to know and to wrap.
func (p *Process) Err() error {
	select {
	case <-p.done:
	default:
		return nil
	}
	how := fmt.Sprint(p.cmd.ProcessState)
	if p.waitErr != nil {
		how = p.waitErr.Error()
	}
	return errors.New(explain(p.found.Path, how, p.output.tail()))
}

// environment is ours for the browser, without our own configuration: it may
// hold secrets, and the browser has no use for it.
func environment(env []string, profile string) []string {
	// Otherwise the crash handlers keep their database in the user's home, and,
	// being in a session of their own, nothing tells that they are ours to kill.
	kept := []string{"BREAKPAD_DUMP_LOCATION=" + filepath.Join(profile, "crashes")}
	for _, kv := range env {
		if !strings.HasPrefix(kv, "BROWSER_MCP_") && !strings.HasPrefix(kv, "BREAKPAD_DUMP_LOCATION=") {
			kept = append(kept, kv)
		}
	}
	return kept
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
