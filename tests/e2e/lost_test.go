//go:build linux

package e2e

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBrowserKilled answers the call under way at once, and the next call has a
// fresh browser and says so.
func TestBrowserKilled(t *testing.T) {
	for _, doing := range []string{waiting, looping, loading} {
		t.Run(doing, func(t *testing.T) {
			t.Parallel()
			s, site := start(t), newApp(t)
			reply := s.engage(site, doing)
			browser := s.browser()
			killed := time.Now()
			require.NoError(t, syscall.Kill(browser.pid, syscall.SIGKILL))
			a := s.finish(reply)
			t.Logf("answered after %s: %s", time.Since(killed).Round(time.Millisecond), a.text())
			require.Less(t, time.Since(killed), 3*time.Second)
			require.True(t, a.IsError)
			require.Equal(t, "ERR_BROWSER_LOST", a.Meta.Code)
			require.Regexp(t, `(?s)^the browser (is gone|ended).*killed.*The next call starts a fresh one`, a.text())
			started := time.Now()
			text := s.must("browser_eval", map[string]any{"expression": "20 + 22"})
			t.Logf("fresh browser after %s: %s", time.Since(started).Round(time.Millisecond), text)
			require.Contains(t, text, "42")
			require.Contains(t, text, "cookies and storage are lost")
			require.Contains(t, text, site.url)
			require.NotContains(t, s.must("browser_eval", map[string]any{"expression": "1"}), "lost", "said once")
			require.Eventually(t, func() bool { return len(stillAlive(s.family)) == 0 && len(foldersOf(s)) == 2 }, 10*time.Second, 5*time.Millisecond, "the old profile goes, the files stay")
		})
	}
}

// TestEndsAfterBrowserKilled ends the server as soon as the loss is told.
func TestEndsAfterBrowserKilled(t *testing.T) {
	t.Parallel()
	s := start(t)
	reply := s.engage(newApp(t), waiting)
	require.NoError(t, syscall.Kill(s.browser().pid, syscall.SIGKILL))
	require.True(t, s.finish(reply).IsError)
	ordered := time.Now()
	_ = s.in.Close()
	s.mustBeGone(ordered)
}

// TestNoBrowser names what was looked for, and serves on.
func TestNoBrowser(t *testing.T) {
	t.Parallel()
	s := startWith(t, []string{"PATH=/nonexistent"}, "--browser-executable=/nonexistent")
	for range 2 {
		a := s.call("browser_navigate", map[string]any{"url": "http://127.0.0.1:1/"})
		require.True(t, a.IsError)
		require.Equal(t, "ERR_BROWSER_NOT_FOUND", a.Meta.Code)
		require.Contains(t, a.text(), "/nonexistent")
		require.Contains(t, a.text(), "browser.executable", "the next step")
	}
	require.Equal(t, "No console messages.", s.must("browser_recent_console_logs", nil))
	ordered := time.Now()
	_ = s.in.Close()
	s.mustBeGone(ordered)
}

// TestMemory bounds what the server itself keeps after many calls.
func TestMemory(t *testing.T) {
	t.Parallel()
	const calls, most = 1000, 40 << 10 // kB
	s, site := start(t), newApp(t)
	s.must("browser_navigate", map[string]any{"url": site.url})
	before, started := memory(s.pid, "VmRSS"), time.Now()
	for range calls {
		s.must("browser_eval", map[string]any{"expression": "[...document.querySelectorAll('*')].map((e) => e.tagName)"})
	}
	took := time.Since(started)
	after := memory(s.pid, "VmRSS")
	t.Logf("VmRSS %d kB before and %d kB after %d calls (VmHWM %d kB), %s a call", before, after, calls, memory(s.pid, "VmHWM"), (took / calls).Round(time.Microsecond))
	require.Positive(t, after)
	require.LessOrEqual(t, after, most)
}

// TestMemoryOfAFlood bounds what the server ever needs for a page that logs
// objects without end, and for its answers about it.
func TestMemoryOfAFlood(t *testing.T) {
	t.Parallel()
	const most, limit = 60 << 10, 4096 // kB, bytes
	s, site := start(t), newApp(t)
	s.must("browser_navigate", map[string]any{"url": site.url})
	for part := range 4 { // each has the patience of one call
		s.must("browser_eval", map[string]any{"timeout": "60s", "expression": fmt.Sprintf(`for (let i = %d; i < %d; i++) console.log({i, name: 'entry ' + i, tags: ['a', 'b', {deep: {er: i}}], when: new Date(0)})`, part*25000, (part+1)*25000)})
	}
	s.must("browser_eval", map[string]any{"expression": `console.log('the last one')`})
	var answer string
	require.Eventually(t, func() bool {
		answer = s.must("browser_recent_console_logs", map[string]any{"limit": 5})
		require.LessOrEqual(t, len(answer), limit)
		return strings.Contains(answer, "the last one")
	}, patience, 20*time.Millisecond)
	require.Contains(t, answer, "99001 older ones were dropped")
	require.Contains(t, answer, `{i: 99999, name: "entry 99999", tags: ["a", "b", {deep: {er: 99999}}], when: 1970-01-01T00:00:00.000Z}`)
	require.LessOrEqual(t, len(s.must("browser_recent_console_logs", map[string]any{"limit": 1000})), limit)
	high := memory(s.pid, "VmHWM")
	t.Logf("VmHWM %d kB", high)
	require.Positive(t, high)
	require.LessOrEqual(t, high, most)
}
