package cdp

import (
	"strings"
	"sync"

	"github.com/chromedp/cdproto"
)

// Bounds of the bulk events that wait to be handled, per session.
const (
	maxBulkEvents = 8192
	maxBulkBytes  = 16 << 20
)

// A queue holds the messages of one session in order. It never blocks the
// reader. Answers and events that carry state always stay; of bulk events the
// oldest are dropped, and told of, once their bounds are reached.
type queue struct {
	mu     sync.Mutex
	ready  chan struct{} // holds a token when there may be something to pop
	closed bool

	items []item
	first uint64   // sequence number of items[0]
	bulk  []uint64 // sequence numbers of the bulk items that are still whole
	bytes int      // of the bulk items
}

type item struct {
	msg     *cdproto.Message
	dropped string // the method of a bulk event that was dropped here
	bulk    bool
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// isBulk tells the events that a page can emit without end and of which the
// newest matter.
func isBulk(msg *cdproto.Message) bool {
	switch m := string(msg.Method); m {
	case "Runtime.consoleAPICalled", "Runtime.bindingCalled", "Runtime.exceptionThrown", "Log.entryAdded", "ServiceWorker.workerErrorReported":
		return true
	default:
		return strings.HasPrefix(m, "Network.")
	}
}

func (q *queue) push(msg *cdproto.Message) {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return
	}
	it := item{msg: msg, bulk: msg.ID == 0 && isBulk(msg)}
	if it.bulk {
		q.bulk = append(q.bulk, q.first+uint64(len(q.items)))
		q.bytes += len(msg.Params)
	}
	q.items = append(q.items, it)
	for len(q.bulk) > maxBulkEvents || (q.bytes > maxBulkBytes && len(q.bulk) > 1) {
		oldest := &q.items[q.bulk[0]-q.first]
		q.bulk = q.bulk[1:]
		q.bytes -= len(oldest.msg.Params)
		*oldest = item{dropped: string(oldest.msg.Method)}
	}
	q.mu.Unlock()
	q.wake()
}

// pop waits for the next message, or for the method of one that was dropped;
// ok is false once the queue is closed and what it held has been popped.
func (q *queue) pop() (msg *cdproto.Message, dropped string, ok bool) {
	for {
		q.mu.Lock()
		if q.closed && len(q.items) == 0 {
			q.mu.Unlock()
			return nil, "", false
		}
		if len(q.items) > 0 {
			it := q.items[0]
			q.items[0] = item{}
			q.items = q.items[1:]
			q.first++
			if it.bulk {
				q.bulk = q.bulk[1:]
				q.bytes -= len(it.msg.Params)
			}
			if len(q.items) == 0 {
				q.items, q.bulk = nil, nil // otherwise a burst's memory stays
			}
			q.mu.Unlock()
			return it.msg, it.dropped, true
		}
		q.mu.Unlock()
		<-q.ready
	}
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.wake()
}

func (q *queue) wake() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}
