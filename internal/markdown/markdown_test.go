package markdown

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestConvert(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"nothing":        {"", ""},
		"text":           {"plain text", "plain text"},
		"headings":       {"<h1>One</h1><h3>Three</h3>", "# One\n\n### Three"},
		"paragraphs":     {"<p>a<p>b<div>c</div>d", "a\n\nb\n\nc\n\nd"},
		"emphasis":       {"<b>b</b> <em>i</em> <s>s</s> <q>q</q>", "**b** *i* ~~s~~ \"q\""},
		"power":          {"10<sup>6</sup> m", "10^6 m"},
		"blank lines":    {"<div><div><p>a</p></div></div><br><br><br><div><p>b</p></div>", "a\n\nb"},
		"links":          {`<a href="/x?q=a:b+c">to [x]</a>`, `[to \[x\]](https://example.org/x?q=a:b+c)`},
		"relative link":  {`<a href="y z">y</a>`, "[y](https://example.org/dir/y%20z)"},
		"brackets":       {`<a href="/a_(b)">y</a>`, "[y](https://example.org/a_%28b%29)"},
		"script link":    {`<a href="javascript:alert(1)">y</a>`, "y"},
		"link of blocks": {`<a href="/c"><h3>Title</h3><p>Text</p></a>`, "[**Title** Text](https://example.org/c)"},
		"empty link":     {`a <a href="/c"></a>b`, "a b"},
		"image":          {`<img src="i.png" alt="an [i]">`, `![an \[i\]](https://example.org/dir/i.png)`},
		"data image":     {`<img src="data:image/png;base64,AAAA" alt="dot">`, "![dot](data:image/png;…)"},
		"data link":      {`<a href="data:text/html,<b>x">d</a>`, "[d](data:text/html;…)"},
		"lists":          {"<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  \n  - b\n- c"},
		"start":          {`<ol start="3"><li>c<li>d</ol>`, "3. c\n4. d"},
		"definitions":    {"<dl><dt>T<dd>one<dd>two<dt>U<dd>three</dl>", "**T**\n\n- one\n- two\n\n**U**\n\n- three"},
		"quotation":      {"<blockquote><p>a</p><p>b</p></blockquote>", "> a\n> \n> b"},
		"rule":           {"a<hr>b", "a\n\n---\n\nb"},
		"code":           {"call <code>f(*a)</code>", "call `f(*a)`"},
		"fence":          {"<pre><code class=\"hljs language-go\">\nif a &lt; b {\n\n\n}\n</code></pre>", "```go\nif a < b {\n\n\n}\n```"},
		"fence in spans": {"<pre class=lang-js><span>a</span><br><b>b</b></pre>", "```js\na\nb\n```"},
		"fence in fence": {"<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"},
		"controls":       {"a<button>b</button><select><option>c</select><input value=d><textarea>e</textarea>f", "af"},
		"code of pages":  {"a<script>b</script><style>c</style><template>d</template><noscript>e</noscript><!-- g -->", "a"},
		"no html":        {"&lt;script&gt;x&lt;/script&gt; <custom-tag>y</custom-tag>", "&lt;script&gt;x&lt;/script&gt; y"},
		"no markup":      {"*a* snake_case 5 * 3 `c`", "\\*a\\* snake_case 5 * 3 \\`c\\`"},
		"no heading":     {"<p># a</p><p>1. b</p><p>- c</p>", "\\# a\n\n1\\. b\n\n\\- c"},
		"no link":        {"[a](b) [1]", `\[a\](b) \[1\]`},
		"no controls":    {"a\x1b[31mb\a\uf002c", "a[31mbc"},
		"table": {
			"<table><caption>All</caption><thead><tr><th>A<th>B|C</thead><tr><td>1<br>2<td><ul><li>x<li>y</ul><tr><td><code>a|b</code><td><p>p</p><p>q</p></table>",
			"All\n\n| A | B\\|C |\n|---|---|\n| 1 2 | x; y |\n| `a\\|b` | p q |",
		},
		"spans": {
			"<table><tr><th>A<th colspan=2>B<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>",
			"| A | B |  |\n|---|---|---|\n| 1 | 2 | 3 |\n|  | 4 | 5 |",
		},
		"table without a head": {
			"<table><tr><td>a<td>b<tr><th>c<td>d</table>",
			"|  |  |\n|---|---|\n| a | b |\n| c | d |",
		},
		"tables in tables": {
			"<table><tr><td>out<table><tr><th>in<th>side<tr><td>1<td>2</table><td>more</table>",
			"out\n\n| in | side |\n|---|---|\n| 1 | 2 |\n\nmore",
		},
		"table for layout": {"<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Convert(c.source, "https://example.org/dir/page.html")
			require.NoError(t, err)
			require.Equal(t, c.want, strings.ReplaceAll(got, "  \n\n", "\n\n"))
		})
	}
}

func TestConvertWithoutABase(t *testing.T) {
	for _, base := range []string{"", "::not a url"} {
		got, err := Convert(`<a href="/x">x</a>`, base)
		require.NoError(t, err)
		require.Equal(t, "[x](/x)", got)
	}
}

// TestHostileSources: what is nested, spans or repeats costs what its length
// does. Twice the length may not cost ten times the time.
func TestHostileSources(t *testing.T) {
	repeated := func(s string) func(int) string {
		return func(n int) string { return strings.Repeat(s, n/len(s)) + "end" }
	}
	for name, source := range map[string]func(int) string{
		"blocks":      repeated("<div>"),
		"lists":       repeated("<ul><li>a"),
		"quotations":  repeated("<blockquote>a"),
		"styles":      repeated("<b><i>a"),
		"tables":      repeated("<table><tr><td>a"),
		"brackets":    repeated("["),
		"stars":       repeated("*a"),
		"tags":        repeated("a<span>"),
		"closed tags": repeated("a</p>"),
		"line breaks": repeated("<br>"),
		"wide spans": func(n int) string {
			return "<table>" + repeated("<tr><td colspan=99999 rowspan=99999>a<td>b")(n)
		},
		"holes": func(n int) string {
			return "<table><tr>" + strings.Repeat("<td>a", n/20) + strings.Repeat("<tr><td>", n/16) + "end"
		},
	} {
		t.Run(name, func(t *testing.T) {
			took := func(n int) time.Duration {
				s := source(n)
				started := time.Now()
				got, err := Convert(s, "")
				require.NoError(t, err)
				require.Contains(t, got, "end")
				require.Less(t, len(got), 20*n+1000)
				return time.Since(started)
			}
			took(10_000)
			small, large := took(100_000), took(200_000)
			t.Logf("100 KB took %s, 200 KB %s", small, large)
			require.Less(t, large, 10*small+time.Second)
		})
	}
}
