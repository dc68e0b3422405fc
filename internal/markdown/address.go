package markdown

import (
	"net/url"
	"strings"
)

// maxAddress bounds a URL in the text, in bytes.
const maxAddress = 2000

// address gives a URL as Markdown can hold it: absolute, a data: URL only up to
// what kind of data it is, and "" for what is no address but a script.
func address(raw string, base *url.URL) string {
	raw = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.TrimSpace(raw))
	switch scheme, rest, _ := strings.Cut(raw, ":"); strings.ToLower(scheme) {
	case "javascript", "vbscript":
		return ""
	case "data":
		kind, _, _ := strings.Cut(rest, ",")
		kind, _, _ = strings.Cut(kind, ";")
		return brackets.Replace("data:"+clip(kind, 60)) + ";…"
	}
	if len(raw) > maxAddress {
		return ""
	}
	if u, err := url.Parse(raw); err == nil && raw != "" && base.Scheme != "" && !u.IsAbs() {
		raw = base.ResolveReference(u).String()
	}
	return brackets.Replace(raw)
}

// brackets encodes what would end a link's address, or the cell of a table.
var brackets = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `\`, "%5C", "|", "%7C")

func clip(s string, n int) string {
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}
