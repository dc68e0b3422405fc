package cdp

import (
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/stretchr/testify/require"
)

func bulkMessage(n int) *cdproto.Message {
	return &cdproto.Message{Method: "Runtime.consoleAPICalled", Params: make([]byte, n)}
}

func TestQueueKeepsOrderAndState(t *testing.T) {
	q := newQueue()
	const flood = 3 * maxBulkEvents
	for i := range flood {
		q.push(bulkMessage(2))
		if i%1000 == 0 {
			q.push(&cdproto.Message{Method: "Page.frameNavigated", ID: 0})
			q.push(&cdproto.Message{ID: int64(i + 1), Method: ""})
		}
	}
	var whole, dropped, state, replies int
	lastReply := int64(0)
	for range flood + 2*flood/1000 + 2 {
		msg, drop, ok := q.pop()
		require.True(t, ok)
		switch {
		case drop != "":
			require.Zero(t, whole, "the oldest are dropped")
			dropped++
		case msg.ID != 0:
			require.Greater(t, msg.ID, lastReply)
			lastReply = msg.ID
			replies++
		case msg.Method == "Page.frameNavigated":
			state++
		default:
			whole++
		}
		if whole+dropped == flood && state == replies && replies == (flood+999)/1000 {
			break
		}
	}
	require.Equal(t, maxBulkEvents, whole)
	require.Equal(t, flood-maxBulkEvents, dropped)
	require.Equal(t, state, replies)
}

func TestQueueBoundsBytes(t *testing.T) {
	q := newQueue()
	for range 10 {
		q.push(bulkMessage(maxBulkBytes / 4))
	}
	require.LessOrEqual(t, q.bytes, maxBulkBytes)
	require.Len(t, q.bulk, 4)
	// one that is larger than all is kept, alone
	q.push(bulkMessage(2 * maxBulkBytes))
	require.Len(t, q.bulk, 1)
}

func TestQueueThatIsClosedEnds(t *testing.T) {
	q := newQueue()
	ended := make(chan bool)
	go func() {
		_, _, ok := q.pop()
		ended <- ok
	}()
	q.close()
	require.False(t, <-ended)
	q.push(bulkMessage(1))
	_, _, ok := q.pop()
	require.False(t, ok)
}
