package session

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cachestorage"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/workers"
)

// maxCaches bounds how many caches are asked for their size.
const maxCaches = 20

// A PageWorkers is what a page has to do with service workers.
type PageWorkers struct {
	Target        target.ID
	URL           string
	Origin        string    // "" where there is none, as in about:blank
	Insecure      bool      // the page is no secure context, which has no service workers
	Failed        bool      // it is the browser's own page about a load that failed
	Requested     time.Time // when its document was asked for; zero when unknown
	Registrations []workers.Registration
	Covering      int // the registration whose scope covers the page; -1 without
	Elsewhere     int // registrations of other origins
	Dropped       int // registrations that were too many to be kept
	Errors        []workers.Failure
	Caches        []Cache
	MoreCaches    int
}

// A Cache is one cache of an origin; Entries is -1 when it could not be asked.
type Cache struct {
	Name    string
	Entries int
}

// lookTimeout bounds a look at a page that may be busy.
const lookTimeout = 2 * time.Second

// ServiceWorkers looks at the service workers of the tab's origin, and at what
// they mean for its page.
func (s *Session) ServiceWorkers(ctx context.Context, tab *Tab) (PageWorkers, error) {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil {
		return PageWorkers{}, cdp.ErrClosed
	}
	p := PageWorkers{Target: tab.Session().Target.TargetID, URL: tab.URL(), Covering: -1}
	p.Origin = originOf(p.URL)
	if frame := mainFrame(ctx, tab); frame != nil {
		p.Failed = frame.UnreachableURL != ""
		p.Insecure = p.Origin != "" && frame.SecureContextType != proto.SecureContextTypeSecure && frame.SecureContextType != proto.SecureContextTypeSecureLocalhost
		if document, known := s.Requests.Document(frame.LoaderID); known {
			p.Requested = document.Started
		}
	}
	p.Caches, p.MoreCaches = caches(ctx, tab, p.Origin)
	if err := b.workers.Refresh(ctx, tab.Session()); err != nil {
		return PageWorkers{}, err
	}
	all, errs, dropped := b.workers.All()
	p.Dropped = dropped
	for _, r := range all {
		if originOf(r.Scope) != p.Origin || p.Origin == "" {
			p.Elsewhere++
			continue
		}
		p.Registrations = append(p.Registrations, r)
	}
	for _, e := range errs {
		if p.Origin != "" && (originOf(e.Scope) == p.Origin || originOf(e.Source) == p.Origin) {
			p.Errors = append(p.Errors, e)
		}
	}
	p.Covering = covering(p.Registrations, p.URL)
	return p, nil
}

// covering finds the registration with the longest scope that the address
// begins with, -1 without one.
func covering(registrations []workers.Registration, address string) int {
	found := -1
	for i, r := range registrations {
		if strings.HasPrefix(address, r.Scope) && (found < 0 || len(r.Scope) > len(registrations[found].Scope)) {
			found = i
		}
	}
	return found
}

// originOf is the scheme and host of a web address, "" for any other.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// mainFrame asks the page what it is; nil when it stands still.
func mainFrame(ctx context.Context, tab *Tab) *proto.Frame {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	tree, err := cdp.Call(ctx, tab.Session(), page.GetFrameTree, cdp.Empty{})
	if err != nil || tree.FrameTree == nil {
		return nil
	}
	return tree.FrameTree.Frame
}

// caches counts the entries of an origin's caches, and the caches beyond those
// that were asked.
func caches(ctx context.Context, tab *Tab, origin string) (asked []Cache, more int) {
	if origin == "" {
		return nil, 0
	}
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	names, err := cdp.Call(ctx, tab.Session(), cachestorage.RequestCacheNames, cachestorage.RequestCacheNamesParams{SecurityOrigin: origin})
	if err != nil {
		return nil, 0
	}
	var counts []cdp.Pending[cachestorage.RequestEntriesResult]
	for _, cache := range names.Caches[:min(len(names.Caches), maxCaches)] {
		counts = append(counts, cdp.Start(ctx, tab.Session(), cachestorage.RequestEntries, cachestorage.RequestEntriesParams{CacheID: cache.CacheID, PageSize: 1}))
	}
	for i, count := range counts {
		cache := Cache{Name: names.Caches[i].CacheName, Entries: -1}
		if entries, err := count.Wait(ctx); err == nil {
			cache.Entries = int(entries.ReturnCount)
		}
		asked = append(asked, cache)
	}
	return asked, len(names.Caches) - len(asked)
}
