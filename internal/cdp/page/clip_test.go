package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClip(t *testing.T) {
	require.Equal(t, "abc", Clip("abc", 3))
	require.Equal(t, "ab…", Clip("abc", 2))
	require.Equal(t, "…", Clip("é", 1), "never in the middle of a letter")
}
