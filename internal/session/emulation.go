package session

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// An emulation is what all targets of a session are made to believe: pages,
// frames, workers and service workers, those to come included. It outlives a
// browser.
type emulation struct {
	mu      sync.Mutex // held while orders are sent; otherwise a new target could be given an old one last
	offline bool
	targets map[*cdp.Session]bool // whether it is a worker that is not running
}

func newEmulation() *emulation { return &emulation{targets: map[*cdp.Session]bool{}} }

// watch takes a target in, in its setup. Its network must be enabled before:
// without that the browser accepts these orders and does not carry them out.
func (e *emulation) watch(t *cdp.Session) {
	t.OnClose(func(error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.targets, t)
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.targets[t] = false
	if e.offline {
		e.order(t)
	}
}

// stopped notes whether a worker answers no orders until it starts again.
func (e *emulation) stopped(t *cdp.Session, asleep bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.targets[t] = asleep
}

// renew gives a worker that has started the orders in force; it knows those of
// the time when it was stopped, or none.
func (e *emulation) renew(t *cdp.Session) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if asleep, there := e.targets[t]; there && !asleep {
		e.order(t)
	}
}

// order sends a target the orders in force and waits for no answer; e.mu is held.
func (e *emulation) order(t *cdp.Session) {
	// Otherwise a browser that reads nothing would hold e.mu.
	ctx, cancel := context.WithTimeout(context.Background(), confirmTimeout)
	defer cancel()
	orderOffline(ctx, t, e.offline)
}

// A Reach is how far an order came.
type Reach struct {
	Targets map[string]int // on which it is in force, by kind: page, service worker, …
	Stopped int            // service workers that get it when they start
	Silent  int            // targets that have not confirmed it
}

// confirmTimeout bounds the wait for targets that stand still: a page behind a
// dialog, a worker that loops.
const confirmTimeout = time.Second

// SetOffline cuts every target of the session off the network, or gives it
// back. It needs no browser: one that starts later obeys it too.
func (s *Session) SetOffline(ctx context.Context, offline bool) Reach {
	ctx, cancel := context.WithTimeout(ctx, confirmTimeout)
	defer cancel()
	orders, stopped := s.emulation.setOffline(ctx, offline)
	reach := Reach{Targets: map[string]int{}, Stopped: stopped}
	for t, sent := range orders {
		if err := sent.wait(ctx); err == nil {
			reach.Targets[t.Kind()]++
		} else if ctx.Err() != nil {
			reach.Silent++
		}
	}
	return reach
}

// Offline reports whether the session's targets are cut off the network.
func (s *Session) Offline() bool {
	s.emulation.mu.Lock()
	defer s.emulation.mu.Unlock()
	return s.emulation.offline
}

func (e *emulation) setOffline(ctx context.Context, offline bool) (orders map[*cdp.Session]offlineOrder, stopped int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.offline = offline
	orders = map[*cdp.Session]offlineOrder{}
	for t, asleep := range e.targets {
		if asleep {
			stopped++
			continue
		}
		orders[t] = orderOffline(ctx, t, offline)
	}
	return orders, stopped
}

// An offlineOrder is under way to one target.
type offlineOrder struct {
	loads cdp.Pending[network.EmulateNetworkConditionsByRuleResult]
	tells cdp.Pending[cdp.Empty] // navigator.onLine
}

func orderOffline(ctx context.Context, t *cdp.Session, offline bool) offlineOrder {
	rules := []*network.Conditions{} // none gives the network back
	if offline {
		rules = append(rules, &network.Conditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	}
	return offlineOrder{
		loads: cdp.Start(ctx, t, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: rules}),
		tells: cdp.Start(ctx, t, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: offline, DownloadThroughput: -1, UploadThroughput: -1}),
	}
}

func (o offlineOrder) wait(ctx context.Context) error {
	if _, err := o.loads.Wait(ctx); err != nil {
		return err
	}
	if _, err := o.tells.Wait(ctx); !cdp.Refused(err) { // a dedicated worker refuses: it tells what its page does
		return err
	}
	return nil
}
