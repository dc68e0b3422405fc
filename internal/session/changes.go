package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/console"
	"github.com/browser-mcp/browser-mcp/internal/cdp/downloads"
	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// A Before is the state of a session before an action, to tell what it changed.
type Before struct {
	session   *Session
	browser   *browser
	tab       *Tab
	others    []*Tab
	url       string
	dialog    *page.Dialog
	chooser   bool // a file chooser was open
	opened    int
	tabs      int
	downloads downloads.Mark
	errors    int
	requests  int
}

// Before notes the state before an action on the tab.
func (s *Session) Before(tab *Tab) Before {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	before := Before{
		session: s, browser: b, tab: tab, url: tab.URL(), dialog: tab.Dialog(), chooser: tab.Choosing(),
		errors: s.Console.Mark(), requests: s.Requests.Mark(),
		downloads: s.Downloads.Mark(),
	}
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		before.opened, before.tabs = b.opened, len(b.tabs)
		before.others = slices.DeleteFunc(slices.Clone(b.tabs), func(t *Tab) bool { return t == tab })
	}
	return before
}

// openDialog is the dialog that stops the page, be it another tab's.
func (b Before) openDialog() *page.Dialog {
	if b.browser == nil {
		return nil
	}
	if tab := b.browser.stopped(); tab != nil {
		return tab.Dialog()
	}
	return nil
}

// Changes tells what has changed since, one short line each. told says that the
// answer tells the page's address and downloads already.
func (b Before) Changes(ctx context.Context, told bool) []string {
	if b.browser != nil && b.browser.gone() {
		return nil // all of it is lost, which the answer says
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if d := b.openDialog(); d != nil && d != b.dialog {
		add("Dialog opened: %s. Answer it with browser_handle_dialog.", d)
	} else if url := b.tab.URL(); url != b.url && !told {
		add("Page is now %q %s", clip.Text(b.tab.Title(ctx), 100), clip.Text(url, 400))
	}
	if b.tab.Choosing() && !b.chooser {
		add("File chooser opened: browser_upload_file without a selector answers it")
	}
	if b.browser != nil && b.browser.conn.AwaitSetups(ctx) == nil {
		lines = append(lines, b.windows()...)
	}
	if !told {
		lines = append(lines, b.files()...)
	}
	failed := b.session.Requests.FailedSince(b.requests, b.concerns)
	errs := b.session.Console.ErrorsSince(b.errors, b.concerns)
	if told {
		failed, errs = withoutDocuments(failed, errs)
	}
	if len(errs) > 0 {
		add("New console errors: %d, first: %s", len(errs), clip.Text(errs[0].Text, 200))
	}
	if len(failed) > 0 {
		add("Failed requests: %d, first: %s %s (%s)", len(failed), clip.Text(failed[0].Method, 40), clip.Text(failed[0].URL, 200), failed[0].Reason())
	}
	return lines
}

// concerns reports whether what the session's target does may be of the action: it
// belongs to none of the tabs that were beside the action's.
func (b Before) concerns(target *cdp.Session) bool {
	return !slices.ContainsFunc(b.others, func(t *Tab) bool { return target.Within(t.Session()) })
}

// files tells which downloads began or ended.
func (b Before) files() []string {
	var lines []string
	downloads := b.session.Downloads.Since(b.downloads)
	for i, d := range downloads {
		if i == 5 {
			return append(lines, fmt.Sprintf("and %d more downloads", len(downloads)-i))
		}
		lines = append(lines, fmt.Sprintf("Download: %s", d))
	}
	return lines
}

// withoutDocuments leaves out the failures of the tabs' documents, and what the
// console says about them, which the answer itself tells.
func withoutDocuments(failed []network.Request, errs []console.Message) ([]network.Request, []console.Message) {
	for _, r := range failed {
		if document(r) {
			errs = slices.DeleteFunc(errs, func(m console.Message) bool { return strings.HasSuffix(m.Text, " "+r.URL) })
		}
	}
	return slices.DeleteFunc(failed, document), errs
}

// document reports whether a request is for what a tab shows, and not a frame in it.
func document(r network.Request) bool { return r.Type == "Document" && r.Page == r.Number }

// windows tells which tabs came and went.
func (b Before) windows() []string {
	b.browser.mu.Lock()
	defer b.browser.mu.Unlock()
	var lines []string
	opened, last := b.browser.opened-b.opened, len(b.browser.tabs)-1
	switch {
	case opened > 0 && last >= 0 && b.browser.tabs[last] != b.tab && !slices.Contains(b.others, b.browser.tabs[last]):
		url := clip.Text(cmp.Or(b.browser.tabs[last].URL(), "still opening"), 300)
		lines = append(lines, fmt.Sprintf("New tabs: %d, newest: %d %s (browser_tabs selects it)", opened, last, url))
	case opened > 0:
		lines = append(lines, fmt.Sprintf("New tabs: %d, closed again", opened))
	}
	if closed := b.tabs + opened - len(b.browser.tabs); closed > 0 {
		lines = append(lines, fmt.Sprintf("Tabs closed: %d", closed))
	}
	return lines
}
