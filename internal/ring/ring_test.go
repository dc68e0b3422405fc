package ring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRing(t *testing.T) {
	r := Ring[int]{MaxEntries: 3, MaxBytes: 100, Size: func(n int) int { return n }}
	for n := range 5 {
		r.Add(n)
	}
	require.Equal(t, []int{2, 3, 4}, r.Entries())
	require.Equal(t, 2, r.Dropped)
	require.Equal(t, []int{4}, r.Since(4))
	require.Equal(t, []int{2, 3, 4}, r.Since(0))
	require.Empty(t, r.Since(5))
	r.Add(99)
	require.Equal(t, []int{99}, r.Entries(), "the bytes bound it too")
	require.Equal(t, 1, r.Clear())
	require.Zero(t, r.Dropped)
	mark := r.Added()
	r.Add(1)
	require.Equal(t, []int{1}, r.Since(mark), "a mark outlives a clear")
}
