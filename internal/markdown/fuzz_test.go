package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzConvert: whatever the source, Convert gives text without what a page's
// code, a terminal or the converter itself would take for its own.
func FuzzConvert(f *testing.F) {
	for _, source := range []string{
		"<h1>a</h1><p>b <a href=/c>d</a></p>", "<table><tr><td rowspan=3>a<td colspan=9>b<tr><td><table><tr><th>c</table>",
		"<ul><li>a<ol start=-1><li><pre>\nb</pre></ol>", "<dl><dd>a<dt>b<table><caption>c</dl>", "<b><a href=data:x><h2>a</b>c</h2><img src=' (' alt='<'>",
		"<pre><code class=language-x>`", "</p></table><svg/><q><sup>2", "<template><script>a</script>b",
	} {
		f.Add(source, "https://example.org/a/")
	}
	f.Fuzz(func(t *testing.T, source, base string) {
		got, err := Convert(source, base)
		require.NoError(t, err)
		require.True(t, utf8.ValidString(got))
		require.NotContains(t, got, "\a")
		require.NotContains(t, got, "](javascript:")
		require.False(t, strings.ContainsRune(got, 0xF002))
		require.Equal(t, strings.TrimSpace(got), got)
	})
}
