//go:build linux

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A pwa is an app with a Workbox service worker: scripts come from the cache
// first, documents and the API from the cache while they are fetched anew.
type pwa struct {
	url string

	mu      sync.Mutex
	version int            // of the worker's script
	asked   map[string]int // how often the network was, by path
}

const pwaWorker = `// version %d
importScripts('/workbox/workbox-sw.js');
workbox.setConfig({debug: false, modulePathPrefix: '/workbox/'});
const {registerRoute} = workbox.routing;
const {CacheFirst, StaleWhileRevalidate} = workbox.strategies;
registerRoute(({request}) => request.destination === 'script', new CacheFirst({cacheName: 'scripts'}));
registerRoute(({request}) => request.mode === 'navigate', new StaleWhileRevalidate({cacheName: 'pages'}));
registerRoute(({url}) => url.pathname === '/api', new StaleWhileRevalidate({cacheName: 'api'}));
addEventListener('install', () => console.log('installing', {version: {number: %[1]d, of: ['the', 'worker']}}));
addEventListener('message', (e) => { if (e.data === 'skip waiting') skipWaiting(); });
`

const pwaPage = `<!doctype html><title>Notes</title><script src="/app.js"></script><h1>Notes</h1>
<script>navigator.serviceWorker.register('/sw.js')</script>`

func newPWA(t *testing.T) *pwa {
	t.Helper()
	packages := filepath.Join(install(t, "pwa", "workbox-sw"), "node_modules")
	a := &pwa{version: 1, asked: map[string]int{}}
	mux := http.NewServeMux()
	serve := func(path, mime string, body func(version, asked int) string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			a.mu.Lock()
			a.asked[r.URL.Path]++
			version, asked := a.version, a.asked[r.URL.Path]
			a.mu.Unlock()
			w.Header().Set("Content-Type", mime)
			w.Header().Set("Cache-Control", "no-store") // otherwise the browser's own cache helps out
			fmt.Fprint(w, body(version, asked))
		})
	}
	serve("/{$}", "text/html; charset=utf-8", func(int, int) string { return pwaPage })
	serve("/uncached", "text/html; charset=utf-8", func(int, int) string { return pwaPage })
	serve("/app.js", "text/javascript", func(int, int) string { return "window.app = 'loaded'" })
	serve("/sw.js", "text/javascript", func(version, _ int) string { return fmt.Sprintf(pwaWorker, version) })
	serve("/api", "text/plain", func(_, asked int) string { return fmt.Sprintf("answer %d", asked) })
	mux.HandleFunc("GET /workbox/{file}", func(w http.ResponseWriter, r *http.Request) {
		file := r.PathValue("file")
		name, _, _ := strings.Cut(file, ".")
		http.ServeFile(w, r, filepath.Join(packages, name, "build", file))
	})
	site := httptest.NewServer(mux)
	t.Cleanup(func() {
		site.CloseClientConnections() // a browser's open connections would keep Close waiting
		site.Close()
	})
	a.url = site.URL + "/"
	return a
}

func (a *pwa) count(path string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked[path]
}

func (a *pwa) publish(version int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.version = version
}

