package server

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/config"
)

// browserPIDs lists the processes whose profile is one of this test run's.
func browserPIDs(t *testing.T, profile string) (pids []int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, path := range lines {
		line, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(line), "--user-data-dir="+profile) {
			pid, err := strconv.Atoi(strings.Split(path, "/")[2])
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// profiles lists the profile folders of this process.
func profiles(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.TempDir(), "browser-mcp-profile-"+strconv.Itoa(os.Getpid())+"-*"))
	require.NoError(t, err)
	return found
}

// newProfile runs f and gives the profile folder that came with it. The tests
// of this file do not run in parallel, so that there is one.
func newProfile(t *testing.T, f func()) string {
	t.Helper()
	before := map[string]bool{}
	for _, p := range profiles(t) {
		before[p] = true
	}
	f()
	for _, p := range profiles(t) {
		if !before[p] {
			return p
		}
	}
	require.Fail(t, "no new profile")
	return ""
}

func TestNoBrowserBeforeItIsNeeded(t *testing.T) {
	before := len(profiles(t))
	p := connect(t, newTestServer(t, nil))
	p.request("tools/list", map[string]any{})
	p.must("browser_recent_console_logs", `{}`)
	p.must("browser_clear_console_logs", `{}`)
	p.must("browser_close", `{}`)
	p.fails("read_image", `{"path": "/no/such.png"}`)
	require.Len(t, profiles(t), before)
}

func TestProfileIsPrivate(t *testing.T) {
	p := connect(t, newTestServer(t, nil))
	profile := newProfile(t, func() { p.must("browser_navigate", `{"url": "about:blank"}`) })
	info, err := os.Stat(profile)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestIdleBrowserCloses(t *testing.T) {
	p := connect(t, newTestServer(t, func(cfg *config.Config) { cfg.Session.IdleTimeout = config.Duration(700 * time.Millisecond) }))
	site := servePage(t, ``)
	profile := newProfile(t, func() { p.must("browser_navigate", map[string]any{"url": site.url}) })
	// a call under way keeps it, however long it takes
	p.fails("browser_wait_for_selector", `{"selector": "#never", "timeout": "1500ms"}`)
	require.Equal(t, "1", p.eval("1"))
	require.Eventually(t, func() bool { _, err := os.Stat(profile); return os.IsNotExist(err) }, patience, 20*time.Millisecond)
	text := p.must("browser_eval", `{"expression": "location.href"}`)
	require.Contains(t, text, "about:blank")
	require.Contains(t, text, "it was idle for 700ms")
	require.Contains(t, text, "it showed "+site.url)
}

func TestKilledBrowserIsTold(t *testing.T) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	profile := newProfile(t, func() { p.must("browser_navigate", map[string]any{"url": site.url}) })
	_, waiting := p.startCall("browser_wait_for_selector", `{"selector": "#never", "timeout": "5m"}`)
	require.Equal(t, "1", p.eval("1"))
	pids := browserPIDs(t, profile)
	require.NotEmpty(t, pids)
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	lost := p.answer(p.receive(waiting))
	require.True(t, lost.IsError)
	require.Equal(t, "ERR_BROWSER_LOST", lost.Meta.Code, lost.text())
	require.Contains(t, lost.text(), "the browser")
	text := p.must("browser_eval", `{"expression": "1 + 1"}`)
	require.Contains(t, text, ">2<")
	require.Contains(t, text, "ended unexpectedly")
	require.Contains(t, text, "it showed "+site.url)
	require.Equal(t, "3", p.eval("3"))
}

func TestCrashedPageIsTold(t *testing.T) {
	t.Run("to a wait", func(t *testing.T) {
		crashDuring(t, "browser_wait_for_selector", `{"selector": "#never", "timeout": "5m"}`)
	})
	t.Run("to an assertion", func(t *testing.T) {
		crashDuring(t, "browser_assert", `{"selector": "body", "text": "never", "timeout": "5m"}`)
	})
}

func crashDuring(t *testing.T, tool, arguments string) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	profile := newProfile(t, func() { p.must("browser_navigate", map[string]any{"url": site.url}) })
	_, waiting := p.startCall(tool, arguments)
	require.Equal(t, "1", p.eval("new Promise((done) => setTimeout(done, 200, 1))")) // it has looked
	killed := 0
	for _, pid := range childrenOf(t, browserPIDs(t, profile)) {
		line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if err == nil && strings.Contains(string(line), "--type=renderer") {
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			killed++
		}
	}
	require.NotZero(t, killed)
	lost := p.answer(p.receive(waiting))
	require.Equal(t, "ERR_PAGE_CRASHED", lost.Meta.Code, lost.text())
	require.Contains(t, lost.text(), site.url)
	text := p.must("browser_eval", `{"expression": "location.href"}`)
	require.Contains(t, text, "about:blank")
	require.Contains(t, text, "the page had crashed")
	require.Contains(t, p.must("browser_navigate", map[string]any{"url": site.url}), "Loaded")
	require.Equal(t, "3", p.eval("3"))
}

