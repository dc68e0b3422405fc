package clip

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	require.Equal(t, "abc", Text("abc", 3))
	require.Equal(t, "ab…", Text("abc", 2))
	require.Equal(t, "…", Text("é", 1), "never in the middle of a letter")
}
