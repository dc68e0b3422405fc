package watch

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	conn "github.com/browser-mcp/browser-mcp/internal/cdp"
)

// Bounds of the requests that are kept.
const (
	maxRequests     = 3000
	maxRequestBytes = 8 << 20
	maxURL          = 4 << 10
)

// A Request is one exchange; each hop of a redirect is one of its own.
type Request struct {
	Number     int // counts from 1 in a session
	Context    string
	Method     string
	URL        string
	Type       string // Document, Script, Fetch, …
	Status     int    // 0 without a response
	StatusText string
	MIME       string
	Size       int64 // bytes received
	Started    time.Time
	Duration   time.Duration
	Failure    string // net::ERR_…; "" when it did not fail
	Cancelled  bool   // by the page or the browser itself, as by a navigation or a download
	Done       bool

	id     network.RequestID
	loader cdp.LoaderID
	start  cdp.MonotonicTime
}

func (r *Request) bytes() int {
	return 200 + len(r.URL) + len(r.MIME) + len(r.StatusText) + len(r.Failure)
}

// Failed reports whether the exchange went wrong, by the network or by status.
// One that the page or the browser gave up has not.
func (r *Request) Failed() bool { return r.Failure != "" && !r.Cancelled || r.Status >= 400 }

// Reason is why it failed, in short.
func (r *Request) Reason() string {
	if r.Failure != "" {
		return r.Failure
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.Status, r.StatusText))
}

// Requests holds the newest requests of every target that it watches.
type Requests struct {
	mu      sync.Mutex
	entries ring[*Request]
	open    map[requestKey]*Request
}

type requestKey struct {
	session *conn.Session
	id      network.RequestID
}

// NewRequests makes an empty list with the bounds above.
func NewRequests() *Requests {
	return &Requests{
		entries: ring[*Request]{maxEntries: maxRequests, maxBytes: maxRequestBytes, size: (*Request).bytes},
		open:    map[requestKey]*Request{},
	}
}

// Watch listens to a session from its setup on.
func (r *Requests) Watch(s *conn.Session) {
	conn.On(s, network.RequestWillBeSent, func(ev network.EventRequestWillBeSent) { r.sent(s, ev) })
	conn.On(s, network.ResponseReceived, func(ev network.EventResponseReceived) {
		r.update(s, ev.RequestID, func(req *Request) { req.respond(ev.Response) })
	})
	conn.On(s, network.LoadingFinished, func(ev network.EventLoadingFinished) {
		r.update(s, ev.RequestID, func(req *Request) {
			req.Size = int64(ev.EncodedDataLength)
			r.finish(s, req, ev.Timestamp)
		})
	})
	conn.On(s, network.LoadingFailed, func(ev network.EventLoadingFailed) {
		r.update(s, ev.RequestID, func(req *Request) {
			req.Failure, req.Cancelled = ev.ErrorText, ev.Canceled
			r.finish(s, req, ev.Timestamp)
		})
	})
	s.OnClose(func(error) { r.abandon(s) })
	conn.Post(s, network.Enable, network.EnableParams{})
}

func (r *Requests) sent(s *conn.Session, ev network.EventRequestWillBeSent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := requestKey{s, ev.RequestID}
	if hop := r.open[key]; hop != nil && ev.RedirectResponse != nil {
		hop.respond(ev.RedirectResponse)
		r.finish(s, hop, ev.Timestamp)
	}
	req := &Request{
		Number: r.entries.added + 1, Context: contextName(s.Target.Type),
		Method: ev.Request.Method, URL: bounded(ev.Request.URL), Type: string(ev.Type), Started: time.UnixMicro(int64(ev.WallTime.Float64() * 1e6)),
		id: ev.RequestID, loader: ev.LoaderID, start: ev.Timestamp,
	}
	r.open[key] = req
	r.entries.add(req)
}

// bounded keeps a URL from holding megabytes: data URLs are of any length.
func bounded(url string) string {
	if len(url) <= maxURL {
		return url
	}
	return strings.ToValidUTF8(strings.Clone(url[:maxURL]), "") + "…"
}

func (req *Request) respond(response *network.Response) {
	req.Status, req.StatusText, req.MIME = int(response.Status), response.StatusText, response.MimeType
}

// update changes an open request; r.mu is held while f runs.
func (r *Requests) update(s *conn.Session, id network.RequestID, f func(*Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if req := r.open[requestKey{s, id}]; req != nil {
		f(req)
	}
}

func (r *Requests) finish(s *conn.Session, req *Request, at cdp.MonotonicTime) {
	req.Done = true
	req.Duration = time.Duration(float64(at-req.start) * float64(time.Second))
	delete(r.open, requestKey{s, req.id})
}

func (r *Requests) abandon(s *conn.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, req := range r.open {
		if key.session == s {
			req.Done, req.Failure = true, "its target has gone"
			delete(r.open, key)
		}
	}
}

// Mark is a point in time for the methods that look at what came after it.
func (r *Requests) Mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entries.added
}

// Since counts what was asked for after the mark: the requests that are done,
// and those that are still open, oldest first.
func (r *Requests) Since(mark int) (done int, pending []Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, req := range r.entries.since(mark) {
		if req.Done {
			done++
		} else {
			pending = append(pending, *req)
		}
	}
	return done, pending
}

// FailedSince gives the requests after the mark that failed, oldest first.
func (r *Requests) FailedSince(mark int) []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	var failed []Request
	for _, req := range r.entries.since(mark) {
		if req.Failed() {
			failed = append(failed, *req)
		}
	}
	return failed
}

// Document gives the newest hop of the request that loaded a document, which
// the protocol names by the document's loader.
func (r *Requests) Document(loader cdp.LoaderID) (Request, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.entries.entries) - 1; i >= 0; i-- {
		if req := r.entries.entries[i]; req.loader == loader && string(req.id) == string(loader) {
			return *req, true
		}
	}
	return Request{}, false
}
