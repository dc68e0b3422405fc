package markdown

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineStart is what makes a heading, a list or a quotation of a line.
var lineStart = regexp.MustCompile(`^\s*(#{1,6}\s|[-+>]\s|\d{1,9}[.)]\s|-{3,}\s*$|={3,}\s*$)`)

// escape puts a backslash before what a reader of Markdown would take for markup
// and only there: each one costs the reader. The converter's own rules look
// through the whole text for each sign.
func escape(s string, begins, inLink bool) string {
	if begins {
		if at := lineStart.FindStringSubmatchIndex(s); at != nil {
			sign := at[2] + strings.IndexFunc(s[at[2]:], func(r rune) bool { return !unicode.IsDigit(r) })
			s = s[:sign] + `\` + s[sign:]
		}
	}
	if !strings.ContainsAny(s, "*_`[]~") {
		return s
	}
	links := inLink || strings.Contains(s, "](")
	var out strings.Builder
	before := ' '
	for i, r := range s {
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if after == utf8.RuneError {
			after = ' '
		}
		switch r {
		case '`':
			out.WriteByte('\\')
		case '*':
			if !unicode.IsSpace(before) || !unicode.IsSpace(after) {
				out.WriteByte('\\')
			}
		case '_':
			if isWord(before) != isWord(after) {
				out.WriteByte('\\')
			}
		case '~':
			if after == '~' {
				out.WriteByte('\\')
			}
		case '[', ']':
			if links {
				out.WriteByte('\\')
			}
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
