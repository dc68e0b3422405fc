package watch

import (
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
)

// An exchange is what the protocol calls by one id: the hops of a redirect
// chain. The headers as they were on the wire come in events of their own, in
// the order of the hops, but before or after the events of their hop.
type exchange struct {
	hops     []*Request
	sent     []jsonv2.Value
	received []wireResponse
}

type wireResponse struct {
	status  int
	headers jsonv2.Value
}

// maxEarly bounds the headers that wait for a request which was never told.
const maxEarly = 512

func (x *exchange) last() *Request { return x.hops[len(x.hops)-1] }

// exchange gives the exchange of a request with that id, a new one for an id
// that is not known.
func (t *requestTarget) exchange(id network.RequestID) *exchange {
	if x := t.exchanges[exchangeKey{t.session, id}]; x != nil {
		return x
	}
	if x := t.early[id]; x != nil {
		delete(t.early, id)
		return x
	}
	return &exchange{}
}

// meet gives the exchange that headers belong to, which may be still to come.
func (t *requestTarget) meet(id network.RequestID) *exchange {
	if x, _ := t.open(id); x != nil {
		return x
	}
	if t.early == nil || len(t.early) >= maxEarly {
		t.early = map[network.RequestID]*exchange{}
	}
	if t.early[id] == nil {
		t.early[id] = &exchange{}
	}
	return t.early[id]
}

func (t *requestTarget) sentExtra(ev sentExtraEvent) {
	x := t.meet(ev.RequestID)
	x.sent = append(x.sent, ev.Headers)
	t.settle(x)
}

func (t *requestTarget) respondedExtra(ev responseExtraEvent) {
	x := t.meet(ev.RequestID)
	x.received = append(x.received, wireResponse{ev.StatusCode, ev.Headers})
	t.settle(x)
}

// settle gives each hop the headers that are its own.
func (t *requestTarget) settle(x *exchange) {
	wire := 0
	for _, hop := range x.hops {
		if hop.extraless {
			continue
		}
		if wire < len(x.sent) && x.sent[wire] != nil {
			hop.sentHeaders, x.sent[wire] = x.sent[wire], nil
		}
		if wire < len(x.received) && x.received[wire].headers != nil {
			hop.WireStatus, hop.receivedHeaders = x.received[wire].status, x.received[wire].headers
			x.received[wire].headers = nil
		}
		wire++
		t.weigh(hop)
	}
}
