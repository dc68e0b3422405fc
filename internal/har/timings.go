package har

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/chromedp/cdproto/har"

	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
)

// timingsOf gives the phases in milliseconds; -1 stands for one that there was
// not. Without any, the whole time was a wait.
func timingsOf(r network.Request) *har.Timings {
	t := &har.Timings{Blocked: new(-1.0), DNS: new(-1.0), Connect: new(-1.0), Ssl: new(-1.0)}
	phases := r.Phases()
	if len(phases) == 0 {
		t.Wait = milliseconds(max(r.Duration, 0))
	}
	for _, p := range phases {
		took := milliseconds(p.Took)
		switch p.Name {
		case network.PhaseQueued, network.PhaseWorker:
			t.Blocked = new(max(*t.Blocked, 0) + took)
		case network.PhaseDNS:
			t.DNS = &took
		case network.PhaseConnect:
			t.Connect = &took
		case network.PhaseTLS:
			t.Ssl = &took
		case network.PhaseSend:
			t.Send = took
		case network.PhaseWait:
			t.Wait = took
		case network.PhaseReceive:
			t.Receive = took
		}
	}
	return t
}

// total is the sum of the phases; that of TLS is a part of connect.
func total(t *har.Timings) float64 {
	sum := t.Send + t.Wait + t.Receive
	for _, part := range []*float64{t.Blocked, t.DNS, t.Connect} {
		sum += max(*part, 0)
	}
	return sum
}

// textOf gives a body as a text, in base64 where it is none.
func textOf(body network.Body) (text, encoding string) {
	if utf8.Valid(body.Data) {
		return string(body.Data), ""
	}
	return base64.StdEncoding.EncodeToString(body.Data), "base64"
}
