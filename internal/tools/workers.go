package tools

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/serviceworker"

	"github.com/browser-mcp/browser-mcp/internal/cdp/workers"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

// Bounds of an answer about service workers.
const (
	maxScopes      = 10
	maxErrors      = 5
	workerLimit    = 200 // bytes of an address
	messageLimit   = 300 // bytes of an error
	cacheNameLimit = 80
)

type getServiceWorkersArgs struct{}

func getServiceWorkers(ctx context.Context, s *session.Session, tab *session.Tab, _ getServiceWorkersArgs) (tool.Reply, error) {
	p, err := s.ServiceWorkers(ctx, tab)
	if err != nil {
		return tool.Reply{}, err
	}
	lines := []string{control(p)}
	for i, r := range p.Registrations {
		if i == maxScopes {
			lines = append(lines, fmt.Sprintf("… %d more registrations of this origin", len(p.Registrations)-i))
			break
		}
		lines = append(lines, registrationLines(p, r, i == p.Covering)...)
	}
	lines = append(lines, errorLines(p)...)
	if p.Origin != "" {
		lines = append(lines, cacheLine(p))
	}
	if p.Elsewhere > 0 {
		lines = append(lines, fmt.Sprintf("Other origins: %d registration(s).", p.Elsewhere))
	}
	if p.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("%d older registrations were too many to be kept.", p.Dropped))
	}
	return tool.Text(strings.Join(lines, "\n")), nil
}

// control says which worker controls the page; without one, why, and what to do.
func control(p session.PageWorkers) string {
	for _, r := range p.Registrations {
		for _, v := range r.Versions {
			if v.Controls(p.Target) {
				return fmt.Sprintf("This page is controlled by %s (%s, %s).", local(p, v.Script), v.Status, v.Running)
			}
		}
	}
	return "No service worker controls this page: " + uncontrolled(p)
}

func uncontrolled(p session.PageWorkers) string {
	switch {
	case p.Failed:
		return "its load failed, and the browser shows an error page. Open it again when it can be loaded."
	case p.Origin == "":
		return fmt.Sprintf("%s has no origin that could have one. Open the app with browser_navigate.", clip.Text(p.URL, workerLimit))
	case p.Insecure:
		return fmt.Sprintf("%s is no secure context. Serve the app over https, or from localhost.", p.Origin)
	case len(p.Registrations) == 0 && len(p.Errors) > 0:
		return "nothing is registered, because the last one failed (below). Mend the worker and register it again."
	case len(p.Registrations) == 0:
		return fmt.Sprintf("%s has registered none. If it calls navigator.serviceWorker.register(), look for its rejection in browser_recent_console_logs.", p.Origin)
	case p.Covering < 0:
		return fmt.Sprintf("no scope covers %s. Open a page below a scope, or register with a wider one (header Service-Worker-Allowed).", clip.Text(local(p, p.URL), workerLimit))
	}
	return unclaimed(p, p.Registrations[p.Covering])
}

// unclaimed is why the registration that covers the page does not control it.
func unclaimed(p session.PageWorkers, r workers.Registration) string {
	var coming *workers.Version
	for _, v := range r.Versions {
		switch v.Status {
		case serviceworker.VersionStatusActivated:
			if r.Deleted {
				return "its worker is unregistered, and goes with the pages that it still controls. Register it again."
			}
			if !p.Requested.IsZero() && v.Since.Before(p.Requested) {
				return fmt.Sprintf("%s is active, but this load went past it, as one that ignores caches does. A plain reload (browser_history) puts it in control.", local(p, v.Script))
			}
			return fmt.Sprintf("%s became active after this page had been loaded, and has not claimed it. Reload (browser_history), or call clients.claim() in its activate handler.", local(p, v.Script))
		case serviceworker.VersionStatusRedundant:
		default:
			coming = &v
		}
	}
	switch {
	case coming == nil:
		return "its worker has not begun to load. Call again."
	case coming.Status == serviceworker.VersionStatusNew && coming.Running == serviceworker.VersionRunningStatusStopped:
		return fmt.Sprintf("%s has not started: it is loading still, or could not be loaded, which browser_recent_console_logs tells.", local(p, coming.Script))
	}
	return fmt.Sprintf("%s is %s. Call again when it is done.", local(p, coming.Script), phase(coming.Status))
}

