package selector

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// shown is how many characters an error repeats on either side of the place, and of a name.
const shown = 30

// A parser reads a text from its start to its end.
type parser struct {
	text string
	at   int   // the next byte, always at the start of a character
	open []int // the brackets that are open, by their places
}

func (p *parser) done() bool   { return p.at >= len(p.text) }
func (p *parser) rest() string { return p.text[p.at:] }

// ended reports whether a step ends here.
func (p *parser) ended() bool { return p.done() || strings.HasPrefix(p.rest(), ">>") }

// peek gives the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.done() {
		return 0
	}
	return p.text[p.at]
}

// skip passes a word when it is next.
func (p *parser) skip(word string) bool {
	if !strings.HasPrefix(p.rest(), word) {
		return false
	}
	p.at += len(word)
	return true
}

func (p *parser) space() {
	for blank(p.peek()) {
		p.at++
	}
}

// finish refuses what follows a step that is complete.
func (p *parser) finish(format string, args ...any) error {
	p.space()
	if p.ended() {
		return nil
	}
	return p.fail(p.at, format, args...)
}

// fail is the fault at an offset: what is wrong there, and the next step.
func (p *parser) fail(at int, format string, args ...any) error {
	return fault.New(fault.InvalidArgument, "Selector '%s' is not valid at character %d: %s",
		around(p.text, at), 1+utf8.RuneCountInString(p.text[:at]), fmt.Sprintf(format, args...))
}

// around gives what stands near an offset, on one line.
func around(text string, at int) string {
	before, after := []rune(text[:at]), []rune(text[at:])
	start, end := "", ""
	if len(before) > shown {
		before, start = before[len(before)-shown:], "…"
	}
	if len(after) > shown {
		after, end = after[:shown], "…"
	}
	plain := func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case control(r):
			return utf8.RuneError
		}
		return r
	}
	return start + strings.Map(plain, string(before)+string(after)) + end
}

// clip shortens a name that an error repeats.
func clip(name string) string {
	if runes := []rune(name); len(runes) > shown {
		return string(runes[:shown]) + "…"
	}
	return name
}

// enter passes an opening bracket.
func (p *parser) enter() error {
	if len(p.open) == maxDepth {
		return p.fail(p.at, "it is nested deeper than %d brackets; take it apart with >>", maxDepth)
	}
	p.open = append(p.open, p.at)
	p.at++
	return nil
}

// leave passes a closing bracket.
func (p *parser) leave() error {
	c := p.peek()
	if len(p.open) == 0 {
		return p.fail(p.at, `the "%c" closes nothing; a bracket that belongs to a text or a name goes in quotes or after a backslash`, c)
	}
	last := len(p.open) - 1
	if opened := p.text[p.open[last]]; (opened == '(') != (c == ')') {
		return p.fail(p.at, `the "%c" does not close the "%c" before it`, c, opened)
	}
	p.open = p.open[:last]
	p.at++
	return nil
}

// unclosed is the fault of the innermost bracket that is open.
func (p *parser) unclosed() error {
	at := p.open[len(p.open)-1]
	return p.fail(at, `the "%c" is never closed`, p.text[at])
}

// name passes a name, which stands after the given sign.
func (p *parser) name(sign string) error {
	from := p.at
	for !p.done() {
		switch c := p.peek(); {
		case named(c):
			p.at++
		case c == '\\':
			if err := p.escape(); err != nil {
				return err
			}
		default:
			if p.at == from {
				return p.fail(p.at, `a name is missing after "%s"`, sign)
			}
			return nil
		}
	}
	if p.at == from {
		return p.fail(p.at, `a name is missing after "%s"`, sign)
	}
	return nil
}

// escape passes a backslash and what it escapes.
func (p *parser) escape() error {
	at := p.at
	p.at++
	switch c := p.peek(); {
	case p.done() || c == '\n' || c == '\r' || c == '\f':
		return p.fail(at, "the backslash escapes nothing")
	case !hex(c):
		_, size := utf8.DecodeRuneInString(p.rest())
		p.at += size
		return nil
	}
	for most := p.at + 6; p.at < most && hex(p.peek()); {
		p.at++
	}
	if !p.skip("\r\n") && blank(p.peek()) {
		p.at++ // it ends the number, and is no combinator
	}
	return nil
}

// quoted passes a string of CSS.
func (p *parser) quoted() error {
	open := p.at
	for p.at++; !p.done(); p.at++ {
		switch c := p.peek(); c {
		case p.text[open]:
			p.at++
			return nil
		case '\\':
			p.at++
		case '\n', '\r', '\f':
			return p.fail(open, "the quote is not closed on its line")
		}
	}
	p.at = len(p.text)
	return p.fail(open, "the quote is never closed")
}

// gap passes white space and comments.
func (p *parser) gap() error {
	for p.space(); strings.HasPrefix(p.rest(), "/*"); p.space() {
		if err := p.comment(); err != nil {
			return err
		}
	}
	return nil
}

// comment passes a comment.
func (p *parser) comment() error {
	length := strings.Index(p.rest()[len("/*"):], "*/")
	if length < 0 {
		return p.fail(p.at, "the comment is never closed")
	}
	p.at += len("/*") + length + len("*/")
	return nil
}

// literal reads a text in quotes of ours, where a backslash comes before a quote or a
// backslash, and gives it with its white space normalised.
func (p *parser) literal() (string, error) {
	open := p.at
	var value strings.Builder
	for p.at++; !p.done(); p.at++ {
		c := p.peek()
		if c == p.text[open] {
			p.at++
			return normal(value.String()), nil
		}
		if c == '\\' {
			p.at++
			switch c = p.peek(); {
			case c == 'n' || c == 'r' || c == 't':
				c = ' '
			case named(c) && c < utf8.RuneSelf:
				return "", p.fail(p.at-1, `the escape \%c is not known; write the character itself`, c)
			}
		}
		value.WriteByte(c)
	}
	p.at = len(p.text)
	return "", p.fail(open, "the quote is never closed")
}

// normal gives a text as the agent compares it: what JavaScript takes for white
// space is one space, and none is at the ends.
func normal(text string) string {
	const byteOrderMark = '\ufeff'
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == byteOrderMark }), " ")
}

func quote(c byte) bool { return c == '"' || c == '\'' }

// blank reports whether CSS takes c for white space.
func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

// named reports whether c may be part of a CSS name.
func named(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= utf8.RuneSelf
}

func hex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func control(r rune) bool { return unicode.IsControl(r) && (r >= utf8.RuneSelf || !blank(byte(r))) }
