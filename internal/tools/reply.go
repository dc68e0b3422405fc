package tools

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/images"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

// A Reply is what a tool answers: a value, written out by [Reply.Write].
type Reply struct {
	text    string
	whole   *whole // the text at length, for the file when the text is too long
	picture *images.Image
	files   []session.File
	changes []string // what the action changed, one line each
	lost    string   // what was lost before the call
	limit   int      // bytes of the text that may be inline, if more than is configured
	told    bool     // the text tells the page's address and downloads
	fault   error
}

type whole struct {
	kind, extension, text string
	preview               int  // bytes of the text that stay inline
	cut                   bool // text ends before what it tells does
	always                bool // the file is written also when the text fits
}

// Text is a plain answer.
func Text(text string) Reply { return Reply{text: text} }

// Textf is a plain answer made from a format.
func Textf(format string, args ...any) Reply { return Reply{text: fmt.Sprintf(format, args...)} }

// Picture is a picture with a text.
func Picture(text string, picture images.Image) Reply { return Reply{text: text, picture: &picture} }

func failure(err error) Reply { return Reply{fault: err} }

// Linking names files that the client can read.
func (r Reply) Linking(files ...session.File) Reply {
	r.files = append(r.files, files...)
	return r
}

// Told marks a text that tells where the page is, so that no line about the
// change repeats it.
func (r Reply) Told() Reply {
	r.told = true
	return r
}

// spilling sets what a file gets when the text is too long to be given inline.
func (r Reply) spilling(w whole) Reply {
	r.whole = &w
	return r
}

// within allows the text more bytes than answers have otherwise: it is what was
// asked for, and not news about it.
func (r Reply) within(bytes int) Reply {
	r.limit = bytes
	return r
}

// changing adds what the call changed, one line each.
func (r Reply) changing(lines []string) Reply {
	r.changes = append(r.changes, lines...)
	return r
}

func (r Reply) with(err error) Reply {
	if err != nil {
		r.fault = err
	}
	return r
}

// A Written is a Reply within its bounds, ready to be sent.
type Written struct {
	Text    string
	Picture *images.Image
	Files   []session.File
	Code    fault.Code // "" when the call succeeded
}

// Write brings the reply within its limit of inline bytes: what is longer goes
// whole to a file of the session, and the text says where.
func (r Reply) Write(s *session.Session) Written {
	w := Written{Picture: r.picture, Files: r.files}
	limit := max(r.limit, s.Config.Output.InlineLimit)
	text := r.text
	if r.fault != nil {
		w.Code = fault.CodeOf(r.fault)
		w.Picture = nil
		text, r.whole = r.fault.Error(), nil
	}
	if len(text) > limit || r.whole != nil && r.whole.always {
		var file *session.File
		text, file = r.spill(s, text, limit)
		if file != nil {
			w.Files = append(w.Files, *file)
		}
	}
	lines := []string{text}
	for _, line := range append([]string{r.lost}, r.changes...) {
		if line != "" {
			lines = append(lines, head(oneLine(line), lineLimit))
		}
	}
	w.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	return w
}

// lineLimit bounds a line about what changed or was lost, in bytes.
const lineLimit = 600

// oneLine keeps what a page says from looking like lines of ours.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// printable takes out of a page's text what would steer a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// spill writes the text at length to a file, and gives what to say instead.
func (r Reply) spill(s *session.Session, text string, limit int) (string, *session.File) {
	long := r.whole
	if long == nil {
		long = &whole{kind: "output", extension: "txt", text: text, preview: limit / 4}
	}
	file, err := s.Output.Write(long.kind, long.extension, []byte(long.text))
	switch {
	case err != nil && len(text) <= limit:
		return text, nil
	case err != nil:
		return fmt.Sprintf("%s\n(cut: %d bytes were too long to give here and could not be written to a file: %s)", head(text, limit/2), len(text), err), nil
	case len(text) <= limit:
		return fmt.Sprintf("%s\nWhat is cut with … here is whole in %s", text, file.Path), &file
	}
	said := fmt.Sprintf("The answer (%d bytes) is too long to give here. It is whole in %s: read it with your file tools or as the linked resource.", len(long.text), file.Path)
	if long.cut {
		said = fmt.Sprintf("The answer is too long to give here, and too long to be kept whole: its first %d bytes are in %s.", len(long.text), file.Path)
	}
	if long.preview > 0 {
		said += "\nIt begins: " + head(text, long.preview)
	}
	return said, &file
}

// head cuts a text at a rune boundary and shows that it did.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// newestFirst heads a list of what a ring holds: «50 of 312 network requests,
// newest first», and how many were dropped.
func newestFirst(word string, shown, matching, all, dropped int) string {
	heading := ""
	switch {
	case all == 0:
		heading = fmt.Sprintf("No %ss.", word)
	case matching == 0:
		heading = fmt.Sprintf("None of the %d %ss matches.", all, word)
	case shown < matching:
		heading = fmt.Sprintf("%d of %d %ss, newest first.", shown, matching, word)
	case shown == 1:
		heading = fmt.Sprintf("1 %s.", word)
	default:
		heading = fmt.Sprintf("%d %ss, newest first.", shown, word)
	}
	if dropped > 0 {
		heading += fmt.Sprintf(" %d older ones were dropped.", dropped)
	}
	return heading
}
