package console

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnswersOfWorkersStayWithinTheBounds: what a worker is asked for can be far
// longer than its message was.
func TestAnswersOfWorkersStayWithinTheBounds(t *testing.T) {
	c := New()
	var entries []*entry
	for range 2 * maxBytes / maxMessageBytes {
		e := &entry{done: &Message{}, size: 1}
		entries = append(entries, e)
		c.add(e)
	}
	long := strings.Repeat("x", maxMessageBytes)
	for i, e := range entries {
		c.replace(e, Message{Text: fmt.Sprint(i) + long[len(fmt.Sprint(i)):]})
	}
	require.LessOrEqual(t, c.entries.Bytes(), maxBytes)
	newest, dropped := c.Recent()
	require.Positive(t, dropped)
	require.Equal(t, len(entries)-dropped, len(newest))
}

func TestReplacedMessagesKeepTheBounds(t *testing.T) {
	c := New()
	first, second := &entry{done: &Message{Text: "one"}, size: 3}, &entry{done: &Message{Text: "two"}, size: 3}
	c.add(first)
	c.add(second)
	c.replace(first, Message{Text: "longer than one"})
	require.Equal(t, len("longer than one")+3, c.entries.Bytes())
	c.Clear()
	c.replace(second, Message{Text: "late"})
	require.Zero(t, c.entries.Bytes())
	all, _ := c.Recent()
	require.Empty(t, all)
}
