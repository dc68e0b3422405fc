// Package selector reads what a tool's selector argument says, and refuses what is
// no selector with the place and what to write instead. It owns the grammar; the
// agent in the page finds the elements.
package selector

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// The bounds of a selector: nested deeper, it takes the renderer's stack.
const (
	maxBytes = 4000
	maxDepth = 50
)

// A Selector is a chain of steps, each of which searches in what the one before found.
type Selector struct {
	Text  string // as given, without the space around it
	Steps []Step // at least one
}

// A Step is one search, or the choice among what was found, in the agent's words.
type Step struct {
	Kind  string    `json:"kind"`            // css, xpath, text, role, nth, ref
	Plain string    `json:"plain,omitempty"` // css: the whole as the browser reads it; "" when a pseudo-class is ours
	List  []Complex `json:"list,omitempty"`  // css: the alternatives, taken apart
	XPath string    `json:"xpath,omitempty"`
	Text  *Text     `json:"text,omitempty"`
	Role  *Role     `json:"role,omitempty"`
	Index int       `json:"index,omitempty"` // nth: from 0; from the end when negative
	Ref   string    `json:"ref,omitempty"`   // such as e12
}

// A Text is what an element says, each run of white space as one space.
type Text struct {
	Value string `json:"value"`
	Exact bool   `json:"exact,omitempty"` // the whole text, not a part of it
}

// The forms that tell one kind of step from another. A ref is no part of a longer name.
var (
	refs     = regexp.MustCompile(`^(e[1-9][0-9]*)(?:[^-\w\\[:^ascii:]]|$)`)
	refTests = regexp.MustCompile(`^\[(?:aria-)?ref=["']?e[0-9]+["']?\]`)
	prefixes = regexp.MustCompile(`^([A-Za-z_][-\w:]*)=`)
	indexes  = regexp.MustCompile(`^-?[0-9]{1,6}`)
	patterns = regexp.MustCompile(`^/.+/[a-z]*$`)
	brackets = regexp.MustCompile(`^\[(?:-?[0-9]|[#.&:>])`) // that no attribute begins with
	xpaths   = regexp.MustCompile(`^(?:\.\.(?:[/\s>|]|$)|\./|\(+\.?/|/[^*])`)
)

// Parse reads a selector. Its error is a fault.InvalidArgument that shows the place.
func Parse(text string) (Selector, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return Selector{}, fault.New(fault.InvalidArgument, `the selector is empty; give CSS, text=…, role=…, xpath=… or a ref such as e12`)
	case len(text) > maxBytes:
		return Selector{}, fault.New(fault.InvalidArgument, "the selector has %d bytes; the most is %d", len(text), maxBytes)
	case !utf8.ValidString(text):
		return Selector{}, fault.New(fault.InvalidArgument, "the selector is not valid UTF-8")
	}
	p := &parser{text: text}
	steps, err := p.steps()
	if err != nil {
		return Selector{}, err
	}
	return Selector{Text: text, Steps: steps}, nil
}

func (p *parser) steps() ([]Step, error) {
	if at := strings.IndexFunc(p.text, control); at >= 0 {
		return nil, p.fail(at, "a control character stands here; leave it out")
	}
	var steps []Step
	for {
		p.space()
		step, err := p.step(len(steps) == 0)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
		at := p.at
		if !p.skip(">>") {
			return steps, nil
		}
		if p.peek() == '>' {
			return nil, p.fail(at, `">>>" is not known, and not needed: a space or >> also finds what is in shadow roots`)
		}
	}
}

// step reads one step up to the ">>" after it or the end.
func (p *parser) step(first bool) (Step, error) {
	at, rest := p.at, p.rest()
	if xpaths.MatchString(rest) {
		return p.xpath()
	}
	if ref := refs.FindStringSubmatch(rest); ref != nil {
		if !first {
			return Step{}, p.fail(at, "the ref %s can only be the first step", clip(ref[1]))
		}
		p.at += len(ref[1])
		return Step{Kind: "ref", Ref: ref[1]}, p.finish("after a ref only >> may follow: use %s >> …", clip(ref[1]))
	}
	if refTests.MatchString(rest) {
		return Step{}, p.fail(at, "a ref stands alone; use e12")
	}
	prefix := prefixes.FindStringSubmatch(rest)
	if prefix == nil {
		return p.css()
	}
	p.at += len(prefix[0])
	p.space()
	switch strings.ToLower(prefix[1]) {
	case "css":
		return p.css()
	case "xpath":
		return p.xpath()
	case "text":
		return p.words()
	case "role":
		return p.role()
	case "nth":
		return p.nth(at, first)
	}
	return Step{}, p.fail(at, "%s", insteadOfPrefix(prefix[1]))
}

func (p *parser) words() (Step, error) {
	at := p.at
	if quote(p.peek()) {
		value, err := p.literal()
		if err != nil {
			return Step{}, err
		}
		if value == "" {
			return Step{}, p.fail(at, "the text is empty")
		}
		return Step{Kind: "text", Text: &Text{Value: value, Exact: true}}, p.finish("after the closing quote only >> may follow")
	}
	raw, _, _ := strings.Cut(p.rest(), ">>")
	p.at += len(raw)
	value := normal(raw)
	switch {
	case value == "":
		return Step{}, p.fail(at, "the text is empty")
	case patterns.MatchString(value):
		return Step{}, p.fail(at, "a regular expression is not known; give a part of the text, or all of it in quotes")
	}
	return Step{Kind: "text", Text: &Text{Value: value}}, nil
}

func (p *parser) nth(at int, first bool) (Step, error) {
	if first {
		return Step{}, p.fail(at, "nth= chooses among matches, so a step comes before it: use … >> nth=0")
	}
	digits := indexes.FindString(p.rest())
	index, err := strconv.Atoi(digits)
	if err != nil {
		return Step{}, p.fail(p.at, "a number is missing; use nth=0 for the first, nth=-1 for the last")
	}
	p.at += len(digits)
	return Step{Kind: "nth", Index: index}, p.finish("after the number only >> may follow")
}

// xpath checks no more than the brackets and quotes: the browser does the rest.
func (p *parser) xpath() (Step, error) {
	start := p.at
	for !p.done() {
		var err error
		switch c := p.peek(); {
		case len(p.open) == 0 && p.ended():
			return p.xpathStep(start)
		case quote(c):
			length := strings.IndexByte(p.rest()[1:], c)
			if length < 0 {
				return Step{}, p.fail(p.at, "the quote is never closed")
			}
			p.at += length + len(`""`)
		case c == '(' || c == '[':
			err = p.enter()
		case c == ')' || c == ']':
			err = p.leave()
		default:
			p.at++
		}
		if err != nil {
			return Step{}, err
		}
	}
	if len(p.open) > 0 {
		return Step{}, p.unclosed()
	}
	return p.xpathStep(start)
}

func (p *parser) xpathStep(start int) (Step, error) {
	path := strings.TrimSpace(p.text[start:p.at])
	if path == "" {
		return Step{}, p.fail(start, "the XPath is empty")
	}
	return Step{Kind: "xpath", XPath: path}, nil
}