// childrenOf lists the processes below the given ones.
func childrenOf(t *testing.T, pids []int) (all []int) {
	t.Helper()
	for _, pid := range pids {
		lists, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
		require.NoError(t, err)
		for _, path := range lists {
			raw, _ := os.ReadFile(path)
			for _, word := range strings.Fields(string(raw)) {
				child, err := strconv.Atoi(word)
				require.NoError(t, err)
				all = append(all, child)
				all = append(all, childrenOf(t, []int{child})...)
			}
		}
	}
	return all
}

func TestTooManyBrowsersAreRefused(t *testing.T) {
	s := newTestServer(t, func(cfg *config.Config) { cfg.Session.Max = 1 })
	one, two := connect(t, s), connect(t, s)
	one.must("browser_navigate", `{"url": "about:blank"}`)
	require.Contains(t, two.fails("browser_navigate", `{"url": "about:blank"}`), "1 browsers are open, which is the limit (session.max): sessions client-")
	one.must("browser_close", `{}`)
	two.must("browser_navigate", `{"url": "about:blank"}`)
}

func TestMissingBrowserIsTold(t *testing.T) {
	p := connect(t, newTestServer(t, func(cfg *config.Config) { cfg.Browser.Executable = "/no/such/browser" }))
	a := p.call("browser_navigate", `{"url": "about:blank"}`)
	require.Equal(t, "ERR_BROWSER_NOT_FOUND", a.Meta.Code)
	require.Contains(t, a.text(), "/no/such/browser")
	require.Nil(t, p.request("ping", map[string]any{}).Error)
}

func TestBrokenBrowserIsTold(t *testing.T) {
	script := filepath.Join(t.TempDir(), "browser")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\necho 'cannot open the display of doom' >&2\nexit 3\n"), 0o755))
	p := connect(t, newTestServer(t, func(cfg *config.Config) { cfg.Browser.Executable = script }))
	a := p.call("browser_navigate", `{"url": "about:blank"}`)
	require.Equal(t, "ERR_BROWSER_START_FAILED", a.Meta.Code, a.text())
	require.Contains(t, a.text(), "display of doom")
}

func TestClosedWindowIsReplaced(t *testing.T) {
	site := servePage(t, `<button onclick="window.open('/late/0')">open</button>`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	p.must("browser_eval", `{"expression": "open('', '_self'); setTimeout(() => close())"}`)
	require.Eventually(t, func() bool {
		a := p.call("browser_eval", `{"expression": "1 + 1"}`)
		return !a.IsError && strings.Contains(a.text(), ">2<")
	}, patience, 50*time.Millisecond)
}

// TestFloodSlowsNobody: a window that writes more lines than are kept while
// another one works.
func TestFloodSlowsNobody(t *testing.T) {
	site := servePage(t, ``)
	flood := servePage(t, `<script>setTimeout(() => { for (let i = 0; i < 20000; i++) console.log('line ' + i); console.log('the last line'); })</script>`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	// without an opener it has a renderer of its own; sharing one, both would wait for its script
	p.must("browser_eval", map[string]any{"expression": "window.open('" + flood.url + "', '', 'noopener'); 1"})
	slowest := time.Duration(0)
	answered := 0
	require.Eventually(t, func() bool {
		started := time.Now()
		require.Equal(t, "2", p.eval("1 + 1"))
		slowest = max(slowest, time.Since(started))
		answered++
		return strings.Contains(p.must("browser_recent_console_logs", `{"contains": "the last line", "limit": 1}`), "the last line")
	}, patience, 10*time.Millisecond)
	t.Logf("%d evaluations meanwhile, the slowest took %s", answered, slowest)
	require.Greater(t, answered, 1)
	require.Contains(t, p.must("browser_recent_console_logs", `{"contains": "the last line"}`), "older ones were dropped")
}

func TestHangingBrowserObeysTheDeadline(t *testing.T) {
	script := filepath.Join(t.TempDir(), "browser")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec sleep 100\n"), 0o755))
	p := connect(t, newTestServer(t, func(cfg *config.Config) { cfg.Browser.Executable = script }))
	a := p.call("browser_navigate", `{"url": "about:blank", "timeout": "300ms"}`)
	require.Equal(t, "ERR_TIMEOUT", a.Meta.Code)
	require.Contains(t, a.text(), "Timeout after 300ms while the browser was starting")
	require.Empty(t, p.must("browser_close", `{}`)[:0])
	started := time.Now()
	p.end() // the start under way does not keep the session
	require.Less(t, time.Since(started), startPatience)
}

// startPatience is far below the time that a browser is given to start.
const startPatience = 15 * time.Second

func TestQueuedCallObeysItsDeadline(t *testing.T) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	_, busy := p.startCall("browser_eval", `{"expression": "new Promise(() => {})", "timeout": "2s"}`)
	a := p.call("browser_eval", `{"expression": "window.ran = true", "timeout": "200ms"}`)
	require.Equal(t, "ERR_TIMEOUT", a.Meta.Code)
	require.Contains(t, a.text(), "Timeout after 200ms waiting for the calls before it; nothing was done")
	require.True(t, p.answer(p.receive(busy)).IsError)
	require.Equal(t, "undefined", p.eval("window.ran"))
}

func TestCloseComesAfterTheCallsBeforeIt(t *testing.T) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	_, navigated := p.startCall("browser_navigate", map[string]any{"url": site.url})
	require.Contains(t, p.must("browser_close", `{}`), "The browser is closed")
	require.False(t, p.answer(p.receive(navigated)).IsError)
}
