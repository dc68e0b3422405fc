package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// The points of a page's life that a navigation can wait for, in the
// protocol's names.
const (
	Load             = "load"
	DOMContentLoaded = "DOMContentLoaded"
	NetworkIdle      = "networkIdle"
)

// A Visit is what became of a navigation.
type Visit struct {
	URL          string
	Title        string
	Status       int // HTTP status of the document; 0 where there is none
	StatusText   string
	SameDocument bool // only the fragment or the history entry changed
	InFrame      bool // only a frame of the page has changed
	Restored     bool // from the back/forward cache
	Download     bool // the answer is a file that the browser downloads
	NoContent    bool // 204 or 205: the old page stays
}

// Navigate opens a URL and waits until the page has reached the point. A
// document with an error status is a Visit; a navigation that failed is a fault.
func (p *Page) Navigate(ctx context.Context, url, until string) (Visit, error) {
	p.freeScript(ctx, p.session)
	mark := p.opts.Requests.Mark()
	defer p.unstick(ctx)()
	visit, err := p.navigate(ctx, url, until, mark)
	if errors.Is(err, errDropped) {
		visit, err = p.navigate(ctx, url, until, mark)
	}
	if errors.Is(err, errDropped) {
		return Visit{}, errAborted(url)
	}
	return visit, err
}

// errDropped means that the browser gave up a navigation that it had begun. It
// does so at times in a tab whose renderer has just been replaced.
var errDropped = errors.New("the navigation was dropped")

func (p *Page) navigate(ctx context.Context, url, until string, mark int) (Visit, error) {
	from := p.position()
	reply, err := cdp.Call(ctx, p.session, page.Navigate, page.NavigateParams{URL: url})
	switch {
	case cdp.Refused(err):
		return Visit{}, fault.New(fault.InvalidArgument, "%s is not a URL that the browser can open; give a whole one such as http://localhost:3000/", url)
	case err != nil:
		return Visit{}, p.abandon(ctx, err, mark)
	case reply.IsDownload:
		return Visit{URL: url, Download: true}, nil
	case reply.ErrorText != "":
		return p.failed(url, reply)
	}
	within := reply.LoaderID == ""
	dropped := false
	err = p.await(ctx, func() bool {
		document, asked := p.opts.Requests.Document(reply.LoaderID)
		dropped = asked && document.Cancelled && p.commits == from.commits && p.coming == nil
		return dropped || p.arrived(from, until) || within && p.movedWithin(from)
	})
	switch {
	case err != nil:
		return Visit{}, p.abandon(ctx, err, mark)
	case dropped:
		return Visit{}, errDropped
	}
	v := p.visit(ctx)
	v.SameDocument = p.position().commits == from.commits
	return v, nil
}

// unstickAfter is how long a page may think about being left.
const unstickAfter = time.Second

// unstick ends a script that keeps the page from being left, such as an endless
// beforeunload handler, or a loop that began when the next page was asked for: one
// that still runs then in the document that is there now. It watches until the
// function that it gives is called.
func (p *Page) unstick(ctx context.Context) (stop func()) {
	from := p.position()
	timer := time.AfterFunc(unstickAfter, func() {
		if p.position().commits == from.commits {
			p.freeScript(ctx, p.session)
		}
	})
	return func() { timer.Stop() }
}

// failed tells the ways apart in which a navigation brings no document.
func (p *Page) failed(url string, reply page.NavigateResult) (Visit, error) {
	document, answered := p.opts.Requests.Document(reply.LoaderID)
	switch {
	case reply.ErrorText == "net::ERR_ABORTED" && answered && (document.Status == http.StatusNoContent || document.Status == http.StatusResetContent):
		return Visit{URL: p.URL(), Status: document.Status, StatusText: document.StatusText, NoContent: true}, nil
	case reply.ErrorText == "net::ERR_HTTP_RESPONSE_CODE_FAILURE" && answered:
		return Visit{}, fault.New(fault.NavigationFailed, "HTTP %d %s: %s answered without a body", document.Status, statusText(document), url)
	}
	switch {
	case reply.ErrorText == "net::ERR_ABORTED" && p.URL() == "about:blank": // where nobody could have aborted it
		return Visit{}, errDropped
	case reply.ErrorText == "net::ERR_ABORTED":
		return Visit{}, errAborted(url)
	}
	return Visit{}, fault.New(fault.NavigationFailed, "%s: %s", reply.ErrorText, network.Explain(reply.ErrorText, url))
}

func errAborted(url string) error {
	return fault.New(fault.NavigationFailed, "net::ERR_ABORTED: the navigation to %s was aborted: by the page itself, by a dismissed beforeunload dialog, or because no program opens such an address.", url)
}

func statusText(r network.Request) string {
	if r.StatusText != "" {
		return r.StatusText
	}
	return http.StatusText(r.Status)
}

