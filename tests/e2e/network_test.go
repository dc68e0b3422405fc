//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestArchiveIsValid: what is exported passes the schema of HTTP Archives, also
// with requests that failed, were redirected or have no answer yet.
func TestArchiveIsValid(t *testing.T) {
	t.Parallel()
	folder := install(t, "har", "har-validator", "validate.mjs")
	s := start(t, "--tools-sets=all")
	site := newApp(t)
	s.must("browser_navigate", map[string]any{"url": site.url})
	s.must("browser_eval", map[string]any{"expression": `
		await (await fetch('/tasks', {method: 'POST', body: '<ä>', headers: {Cookie: 'no', 'X-Empty': ''}})).text();
		await fetch('/nothing?empty=&=&a=%zz#part').catch(() => {});
		await fetch('http://nosuch.invalid/').catch(() => {});
		await fetch('data:text/plain,inline').catch(() => {});
		await fetch(URL.createObjectURL(new Blob(['made here']))).then((r) => r.text());
		document.body.append(Object.assign(document.createElement('iframe'), {src: 'about:blank'}));
		new WebSocket('ws://' + location.host + '/nothing');
		fetch('/hang'); 1`})
	require.Equal(t, "hang", <-site.seen)
	for _, arguments := range []map[string]any{{}, {"bodies": true}} {
		a := s.call("browser_export_har", arguments)
		require.False(t, a.IsError, a.text())
		_, path := a.link()
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		check := exec.CommandContext(ctx, "node", "validate.mjs")
		check.Dir, check.Stdin, check.WaitDelay = folder, bytes.NewReader(data), time.Second
		out, err := check.CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, data)
	}
}

// TestThousandsOfRequests leave the server small, and the answers short.
func TestThousandsOfRequests(t *testing.T) {
	t.Parallel()
	const requests, kept, most = 3500, 3000, 60 << 20
	s := start(t)
	site := newApp(t)
	s.must("browser_navigate", map[string]any{"url": site.url})
	for done := 0; done < requests; done += 500 {
		s.must("browser_eval", map[string]any{"expression": fmt.Sprintf(`
			const ask = async (i) => { for (; i < %d; i += 20) await (await fetch('/favicon.ico?' + i)).text() };
			await Promise.all(Array.from({length: 20}, (_, i) => ask(%d + i))); 1`, done+500, done), "timeout": "60s"})
	}
	text := s.must("browser_recent_network_requests", map[string]any{"limit": kept})
	require.LessOrEqual(t, len(text), 4096)
	a := s.must("browser_recent_network_requests", map[string]any{"limit": 1, "url": "favicon.ico"})
	require.Regexp(t, `^1 of 3000 network requests, newest first\. \d+ older ones were dropped\.\n#\d+ GET 204 Fetch`, a)
	require.NotContains(t, a, "too fast")
	require.Contains(t, s.must("browser_get_network_sources", map[string]any{"limit": 1}), "3000 network")
	peak := peakMemory(t, s.pid)
	t.Logf("%.1f MB at most", float64(peak)/(1<<20))
	require.Less(t, peak, most)
	fine := s.must("browser_eval", map[string]any{"expression": "1 + 1"})
	require.Contains(t, fine, ">2<")
}

// peakMemory is the most that a process has had in memory at a time, in bytes.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	require.NoError(t, err)
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(t, found)
	n, err := strconv.Atoi(string(found[1]))
	require.NoError(t, err)
	return n << 10
}
