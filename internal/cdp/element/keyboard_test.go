package element

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

func TestParseChord(t *testing.T) {
	for given, want := range map[string]struct {
		modifiers int64
		key       string
	}{
		"a":            {0, "a"},
		"A":            {0, "A"},
		"Enter":        {0, "Enter"},
		"return":       {0, "Enter"},
		"arrowleft":    {0, "ArrowLeft"},
		"Control+A":    {modControl, "a"},
		"ctrl+shift+K": {modControl | modShift, "k"},
		"Meta+Enter":   {modMeta, "Enter"},
		"+":            {0, "+"},
		"Control++":    {modControl, "+"},
		"Shift":        {0, "Shift"},
		"Alt+F4":       {modAlt, "F4"},
		" ":            {0, " "},
		"Space":        {0, " "},
	} {
		c, err := parseChord(given)
		require.NoError(t, err, given)
		require.Equal(t, want.modifiers, c.modifiers, given)
		require.NotNil(t, c.key, given)
		require.Equal(t, want.key, c.key.Key, given)
	}
	for _, given := range []string{"é", "漢", "Ă"} {
		c, err := parseChord(given)
		require.NoError(t, err)
		require.Nil(t, c.key, given)
		require.Equal(t, given, c.text)
	}
	for _, given := range []string{"", "Entr", "Control+", "Hyper+A", "ab", "Control+Nothing"} {
		_, err := parseChord(given)
		require.Equal(t, fault.InvalidArgument, fault.CodeOf(err), given)
	}
}

func FuzzParseChord(f *testing.F) {
	for _, seed := range []string{"a", "Control+A", "+", "++", "Shift+Shift+", "\xff", "Ctrl+漢"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		c, err := parseChord(given)
		if err != nil {
			require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
			return
		}
		require.True(t, c.key != nil || c.text != "")
	})
}