// abandon stops a navigation that nobody waits for any more; otherwise the page
// answers no evaluation until the server does. A dialog leaves it under way.
func (p *Page) abandon(ctx context.Context, err error, mark int) error {
	if OpenedDialog(err) || ctx.Err() == nil {
		return err
	}
	done, pending := p.opts.Requests.Since(mark, p.session)
	cdp.Post(p.session, page.StopLoading, cdp.Empty{})
	p.FreeLater()
	if !fault.Is(err, fault.Timeout) {
		return err
	}
	waiting := fmt.Sprintf("%d requests done, %d pending", done, len(pending))
	for i, r := range pending {
		if i == 3 {
			waiting += ", …"
			break
		}
		waiting += fmt.Sprintf("%s %s %s", map[bool]string{true: ":", false: ","}[i == 0], clip.Text(r.Method, 40), clip.Text(r.URL, 200))
	}
	return fault.New(fault.Timeout, "%w waiting for page load (%s). Loading was stopped; what has arrived can be inspected.", err, waiting)
}

// visit describes the document that is there now.
func (p *Page) visit(ctx context.Context) Visit {
	p.awaitTitle(ctx)
	p.mu.Lock()
	v := Visit{URL: p.doc.url, Restored: p.doc.restored}
	loader, title := p.doc.loader, p.doc.title
	p.mu.Unlock()
	if document, ok := p.opts.Requests.Document(loader); ok {
		v.Status, v.StatusText = document.Status, statusText(document)
	}
	if title != nil {
		v.Title = *title
	} else {
		v.Title = p.Title(ctx)
	}
	return v
}

// titleGrace is how long after its load a document's agent may take to tell the
// title; it does so in the same turn of the page's event loop.
const titleGrace = 20 * time.Millisecond

// awaitTitle waits for the title of a document that has just been loaded.
func (p *Page) awaitTitle(ctx context.Context) {
	brief, cancel := context.WithTimeout(ctx, titleGrace)
	defer cancel()
	_ = p.await(brief, func() bool { return p.doc.title != nil || !p.doc.reached[Load] || p.doc.restored })
}

// Title is the document's title; the browser's own note of it when the page is
// too busy to answer.
func (p *Page) Title(ctx context.Context) string {
	brief, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if now, err := Ask[struct{ Title string }](brief, p.Main(), "page"); err == nil {
		return now.Title
	}
	history, err := cdp.Call(ctx, p.session, page.GetNavigationHistory, cdp.Empty{})
	if err != nil || int(history.CurrentIndex) >= len(history.Entries) {
		return ""
	}
	return history.Entries[history.CurrentIndex].Title
}

// Travel takes the direction "back" or "forward" in the tab's history, or "reload",
// and waits for load.
func (p *Page) Travel(ctx context.Context, direction string) (Visit, error) {
	p.freeScript(ctx, p.session)
	mark, from := p.opts.Requests.Mark(), p.position()
	entry, err := p.depart(ctx, direction)
	if err == nil {
		err = p.reach(ctx, from, entry)
	}
	if err != nil {
		return Visit{}, p.abandon(ctx, err, mark)
	}
	v := p.visit(ctx)
	now := p.position()
	v.SameDocument, v.InFrame = now.commits == from.commits, now == from
	return v, p.errorPage()
}

// reach waits for a history entry, or for the reload without one. An entry may
// change one of the page's frames only, of which nothing but the history tells.
func (p *Page) reach(ctx context.Context, from position, entry int64) error {
	arrived := func() bool { return p.arrived(from, Load) || p.movedWithin(from) }
	for looks := 0; entry != 0; {
		brief, cancel := context.WithTimeout(ctx, LookEvery)
		err := p.await(brief, arrived)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		history, err := cdp.Call(ctx, p.session, page.GetNavigationHistory, cdp.Empty{})
		current := int(history.CurrentIndex)
		switch {
		case err != nil && !cdp.Refused(err):
			return err
		case err != nil || current >= len(history.Entries) || history.Entries[current].ID != entry || !p.rests(from):
			looks = 0 // it refuses while it changes the page
		default:
			if looks++; looks > 1 { // the page's own move may be told a moment later
				return nil
			}
		}
	}
	return p.await(ctx, arrived)
}

// rests reports whether the main frame is as it was, and about to stay so.
func (p *Page) rests(from position) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.coming == nil && from == position{p.commits, p.moves}
}

// depart starts the way to another history entry, whose id it gives, or a reload.
func (p *Page) depart(ctx context.Context, direction string) (entry int64, err error) {
	if direction == "reload" {
		_, err := cdp.Call(ctx, p.session, page.Reload, page.ReloadParams{})
		return 0, err
	}
	history, err := cdp.Call(ctx, p.session, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		return 0, err
	}
	index := int(history.CurrentIndex) - 1
	if direction == "forward" {
		index += 2
	}
	if index < 0 || index >= len(history.Entries) {
		return 0, fault.New(fault.NavigationFailed, "there is no page to go %s to: %s is the %s of %d history entries",
			direction, p.URL(), map[bool]string{true: "first", false: "last"}[index < 0], len(history.Entries))
	}
	entry = history.Entries[index].ID
	_, err = cdp.Call(ctx, p.session, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: entry})
	return entry, err
}

// errorPage reports the failure behind the browser's own error page, which a
// reload or a history entry can end in.
func (p *Page) errorPage() error {
	p.mu.Lock()
	url, loader := p.doc.url, p.doc.loader
	p.mu.Unlock()
	if !strings.HasPrefix(url, "chrome-error:") {
		return nil
	}
	document, _ := p.opts.Requests.Document(loader)
	reason := document.Failure
	if reason == "" {
		reason = "net::ERR_FAILED"
	}
	return fault.New(fault.NavigationFailed, "%s: %s", reason, network.Explain(reason, document.URL))
}
