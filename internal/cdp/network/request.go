package network

import (
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"

	conn "github.com/browser-mcp/browser-mcp/internal/cdp"
)

// blocked is the failure of a request for which the browser names no error.
const blocked = "blocked"

const (
	maxURL          = 4 << 10 // bytes: data URLs are of any length
	maxWord         = 512     // bytes of a method, a media type and the like
	requestOverhead = 1 << 10 // bytes that a request is taken for besides its texts
)

// A Request is one hop of an exchange with a server, a cache or a service worker:
// without a redirect it is all of it.
type Request struct {
	Number    int    // counts from 1 in a session
	Context   string // who asked: page, frame, worker, shared worker, service worker
	Page      int    // the number of the document that it belongs to; 0 when unknown
	Method    string
	URL       string
	Type      string // Document, Script, Fetch, …
	Initiator Initiator
	Previous  int // the hop that redirected here, 0 for none
	Next      int // the hop that it was redirected to, 0 for none

	Status     int // as the page sees it; 0 without a response
	WireStatus int // as the server sent it: 304 where the page sees 200; 0 when unknown
	StatusText string
	MIME       string
	Protocol   string // http/1.1, h2, …
	Server     string // address and port that answered
	Connection int64  // identifies the connection; 0 without one
	Size       int64  // bytes received, headers included
	Decoded    int64  // bytes of the body once decoded

	Started   time.Time
	Duration  time.Duration // 0 until it is done
	Failure   string        // net::ERR_…; "" when it did not fail
	Cancelled bool          // by the page or the browser itself, as by a navigation or a download
	Done      bool

	DOMContentLoaded, Load time.Duration // of a document, from Started; 0 until it is reached

	Messages []StreamMessage // of a WebSocket or an event stream, oldest first; only [Requests.Find] gives them
	Dropped  int             // older messages that are gone

	session *conn.Session
	id      network.RequestID
	loader  cdp.LoaderID
	start   cdp.MonotonicTime

	sentHeaders, receivedHeaders jsonv2.Value // objects, read when somebody looks
	postData                     []byte
	hasPostData                  bool
	blocked                      network.BlockedReason
	cors                         *network.CorsErrorStatus
	from                         origin
	timing                       *network.ResourceTiming
	left                         bool // its page was left before it was done
	extraless                    bool // no event tells its headers as they were on the wire
	evicted                      bool // from the ring
	ahead                        int  // bytes of headers that came before their hop, the next one
	streamed                     int  // bytes of its messages
	size                         int  // as charged to the ring
}

// Types are those that a request can have.
var Types = func() (names []string) {
	for _, t := range []network.ResourceType{
		network.ResourceTypeDocument, network.ResourceTypeStylesheet, network.ResourceTypeScript, network.ResourceTypeImage, network.ResourceTypeFont,
		network.ResourceTypeMedia, network.ResourceTypeTextTrack, network.ResourceTypeManifest, network.ResourceTypeFetch, network.ResourceTypeXHR,
		network.ResourceTypeEventSource, network.ResourceTypeWebSocket, network.ResourceTypePrefetch, network.ResourceTypePreflight,
		network.ResourceTypePing, network.ResourceTypeCSPViolationReport, network.ResourceTypeSignedExchange, network.ResourceTypeFedCM, network.ResourceTypeOther,
	} {
		names = append(names, string(t))
	}
	return names
}()

// weight is what the request takes, in bytes.
func (r *Request) weight() int {
	n := requestOverhead + r.streamed + r.ahead + r.Initiator.bytes() + len(r.sentHeaders) + len(r.receivedHeaders) + len(r.postData)
	for _, text := range []string{r.Method, r.URL, r.StatusText, r.MIME, r.Protocol, r.Failure, r.from.cacheName} {
		n += len(text)
	}
	if r.cors != nil {
		n += len(r.cors.FailedParameter)
	}
	return n
}

// copy is the request for a reader who holds no lock, without its messages;
// r.mu is held.
func (r *Requests) copy(req *Request) Request {
	c := *req
	c.Messages = nil
	// A preflight comes before the request that needs it.
	if cause := r.exchanges[exchangeKey{req.session, req.Initiator.id}]; cause != nil {
		c.Initiator.Request = cause.last().Number
	}
	return c
}

// Failed reports whether the exchange went wrong, by the network or by status.
// One that the page or the browser gave up has not.
func (r *Request) Failed() bool { return r.Failure != "" && !r.Cancelled || r.Status >= 400 }

// Reason is why it failed, in short.
func (r *Request) Reason() string {
	switch {
	case r.Failure == blocked:
		return blockedBy(r.blocked)
	case r.Failure != "":
		return r.Failure
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.Status, r.StatusText))
}
