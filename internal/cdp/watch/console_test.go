package watch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnswersOfWorkersStayWithinTheBounds: what a worker is asked for can be far
// longer than its message was.
func TestAnswersOfWorkersStayWithinTheBounds(t *testing.T) {
	c := NewConsole()
	var entries []*entry
	for range 2 * maxConsoleBytes / maxMessageBytes {
		e := &entry{done: &Message{}, size: 1}
		entries = append(entries, e)
		c.add(e)
	}
	long := strings.Repeat("x", maxMessageBytes)
	for i, e := range entries {
		c.replace(e, Message{Text: fmt.Sprint(i) + long[len(fmt.Sprint(i)):]})
	}
	require.LessOrEqual(t, c.entries.bytes, maxConsoleBytes)
	newest, dropped := c.Recent()
	require.Positive(t, dropped)
	require.Equal(t, len(entries)-dropped, len(newest))
}
