package network

import (
	"cmp"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	conn "github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// Bounds of the bodies that the browser keeps for a target, the newest, also
// when its document has gone, and of the request bodies that come with their event.
const (
	keptBodies    = 64 << 20
	inlinePayload = 32 << 10
)

// A target is one of those that the list follows. Its methods run one after the
// other, each with the lock of the list.
type target struct {
	*Requests
	session *conn.Session
	frame   cdp.FrameID  // the main frame of a page
	loader  cdp.LoaderID // of the document that a page shows
	page    int          // the number of that document
}

// Watch listens to a session from its setup on.
func (r *Requests) Watch(s *conn.Session) {
	t := &target{Requests: r, session: s, frame: cdp.FrameID(s.Target.TargetID)}
	r.mu.Lock()
	r.targets[s] = t
	r.mu.Unlock()
	follow(t, requestWillBeSent, t.sent)
	follow(t, requestExtraInfo, t.sentExtra)
	follow(t, network.RequestServedFromCache, t.servedFromCache)
	follow(t, responseReceived, t.responded)
	follow(t, responseExtraInfo, t.respondedExtra)
	follow(t, network.DataReceived, t.dataReceived)
	follow(t, network.LoadingFinished, t.loadingFinished)
	follow(t, network.LoadingFailed, t.loadingFailed)
	follow(t, network.EventSourceMessageReceived, t.eventReceived)
	follow(t, network.WebSocketCreated, t.webSocketCreated)
	follow(t, webSocketRequest, t.handshakeSent)
	follow(t, webSocketResponse, t.handshakeReceived)
	follow(t, webSocketFrameSent, func(ev frameEvent) { t.frameMoved(ev, true) })
	follow(t, webSocketFrameReceived, func(ev frameEvent) { t.frameMoved(ev, false) })
	follow(t, network.WebSocketFrameError, t.frameFailed)
	follow(t, network.WebSocketClosed, t.webSocketClosed)
	if s.Target.Type == "page" {
		follow(t, frameNavigated, t.navigated)
		follow(t, page.LifecycleEvent, t.reached)
	}
	s.OnDrop(t.dropped)
	s.OnClose(func(error) { t.closed() })
	conn.Post(s, network.ConfigureDurableMessages, network.ConfigureDurableMessagesParams{
		MaxTotalBufferSize: new(int64(keptBodies)), MaxResourceBufferSize: new(int64(maxBody)),
	})
	conn.Post(s, network.Enable, network.EnableParams{MaxPostDataSize: new(int64(inlinePayload))})
}

// follow registers a handler that runs with the lock of the list.
func follow[E any](t *target, event cdp.Event[E], handle func(E)) {
	conn.On(t.session, event, func(ev E) {
		t.mu.Lock()
		defer t.mu.Unlock()
		handle(ev)
	})
}

func (t *target) sent(ev sentEvent) {
	x := t.exchange(ev.RequestID)
	req := t.request(ev.RequestID, ev.Timestamp)
	req.Method, req.URL, req.Type, req.loader = clip.Text(ev.Request.Method, maxWord), clip.Text(ev.Request.URL, maxURL), string(ev.Type), ev.LoaderID
	req.Started = timeSince(ev.WallTime)
	req.Initiator = initiatorOf(ev.Initiator)
	req.sentHeaders, req.hasPostData = ev.Request.Headers, ev.Request.HasPostData
	for _, part := range ev.Request.PostDataEntries {
		req.postData = append(req.postData, part.Bytes...)
	}
	if t.isPage() && ev.FrameID != "" && ev.FrameID != t.frame {
		req.Context = "frame"
	}
	t.add(req)
	t.assign(req, ev)
	if len(x.hops) > 0 {
		t.redirect(x, req, ev)
	}
	x.hops = append(x.hops, req)
	t.exchanges[exchangeKey{t.session, ev.RequestID}] = x // also when adding to the ring has forgotten it
	t.settle(x)
}

// redirect ends the hop before a request with the same id.
func (t *target) redirect(x *exchange, req *Request, ev sentEvent) {
	hop := x.last()
	if ev.RedirectResponse == nil {
		hop.leave("it was asked for again")
		return
	}
	hop.Next, req.Previous = req.Number, hop.Number
	t.respond(hop, ev.RedirectResponse, ev.RedirectHasExtra)
	hop.Size = int64(ev.RedirectResponse.Encoded)
	hop.end(ev.Timestamp)
	if req.Page == req.Number {
		for _, earlier := range x.hops {
			earlier.Page = req.Page
		}
	}
}

// request makes a request that this target has begun.
func (t *target) request(id network.RequestID, at cdp.MonotonicTime) *Request {
	return &Request{Context: t.session.Kind(), session: t.session, id: id, start: at}
}

// assign notes which document a request belongs to.
func (t *target) assign(req *Request, ev sentEvent) {
	switch document := t.document(ev.LoaderID); {
	case t.isPage() && ev.Type == network.ResourceTypeDocument && ev.FrameID == t.frame && string(ev.RequestID) == string(ev.LoaderID):
		req.Page = req.Number
		t.documents = append(t.documents, req)
		if len(t.documents) > maxDocuments {
			t.documents = slices.Delete(t.documents, 0, 1)
		}
	case document != nil:
		req.Page = document.Number
	default:
		req.Page = t.shown()
	}
}

// shown is the number of the document in the tab that this target is a part of;
// 0 for one that belongs to no tab.
func (t *target) shown() int {
	for s := t.session; s != nil; s = s.Parent {
		if owner := t.targets[s]; owner != nil && owner.isPage() {
			return owner.page
		}
	}
	return 0
}

func (t *target) isPage() bool { return t.session.Target.Type == "page" }

// open gives the exchange of that id with its newest hop; nil for one that the
// ring has let go. A worker's script is asked for by its page, and answered to
// the worker.
func (t *target) open(id network.RequestID) (*exchange, *Request) {
	for s := t.session; s != nil; s = s.Parent {
		if x := t.exchanges[exchangeKey{s, id}]; x != nil {
			return x, x.last()
		}
	}
	if t.session.Target.Type == "shared_worker" { // which is no child of its page
		for key, x := range t.exchanges {
			if key.id == id {
				return x, x.last()
			}
		}
	}
	return nil, nil
}

func (t *target) servedFromCache(ev network.EventRequestServedFromCache) {
	if _, req := t.open(ev.RequestID); req != nil {
		req.from.memory = true
	}
}

func (t *target) responded(ev responseEvent) {
	x, req := t.open(ev.RequestID)
	if req == nil {
		return
	}
	if ev.Type != "" {
		req.Type = string(ev.Type)
	}
	t.respond(req, &ev.Response, ev.HasExtra)
	t.settle(x)
}

func (t *target) respond(req *Request, resp *response, hasExtra bool) {
	req.Status, req.StatusText = int(resp.Status), clip.Text(resp.StatusText, maxWord)
	req.MIME, req.Protocol = clip.Text(resp.MIMEType, maxWord), clip.Text(resp.Protocol, maxWord)
	req.Connection = int64(resp.ConnectionID)
	if resp.RemoteIP != "" {
		req.Server = net.JoinHostPort(strings.Trim(resp.RemoteIP, "[]"), strconv.FormatInt(resp.RemotePort, 10))
	}
	req.extraless = !hasExtra
	req.from.read(resp)
	req.timing = resp.Timing
	if req.from.memory {
		req.timing = nil // that of the first time
	}
	if req.WireStatus == 0 { // else they have come already, as they were on the wire
		req.receivedHeaders = resp.Headers
	}
	t.weigh(req)
}

func (t *target) dataReceived(ev network.EventDataReceived) {
	if _, req := t.open(ev.RequestID); req != nil {
		req.Decoded += ev.DataLength
		req.Size += ev.EncodedDataLength
	}
}

func (t *target) loadingFinished(ev network.EventLoadingFinished) {
	if _, req := t.open(ev.RequestID); req != nil {
		req.Size = int64(ev.EncodedDataLength)
		if req.left {
			req.left, req.Failure, req.Cancelled = false, "", false
		}
		req.end(ev.Timestamp)
	}
}

func (t *target) loadingFailed(ev network.EventLoadingFailed) {
	if _, req := t.open(ev.RequestID); req != nil {
		req.left, req.Failure, req.Cancelled = false, cmp.Or(clip.Text(ev.ErrorText, maxWord), blocked), ev.Canceled
		req.blocked, req.cors = ev.BlockedReason, ev.CorsErrorStatus
		if req.cors != nil {
			req.cors.FailedParameter = clip.Text(req.cors.FailedParameter, maxWord)
		}
		if req.Status == 0 && req.WireStatus >= 400 && req.cors == nil {
			// A style sheet that is not there is given up without a response.
			req.Status, req.Failure, req.Cancelled = req.WireStatus, "", false
		}
		if ev.Type != "" {
			req.Type = string(ev.Type)
		}
		t.weigh(req)
		req.end(ev.Timestamp)
	}
}

// end marks a request as done at a time of the browser's own clock.
func (r *Request) end(at cdp.MonotonicTime) {
	r.Done = true
	r.Duration = r.since(at)
}

func (r *Request) since(at cdp.MonotonicTime) time.Duration {
	return time.Duration(float64(at-r.start) * float64(time.Second))
}

// leave ends a request of which nothing more is heard.
func (r *Request) leave(why string) {
	if !r.Done {
		r.Done, r.Cancelled, r.Failure = true, true, why
		r.Duration = time.Since(r.Started)
	}
}

// navigated follows which document a page shows. The renderer of the one before
// does not always tell how its requests ended.
func (t *target) navigated(ev navigatedEvent) {
	if ev.Frame.ParentID != "" {
		return
	}
	t.frame = ev.Frame.ID
	left := t.loader
	t.loader = ev.Frame.LoaderID
	document := t.document(t.loader)
	if document != nil {
		t.page = document.Number
	}
	for key, x := range t.exchanges {
		req := x.last()
		// Requests after the document can be those of the next one, already.
		old := document == nil || req.Number < document.Number || req.loader == left
		if key.session == t.session && !req.Done && req.loader != t.loader && old {
			req.left = true
			req.leave("its page was left")
		}
	}
}

// reached notes when a document came to a point of its life.
func (t *target) reached(ev page.EventLifecycleEvent) {
	document := t.document(ev.LoaderID)
	if document == nil || ev.FrameID != t.frame {
		return
	}
	switch ev.Name {
	case "DOMContentLoaded":
		document.DOMContentLoaded = document.since(ev.Timestamp)
	case "load":
		document.Load = document.since(ev.Timestamp)
	}
}

// dropped counts events that came faster than they could be handled.
func (t *target) dropped(method string) {
	if strings.HasPrefix(method, "Network.") && method != network.DataReceived.Method {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.lost++
	}
}

func (t *target) closed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.targets, t.session)
	for key, x := range t.exchanges {
		if key.session == t.session {
			x.last().leave("its target has gone")
			delete(t.exchanges, key)
		}
	}
	for i, e := range slices.Backward(t.early.Entries()) {
		if e.key.session == t.session {
			t.early.Take(i)
		}
	}
}

func timeSince(at cdp.TimeSinceEpoch) time.Time { return time.UnixMicro(int64(float64(at) * 1e6)) }
