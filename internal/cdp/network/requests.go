// Package network keeps what the targets of a browser ask for: their requests,
// with headers, phases, sources and streams, the newest within bounds. Bodies
// stay in the browser until somebody asks for them.
package network

import (
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	conn "github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/ring"
)

// Bounds of the requests that are kept.
const (
	maxRequests     = 3000
	maxRequestBytes = 12 << 20
	maxDocuments    = 64
)

// Requests holds the newest requests of every target that it watches. What a
// server answered with stays in the browser until somebody asks for it.
type Requests struct {
	mu        sync.Mutex
	entries   ring.Ring[*Request]
	exchanges map[exchangeKey]*exchange // of requests in the ring
	early     ring.Ring[*early]         // headers that came before their request
	documents []*Request                // the newest of main frames, which stay when the ring is cleared
	targets   map[*conn.Session]*target
	lost      int // events, since the last clear
}

type exchangeKey struct {
	session *conn.Session
	id      network.RequestID
}

// NewRequests makes an empty list with the bounds above.
func NewRequests() *Requests {
	r := &Requests{exchanges: map[exchangeKey]*exchange{}, targets: map[*conn.Session]*target{}}
	r.entries = ring.Ring[*Request]{MaxEntries: maxRequests, MaxBytes: maxRequestBytes, Size: func(req *Request) int { return req.size }, Evicted: r.evict}
	r.early = ring.Ring[*early]{MaxEntries: maxEarly, MaxBytes: maxEarlyBytes, Size: func(e *early) int { return e.size }}
	return r
}

// evict forgets what belongs to a request that leaves the ring; r.mu is held.
func (r *Requests) evict(req *Request) {
	req.evicted = true
	key := exchangeKey{req.session, req.id}
	if x := r.exchanges[key]; x != nil && x.last() == req {
		delete(r.exchanges, key)
	}
}

// A Loss is what the list no longer has, since the last clear.
type Loss struct {
	Requests int // older ones, dropped
	Headers  int // of exchanges that were not told of in time
	Events   int // of a flood, never seen: requests may be missing or look unfinished
}

// Recent gives the requests, newest first.
func (r *Requests) Recent() (newest []Request, loss Loss) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, req := range slices.Backward(r.entries.Entries()) {
		newest = append(newest, r.copy(req))
	}
	return newest, Loss{Requests: r.entries.Dropped, Headers: r.early.Dropped, Events: r.lost}
}

// Find gives the request with that number, if it is still kept.
func (r *Requests) Find(number int) (Request, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if req := r.find(number); req != nil {
		found := r.copy(req)
		found.Messages = slices.Clone(req.Messages)
		return found, true
	}
	return Request{}, false
}

// find uses that the ring's numbers have no gaps; r.mu is held.
func (r *Requests) find(number int) *Request {
	kept := r.entries.Entries()
	if i := number - 1 - r.entries.Added() + len(kept); i >= 0 && i < len(kept) {
		return kept[i]
	}
	return nil
}

// Clear discards the requests and gives their number.
func (r *Requests) Clear() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost, r.early.Dropped = 0, 0
	return r.entries.Clear()
}

// Mark is a point in time for the methods that look at what came after it.
func (r *Requests) Mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entries.Added()
}

// Since counts what a tab asked for after the mark, with the frames and workers
// attached through it and the documents of the windows that it opened: the
// requests that are done, and those that are still open, oldest first.
func (r *Requests) Since(mark int, tab *conn.Session) (done int, pending []Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, req := range r.entries.Since(mark) {
		switch {
		case !req.session.Within(tab) && !opens(req, tab):
		case req.Done:
			done++
		default:
			pending = append(pending, r.copy(req))
		}
	}
	return done, pending
}

// opens reports whether a request is for the document of a tab's new window.
func opens(req *Request, tab *conn.Session) bool {
	return req.Page == req.Number && req.session.Target.OpenerID == tab.Target.TargetID
}

// FailedSince gives the requests after the mark that failed, oldest first; those
// of the sessions that are told.
func (r *Requests) FailedSince(mark int, told func(*conn.Session) bool) []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	var failed []Request
	for _, req := range r.entries.Since(mark) {
		if req.Failed() && told(req.session) {
			failed = append(failed, r.copy(req))
		}
	}
	return failed
}

// Document gives the newest hop of the request that loaded a tab's document,
// which the protocol names by the document's loader.
func (r *Requests) Document(loader cdp.LoaderID) (Request, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if req := r.document(loader); req != nil {
		return r.copy(req), true
	}
	return Request{}, false
}

func (r *Requests) document(loader cdp.LoaderID) *Request {
	for _, req := range slices.Backward(r.documents) {
		if req.loader == loader {
			return req
		}
	}
	return nil
}

// add puts a request into the ring; r.mu is held.
func (r *Requests) add(req *Request) {
	req.Number = r.entries.Added() + 1
	req.size = req.weight()
	r.entries.Add(req)
}

// weigh charges a request that has changed to the ring; r.mu is held.
func (r *Requests) weigh(req *Request) {
	if !req.evicted {
		before := req.size
		req.size = req.weight()
		r.entries.Grow(req.size - before)
	}
}