// phase is the word for a state that passes.
func phase(status serviceworker.VersionStatus) string {
	switch status {
	case serviceworker.VersionStatusActivating:
		return "activating"
	case serviceworker.VersionStatusInstalled:
		return "waiting to be activated"
	default:
		return "installing"
	}
}

func registrationLines(p session.PageWorkers, r workers.Registration, covers bool) []string {
	heading := "Scope " + local(p, r.Scope)
	if covers {
		heading += ", which covers this page"
	}
	if r.Deleted {
		heading += ", unregistered"
	}
	lines := []string{heading + ":"}
	if len(r.Versions) == 0 {
		return []string{heading + ": no worker yet"}
	}
	for _, v := range r.Versions {
		lines = append(lines, "- "+versionLine(p, r, v))
	}
	return lines
}

// versionLine is `active: /sw.js, running, controls this page and 1 other`.
func versionLine(p session.PageWorkers, r workers.Registration, v workers.Version) string {
	role := map[serviceworker.VersionStatus]string{
		serviceworker.VersionStatusInstalled:  "waiting",
		serviceworker.VersionStatusActivating: "activating",
		serviceworker.VersionStatusActivated:  "active",
		serviceworker.VersionStatusRedundant:  "redundant",
	}[v.Status]
	line := fmt.Sprintf("%s: %s, %s", cmp.Or(role, "installing"), local(p, v.Script), v.Running)
	others := len(v.Clients)
	switch {
	case v.Controls(p.Target) && others > 1:
		line += fmt.Sprintf(", controls this page and %d other client(s)", others-1)
	case v.Controls(p.Target):
		line += ", controls this page"
	case others > 0:
		line += fmt.Sprintf(", controls %d other client(s)", others)
	case v.Status == serviceworker.VersionStatusActivated:
		line += ", controls no page"
	}
	if v.Status == serviceworker.VersionStatusInstalled && hasActive(r) {
		line += "; it takes over when the active one has no more pages, or when it calls skipWaiting()"
	}
	return line
}

func hasActive(r workers.Registration) bool {
	for _, v := range r.Versions {
		if v.Status == serviceworker.VersionStatusActivated {
			return true
		}
	}
	return false
}

func errorLines(p session.PageWorkers) []string {
	var lines []string
	for i, e := range p.Errors {
		if i == maxErrors {
			return append(lines, fmt.Sprintf("… %d older errors", len(p.Errors)-i))
		}
		line := e.Time.Format("Error 15:04:05: ") + tool.OneLine(clip.Text(e.Text, messageLimit))
		if e.Source != "" {
			line += " (" + local(p, e.Source) + ")"
		}
		if e.Count > 1 {
			line += fmt.Sprintf(", %d times", e.Count)
		}
		lines = append(lines, line)
	}
	return lines
}

func cacheLine(p session.PageWorkers) string {
	if len(p.Caches) == 0 {
		return "No caches."
	}
	var parts []string
	for _, c := range p.Caches {
		count := "?"
		if c.Entries >= 0 {
			count = strconv.Itoa(c.Entries)
		}
		parts = append(parts, fmt.Sprintf("%q %s", clip.Text(c.Name, cacheNameLimit), count))
	}
	if p.MoreCaches > 0 {
		parts = append(parts, fmt.Sprintf("… %d more caches", p.MoreCaches))
	}
	return "Caches with their entries: " + strings.Join(parts, ", ")
}

// local leaves the page's own origin off an address.
func local(p session.PageWorkers, address string) string {
	if p.Origin != "" {
		if path, ok := strings.CutPrefix(address, p.Origin+"/"); ok {
			address = "/" + path
		}
	}
	return clip.Text(address, workerLimit)
}
