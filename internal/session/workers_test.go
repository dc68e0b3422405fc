package session

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	protopage "github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
)

// TestHardReloadGoesPastTheWorker: the registration covers the page and is
// active since before the load, and does not control it.
func TestHardReloadGoesPastTheWorker(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sw.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim()); onfetch = () => {}`)
			return
		}
		fmt.Fprint(w, "<title>App</title>")
	}))
	defer site.Close()
	defer site.CloseClientConnections()
	s := open(t)
	err := s.Drive(t.Context(), 30*time.Second, func(ctx context.Context, tab *Tab) error {
		controlled := func() bool {
			p, err := s.ServiceWorkers(ctx, tab)
			require.NoError(t, err)
			require.Zero(t, p.Covering)
			version := p.Registrations[0].Versions[0]
			require.True(t, version.Controls(p.Target) || version.Since.Before(p.Requested))
			return version.Controls(p.Target)
		}
		_, err := tab.Navigate(ctx, site.URL, page.Load)
		require.NoError(t, err)
		_, err = tab.Eval(ctx, `navigator.serviceWorker.register('/sw.js'); await new Promise((r) => { navigator.serviceWorker.oncontrollerchange = r }); 1`, nil, true)
		require.NoError(t, err)
		require.True(t, controlled())
		_, err = cdp.Call(ctx, tab.Session(), protopage.Reload, protopage.ReloadParams{IgnoreCache: new(true)})
		require.NoError(t, err)
		require.Eventually(t, func() bool { return !controlled() }, 10*time.Second, 20*time.Millisecond)
		_, err = tab.Travel(ctx, "reload")
		require.NoError(t, err)
		require.True(t, controlled())
		return nil
	})
	require.NoError(t, err)
}
