package network

import "time"

// A Phase is a part of a request's time.
type Phase struct {
	Name  string        // queued, dns, connect, tls, service worker, send, wait, receive
	Start time.Duration // from the request's own start
	Took  time.Duration
}

// The phases' names.
const (
	PhaseQueued  = "queued"
	PhaseDNS     = "dns"
	PhaseConnect = "connect" // tls included
	PhaseTLS     = "tls"
	PhaseWorker  = "service worker"
	PhaseSend    = "send"
	PhaseWait    = "wait"
	PhaseReceive = "receive"
)

// Phases are the parts of the request's time that are known, in their order; a
// response out of the memory cache has none.
func (r *Request) Phases() []Phase {
	t := r.timing
	if t == nil {
		return nil
	}
	base := time.Duration((t.RequestTime - float64(r.start)) * float64(time.Second))
	at := func(ms float64) time.Duration { return base + time.Duration(ms*float64(time.Millisecond)) }
	var phases []Phase
	add := func(name string, from, to float64) {
		if from >= 0 && to >= from {
			phases = append(phases, Phase{name, at(from), at(to) - at(from)})
		}
	}
	first := t.SendStart
	for _, start := range []float64{t.ConnectStart, t.DNSStart, t.WorkerStart} {
		if start >= 0 {
			first = min(first, start)
		}
	}
	phases = append(phases, Phase{PhaseQueued, 0, max(at(first), 0)})
	add(PhaseDNS, t.DNSStart, t.DNSEnd)
	add(PhaseConnect, t.ConnectStart, t.ConnectEnd)
	add(PhaseTLS, t.SslStart, t.SslEnd)
	if t.WorkerStart >= 0 {
		add(PhaseWorker, t.WorkerStart, max(t.WorkerReady, t.WorkerRespondWithSettled, t.WorkerFetchStart))
	}
	add(PhaseSend, t.SendStart, t.SendEnd)
	add(PhaseWait, t.SendEnd, t.ReceiveHeadersEnd)
	if r.Done && r.Duration >= at(t.ReceiveHeadersEnd) {
		phases = append(phases, Phase{PhaseReceive, at(t.ReceiveHeadersEnd), r.Duration - at(t.ReceiveHeadersEnd)})
	}
	return phases
}
