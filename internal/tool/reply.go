package tool

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/images"
	"github.com/browser-mcp/browser-mcp/internal/output"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

// A Reply is what a tool answers: a value, written out by [Reply.Write].
type Reply struct {
	text    string
	whole   *Whole // the text at length, for the file when the text is too long
	picture *images.Image
	files   []output.File
	changes []string // what the action changed, one line each
	lost    string   // what was lost before the call
	limit   int      // bytes of the text that may be inline, if more than is configured
	told    bool     // the text tells the page's address and downloads
	fault   error
}

// A Whole is a text at length, for a file of the session.
type Whole struct {
	Kind, Extension, Text string
	Preview               int  // bytes of the text that stay inline
	Cut                   bool // the text ends before what it tells does
	Always                bool // the file is written also when the answer fits
}

// Text is a plain answer.
func Text(text string) Reply { return Reply{text: text} }

// Textf is a plain answer made from a format.
func Textf(format string, args ...any) Reply { return Reply{text: fmt.Sprintf(format, args...)} }

// Picture is a picture with a text.
func Picture(text string, picture images.Image) Reply { return Reply{text: text, picture: &picture} }

func failure(err error) Reply { return Reply{fault: err} }

// Linking names files that the client can read.
func (r Reply) Linking(files ...output.File) Reply {
	r.files = append(r.files, files...)
	return r
}

// Told marks a text that tells where the page is, so that no line about the
// change repeats it.
func (r Reply) Told() Reply {
	r.told = true
	return r
}

// Headed sets a text before the reply's own.
func (r Reply) Headed(text string) Reply {
	r.text = text + r.text
	return r
}

// Spilling sets what a file gets when the text is too long to be given inline.
func (r Reply) Spilling(w Whole) Reply {
	r.whole = &w
	return r
}

// Within allows the text more bytes than answers have otherwise: it is what was
// asked for, and not news about it.
func (r Reply) Within(bytes int) Reply {
	r.limit = bytes
	return r
}

// Changing adds what the call changed, one line each.
func (r Reply) Changing(lines []string) Reply {
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
	Files   []output.File
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
	if len(text) > limit || r.whole != nil && r.whole.Always {
		var file *output.File
		text, file = r.spill(s, text, limit)
		if file != nil {
			w.Files = append(w.Files, *file)
		}
	}
	lines := []string{text}
	for _, line := range append([]string{r.lost}, r.changes...) {
		if line != "" {
			lines = append(lines, clip.Text(OneLine(line), lineLimit))
		}
	}
	w.Text = strings.TrimSpace(strings.Join(lines, "\n"))
	return w
}

// lineLimit bounds a line about what changed or was lost, in bytes.
const lineLimit = 600

// OneLine keeps what a page says from looking like lines of ours.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// spill writes the text at length to a file, and gives what to say instead.
func (r Reply) spill(s *session.Session, text string, limit int) (string, *output.File) {
	long := r.whole
	if long == nil {
		long = &Whole{Kind: "output", Extension: "txt", Text: text, Preview: limit / 4}
	}
	file, err := s.Output.Write(long.Kind, long.Extension, []byte(long.Text))
	switch {
	case err != nil && len(text) <= limit:
		return text, nil
	case err != nil:
		return fmt.Sprintf("%s\n(cut: %d bytes were too long to give here and could not be written to a file: %s)", clip.Text(text, limit/2), len(text), err), nil
	case len(text) <= limit:
		return fmt.Sprintf("%s\nWhat is cut with … here is whole in %s", text, file.Path), &file
	}
	said := fmt.Sprintf("The answer (%d bytes) is too long to give here. It is whole in %s: read it with your file tools or as the linked resource.", len(long.Text), file.Path)
	if long.Cut {
		said = fmt.Sprintf("The answer is too long to give here, and too long to be kept whole: its first %d bytes are in %s.", len(long.Text), file.Path)
	}
	if long.Preview > 0 {
		said += "\nIt begins: " + clip.Text(text, long.Preview)
	}
	return said, &file
}
