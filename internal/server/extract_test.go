package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLargePagesAreExtracted prints what large pages cost; that they are whole
// is what it checks.
func TestLargePagesAreExtracted(t *testing.T) {
	var article, many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&article, "<h2>Section %d</h2><p>%s<a href='/%d'>link</a> and <code>code</code>.</p><ul><li>one<li>two</ul>", i, strings.Repeat("Some words of an article that goes on. ", 16), i)
	}
	for i := range 20000 {
		fmt.Fprintf(&many, "<div><span>item</span> <b>%d</b></div>", i)
	}
	for name, content := range map[string]struct{ html, last string }{
		"article of 780 KB": {article.String(), "Section 999"},
		"60,000 elements":   {many.String(), "19999"},
	} {
		site := servePage(t, "<main>"+content.html+"</main>")
		p := connect(t, newTestServer(t, nil))
		p.must("browser_navigate", map[string]any{"url": site.url, "timeout": "3m"})
		for _, format := range []string{"markdown", "text", "html"} {
			started := time.Now()
			a := p.call("browser_extract", map[string]any{"format": format, "timeout": "3m"})
			t.Logf("%s (%d bytes) as %s: %s", name, len(content.html), format, time.Since(started).Round(time.Millisecond))
			require.False(t, a.IsError, a.text())
			require.NotContains(t, a.text(), "too long to be kept whole")
			require.Contains(t, p.readResource(a.link()), content.last)
		}
	}
}
