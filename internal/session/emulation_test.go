package session

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
)

// TestStoppedWorkerObeysTheLatestOrder: a worker that stops keeps what it was
// told, and hears of nothing until it starts again.
func TestStoppedWorkerObeysTheLatestOrder(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sw.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim()); onfetch = (e) => e.respondWith(fetch(e.request))`)
			return
		}
		fmt.Fprint(w, "<title>App</title>")
	}))
	defer site.Close()
	defer site.CloseClientConnections()
	s := open(t)
	err := s.Drive(t.Context(), 40*time.Second, func(ctx context.Context, tab *Tab) error {
		_, err := tab.Navigate(ctx, site.URL, page.Load)
		require.NoError(t, err)
		_, err = tab.Eval(ctx, `navigator.serviceWorker.register('/sw.js'); await new Promise((r) => { navigator.serviceWorker.oncontrollerchange = r }); 1`, nil, true)
		require.NoError(t, err)
		_, err = cdp.Call(ctx, tab.Session(), serviceworker.Enable, cdp.Empty{})
		require.NoError(t, err)
		for _, offline := range []bool{true, false, true, false} {
			_, err = cdp.Call(ctx, tab.Session(), serviceworker.StopAllWorkers, cdp.Empty{})
			require.NoError(t, err)
			reach := s.SetOffline(ctx, offline)
			require.Equal(t, 1, reach.Targets["page"])
			got, err := tab.Eval(ctx, `fetch('/data').then(() => 'online', () => 'offline')`, nil, true)
			require.NoError(t, err)
			require.Equal(t, map[bool]string{true: `"offline"`, false: `"online"`}[offline], got.Text)
		}
		return nil
	})
	require.NoError(t, err)
}