// TestPWA drives an app with a Workbox worker through its life, with the tools
// alone.
func TestPWA(t *testing.T) {
	a, s := newPWA(t), start(t)
	eval := func(expression string) string {
		t.Helper()
		return s.must("browser_eval", map[string]any{"expression": expression})
	}
	workers := func() string {
		t.Helper()
		return s.must("browser_get_service_workers", nil)
	}
	// Installed and active, and the page that registered it is not its own yet.
	require.Contains(t, s.must("browser_navigate", map[string]any{"url": a.url}), `Loaded "Notes" (200)`)
	eval(`navigator.serviceWorker.ready.then(() => 1)`)
	require.Regexp(t, `^No service worker controls this page: /sw.js (became active after this page had been loaded|is activating)`, workers())
	require.Contains(t, s.must("browser_recent_console_logs", map[string]any{"contains": "installing"}), `installing {version: {number: 1, of: ["the", "worker"]}} (service worker, `)

	// The reload puts it in control, and fills its caches.
	s.must("browser_history", map[string]any{"action": "reload"})
	require.Regexp(t, `^This page is controlled by /sw.js \(activated, running\)\.`, workers())
	require.Contains(t, eval(`fetch('/api').then((r) => r.text())`), `"answer 1"`)
	require.Eventually(t, func() bool {
		return regexp.MustCompile(`Caches with their entries: .*"pages" 1`).MatchString(workers()) && strings.Contains(workers(), `"scripts" 1`) && strings.Contains(workers(), `"api" 1`)
	}, patience, 20*time.Millisecond)

	// From the cache first: the network is not asked. While revalidating: it is,
	// and its answer is there the next time.
	scripts, pages := a.count("/app.js"), a.count("/")
	s.must("browser_history", map[string]any{"action": "reload"})
	require.Contains(t, eval(`app`), `"loaded"`)
	require.Contains(t, eval(`fetch('/api').then((r) => r.text())`), `"answer 1"`)
	require.Eventually(t, func() bool { return a.count("/") > pages && a.count("/api") == 2 }, patience, 20*time.Millisecond)
	require.Equal(t, scripts, a.count("/app.js"))
	require.Eventually(t, func() bool { return strings.Contains(eval(`caches.match('/api').then((r) => r.text())`), `"answer 2"`) }, patience, 20*time.Millisecond)

	// Offline the caches go on, and nothing else does.
	require.Contains(t, s.must("browser_set_offline", map[string]any{"offline": true}), "Offline: 1 page(s), 1 service worker(s).")
	require.Contains(t, s.must("browser_history", map[string]any{"action": "reload"}), `Loaded "Notes" (200)`)
	require.Contains(t, eval(`[app, navigator.onLine]`), `["loaded",false]`)
	require.Contains(t, eval(`fetch('/api').then((r) => r.text())`), `"answer 2"`)
	require.Contains(t, eval(`fetch('/data').then((r) => r.status, String)`), "TypeError: Failed to fetch")
	refused := s.call("browser_navigate", map[string]any{"url": a.url + "uncached"})
	require.True(t, refused.IsError, refused.text())
	require.Contains(t, s.must("browser_navigate", map[string]any{"url": a.url}), `Loaded "Notes" (200)`)
	require.Regexp(t, `^This page is controlled by /sw.js`, workers())
	require.Equal(t, 2, a.count("/api"), "the network was asked while offline")
	require.Zero(t, a.count("/uncached"))
	require.Equal(t, "Online: 1 page(s), 1 service worker(s).", s.must("browser_set_offline", map[string]any{"offline": false}))
	require.Contains(t, s.must("browser_navigate", map[string]any{"url": a.url + "uncached"}), `Loaded "Notes" (200)`)

	// An update waits until it is told to go on, and then takes over.
	a.publish(2)
	eval(`navigator.serviceWorker.getRegistration().then((r) => r.update()).then((r) => new Promise((ok) => {
		const w = r.installing, look = () => (!w || w.state === 'installed') && ok(1); if (w) w.onstatechange = look; look() }))`)
	waiting := workers()
	require.Regexp(t, `^This page is controlled by /sw.js`, waiting)
	require.Contains(t, waiting, "- waiting: /sw.js, running; it takes over when the active one has no more pages")
	require.Contains(t, waiting, "- active: /sw.js, running, controls this page")
	eval(`navigator.serviceWorker.getRegistration().then((r) => new Promise((ok) => {
		const w = r.waiting; w.onstatechange = () => w.state === 'activated' && ok(1); w.postMessage('skip waiting') }))`)
	updated := workers()
	require.Regexp(t, `^This page is controlled by /sw.js \(activated, running\)\.`, updated)
	require.NotContains(t, updated, "waiting")
	require.Contains(t, updated, "- redundant: /sw.js")
	require.Contains(t, s.must("browser_recent_console_logs", map[string]any{"contains": "installing", "limit": 1}), "number: 2")
}
