package tools

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/cdproto/target"
	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/cdp/workers"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

// TestControl: why no worker controls a page, for the cases that a play cannot
// bring about or cannot hold still.
func TestControl(t *testing.T) {
	requested := time.Now()
	worker := func(status serviceworker.VersionStatus, running serviceworker.VersionRunningStatus, since time.Time) session.PageWorkers {
		return session.PageWorkers{
			Target: "page", URL: "https://app.test/", Origin: "https://app.test", Requested: requested,
			Registrations: []workers.Registration{{Scope: "https://app.test/", Versions: []workers.Version{
				{Script: "https://app.test/sw.js", Status: status, Running: running, Since: since, Clients: []target.ID{"another page"}},
			}}},
		}
	}
	unknown := worker(serviceworker.VersionStatusActivated, serviceworker.VersionRunningStatusRunning, requested.Add(-time.Second))
	unknown.Requested = time.Time{}
	deleted := worker(serviceworker.VersionStatusActivated, serviceworker.VersionRunningStatusRunning, requested)
	deleted.Registrations[0].Deleted = true
	for want, p := range map[string]session.PageWorkers{
		"this load went past it":                            worker(serviceworker.VersionStatusActivated, serviceworker.VersionRunningStatusStopped, requested.Add(-time.Second)),
		"has not claimed it":                                worker(serviceworker.VersionStatusActivated, serviceworker.VersionRunningStatusRunning, requested.Add(time.Second)),
		"Reload (browser_history), or call clients.claim()": unknown,
		"its worker is unregistered":                        deleted,
		"/sw.js is installing. Call again":                  worker(serviceworker.VersionStatusInstalling, serviceworker.VersionRunningStatusRunning, requested),
		"/sw.js is waiting to be activated.":                worker(serviceworker.VersionStatusInstalled, serviceworker.VersionRunningStatusRunning, requested),
		"/sw.js is activating.":                             worker(serviceworker.VersionStatusActivating, serviceworker.VersionRunningStatusRunning, requested),
		"/sw.js has not started":                            worker(serviceworker.VersionStatusNew, serviceworker.VersionRunningStatusStopped, requested),
		"http://app.test is no secure context. Serve the app over https": {
			URL: "http://app.test/", Origin: "http://app.test", Insecure: true, Covering: -1,
		},
	} {
		require.Contains(t, control(p), "No service worker controls this page: ")
		require.Contains(t, control(p), want)
	}
}
