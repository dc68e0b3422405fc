package network

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// Bounds of the messages that are kept of one connection.
const (
	maxStreamMessages = 200
	maxStreamText     = 8 << 10 // bytes of one message
)

// The opcode of a WebSocket message that is text.
const opcodeText = 1

// A StreamMessage is a message of a WebSocket, or an event of an event stream.
type StreamMessage struct {
	Time   time.Time
	Sent   bool   // by the page
	Kind   string // text, binary, error, or the type of an event
	Text   string // the first part of it; base64 when it is binary
	Length int    // bytes of the whole
}

// note keeps a message with its connection.
func (t *target) note(req *Request, m StreamMessage) {
	m.Text = clip.Text(m.Text, maxStreamText)
	req.Messages = append(req.Messages, m)
	req.streamed += m.weight()
	for len(req.Messages) > maxStreamMessages {
		req.streamed -= req.Messages[0].weight()
		req.Messages = slices.Delete(req.Messages, 0, 1)
		req.Dropped++
	}
	t.weigh(req)
}

// weight is what the message takes, in bytes.
func (m StreamMessage) weight() int { return len(m.Text) + len(m.Kind) + streamOverhead }

// streamOverhead is what a message is taken for besides its texts, in bytes.
const streamOverhead = 80

// at is the time of day of a moment on the browser's own clock.
func (r *Request) at(moment cdp.MonotonicTime) time.Time { return r.Started.Add(r.since(moment)) }

func (t *target) eventReceived(ev network.EventEventSourceMessageReceived) {
	if _, req := t.open(ev.RequestID); req != nil {
		kind := ev.EventName
		if kind == "" {
			kind = "message"
		}
		t.note(req, StreamMessage{Time: req.at(ev.Timestamp), Kind: clip.Text(kind, maxStreamText), Text: ev.Data, Length: len(ev.Data)})
	}
}

func (t *target) webSocketCreated(ev network.EventWebSocketCreated) {
	req := t.request(ev.RequestID, 0)
	req.Method, req.URL, req.Type, req.Started = "GET", clip.Text(ev.URL, maxURL), string(network.ResourceTypeWebSocket), time.Now()
	req.Initiator = initiatorOf(ev.Initiator)
	req.Page = t.shown()
	t.add(req)
	t.exchanges[exchangeKey{t.session, ev.RequestID}] = &exchange{hops: []*Request{req}}
}

func (t *target) handshakeSent(ev handshakeEvent) {
	if _, req := t.open(ev.RequestID); req != nil {
		req.start, req.Started = ev.Timestamp, timeSince(ev.WallTime)
		req.sentHeaders = ev.Request.Headers
		t.weigh(req)
	}
}

func (t *target) handshakeReceived(ev handshakeResponseEvent) {
	if _, req := t.open(ev.RequestID); req != nil {
		req.Status, req.StatusText = ev.Response.Status, clip.Text(ev.Response.StatusText, maxWord)
		if ev.Response.RequestHeaders != nil {
			req.sentHeaders = ev.Response.RequestHeaders
		}
		req.receivedHeaders = ev.Response.Headers
		t.weigh(req)
	}
}

func (t *target) frameMoved(ev frameEvent, sent bool) {
	_, req := t.open(ev.RequestID)
	if req == nil {
		return
	}
	m := StreamMessage{Time: req.at(ev.Timestamp), Sent: sent, Kind: "text", Text: ev.Response.Payload, Length: len(ev.Response.Payload)}
	if ev.Response.Opcode != opcodeText {
		m.Kind, m.Length = "binary", base64.StdEncoding.DecodedLen(len(m.Text))-strings.Count(m.Text[max(0, len(m.Text)-2):], "=")
	}
	if !sent {
		req.Size += int64(m.Length)
	}
	t.note(req, m)
}

func (t *target) frameFailed(ev network.EventWebSocketFrameError) {
	if _, req := t.open(ev.RequestID); req != nil {
		if req.start == 0 { // the handshake was never sent
			req.start = ev.Timestamp
		}
		req.Failure = clip.Text(ev.ErrorMessage, maxWord)
		t.note(req, StreamMessage{Time: req.at(ev.Timestamp), Kind: "error", Text: ev.ErrorMessage, Length: len(ev.ErrorMessage)})
	}
}

func (t *target) webSocketClosed(ev network.EventWebSocketClosed) {
	if _, req := t.open(ev.RequestID); req != nil {
		if req.start == 0 {
			req.start = ev.Timestamp
		}
		req.end(ev.Timestamp)
	}
}

// String tells the direction and the kind: sent text.
func (m StreamMessage) String() string {
	if m.Sent {
		return fmt.Sprintf("sent %s", m.Kind)
	}
	return fmt.Sprintf("received %s", m.Kind)
}
