package network

import (
	"slices"

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

// Bounds of the headers that wait for a request, which may never be told.
const (
	maxEarly       = 512
	maxEarlyBytes  = 1 << 20
	headerOverhead = 80 // bytes that headers are taken for besides their texts
)

// An early exchange has headers, and no request yet.
type early struct {
	exchange
	key  exchangeKey
	size int // as charged to the ring
}

func (x *exchange) last() *Request { return x.hops[len(x.hops)-1] }

// exchange gives the exchange of a request with that id, a new one for an id
// that is not known.
func (t *target) exchange(id network.RequestID) *exchange {
	if x := t.exchanges[exchangeKey{t.session, id}]; x != nil {
		return x
	}
	if i := t.waiting(id); i >= 0 {
		return &t.early.Take(i).exchange
	}
	return &exchange{}
}

// waiting is the place of an early exchange, -1 when there is none.
func (t *target) waiting(id network.RequestID) int {
	key := exchangeKey{t.session, id}
	return slices.IndexFunc(t.early.Entries(), func(e *early) bool { return e.key == key })
}

// meet gives the exchange that headers belong to, which may be still to come.
func (t *target) meet(id network.RequestID, headers jsonv2.Value) *exchange {
	if x, _ := t.open(id); x != nil {
		return x
	}
	i := t.waiting(id)
	if i < 0 {
		t.early.Add(&early{key: exchangeKey{t.session, id}})
		i = len(t.early.Entries()) - 1
	}
	e := t.early.Entries()[i]
	n := len(headers) + headerOverhead
	e.size += n
	t.early.Grow(n)
	return &e.exchange
}

func (t *target) sentExtra(ev sentExtraEvent) {
	x := t.meet(ev.RequestID, ev.Headers)
	x.sent = append(x.sent, ev.Headers)
	t.settle(x)
}

func (t *target) respondedExtra(ev responseExtraEvent) {
	x := t.meet(ev.RequestID, ev.Headers)
	x.received = append(x.received, wireResponse{ev.StatusCode, ev.Headers})
	t.settle(x)
}

// settle gives each hop the headers that are its own. The newest is charged for
// those of the hops to come.
func (t *target) settle(x *exchange) {
	wire := 0
	for _, hop := range x.hops {
		if !hop.extraless {
			x.give(hop, wire)
			wire++
		}
		hop.ahead = 0
		if hop == x.last() {
			hop.ahead = x.unsettled()
		}
		t.weigh(hop)
	}
}

// give hands the headers at a place in their order to a hop.
func (x *exchange) give(hop *Request, wire int) {
	if wire < len(x.sent) && x.sent[wire] != nil {
		hop.sentHeaders, x.sent[wire] = x.sent[wire], nil
	}
	if wire < len(x.received) && x.received[wire].headers != nil {
		hop.WireStatus, hop.receivedHeaders = x.received[wire].status, x.received[wire].headers
		x.received[wire].headers = nil
	}
}

// unsettled is what the headers that no hop has take, in bytes.
func (x *exchange) unsettled() (n int) {
	for _, headers := range x.sent {
		n += len(headers)
	}
	for _, answer := range x.received {
		n += len(answer.headers)
	}
	return n
}
