package selector

import "strings"

// A Complex is one alternative of a CSS list: compounds from the ancestor to the element.
type Complex []Compound

// A Compound is what CSS says of one element.
type Compound struct {
	Combinator string   `json:"combinator,omitempty"` // before it: "" for the first, " ", ">", "+", "~"
	CSS        string   `json:"css"`                  // as the browser reads it; "*" when all of it is ours
	HasText    []string `json:"has_text,omitempty"`   // the texts of :has-text("…"), normalised
	Visible    bool     `json:"visible,omitempty"`    // :visible
}

// css reads a list of selectors. Which names there are, the browser knows.
func (p *parser) css() (Step, error) {
	step := Step{Kind: "css"}
	for {
		one, err := p.complex()
		if err != nil {
			return Step{}, err
		}
		step.List = append(step.List, one)
		if !p.skip(",") {
			step.Plain = plain(step.List)
			return step, nil
		}
	}
}

// plain writes a list as CSS, "" when the browser could not read it.
func plain(list []Complex) string {
	var css strings.Builder
	for i, one := range list {
		if i > 0 {
			css.WriteString(", ")
		}
		for _, c := range one {
			if c.Visible || c.HasText != nil {
				return ""
			}
			// No space around it: one after \31 would be a part of the escape.
			css.WriteString(c.Combinator + c.CSS)
		}
	}
	return css.String()
}

func (p *parser) complex() (Complex, error) {
	var whole Complex
	for combinator := ""; ; {
		if err := p.gap(); err != nil {
			return nil, err
		}
		if err := p.wanted(len(whole) == 0); err != nil {
			return nil, err
		}
		compound, err := p.compound()
		if err != nil {
			return nil, err
		}
		compound.Combinator = combinator
		whole = append(whole, compound)
		if err := p.gap(); err != nil {
			return nil, err
		}
		switch c := p.peek(); {
		case p.ended() || c == ',':
			return whole, nil
		case combines(c):
			combinator = string(c)
			p.at++
		default:
			combinator = " "
		}
	}
}

// wanted refuses a place without an element where there must be one.
func (p *parser) wanted(first bool) error {
	switch c := p.peek(); {
	case p.done():
		return p.fail(p.at, "an element is missing at the end")
	case p.ended():
		return p.fail(p.at, `an element is missing before ">>"`)
	case first && combines(c):
		return p.fail(p.at, `nothing stands before the "%c"; use :scope %c …`, c, c)
	case combines(c) || c == ',':
		return p.fail(p.at, `an element is missing before "%c"`, c)
	}
	return nil
}

func combines(c byte) bool { return c == '>' || c == '+' || c == '~' }

func (p *parser) compound() (Compound, error) {
	var compound Compound
	var css strings.Builder
	afterOurs := false
	for !p.ended() && !blank(p.peek()) && !combines(p.peek()) && p.peek() != ',' {
		from := p.at
		ours, err := p.simple(&compound, afterOurs)
		if err != nil {
			return compound, err
		}
		piece := p.text[from:p.at]
		switch {
		case ours:
			afterOurs = true
		case !strings.HasPrefix(piece, "/*"):
			afterOurs = false
			css.WriteString(piece)
		case css.Len() > 0:
			css.WriteString("/**/") // otherwise a/**/b became ab
		}
	}
	if compound.CSS = css.String(); css.Len() == 0 {
		compound.CSS = "*"
	}
	return compound, nil
}

// simple passes one simple selector, or puts it into the compound when it is ours.
func (p *parser) simple(into *Compound, afterOurs bool) (ours bool, err error) {
	switch c := p.peek(); {
	case c == ':':
		return p.pseudo(into)
	case brackets.MatchString(p.rest()):
		return false, p.fail(p.at, `no attribute begins like this; in a class name, brackets go after backslashes: \[…\]`)
	case c == '[':
		return false, p.group()
	case c == '.' || c == '#':
		p.at++
		if next := p.peek(); next >= '0' && next <= '9' {
			return false, p.fail(p.at, `a name cannot begin with a digit; use [id="1…"] or [class~="1…"]`)
		}
		return false, p.name(string(c))
	case c == '/' && strings.HasPrefix(p.rest(), "/*"):
		return false, p.comment()
	case afterOurs && (named(c) || strings.IndexByte(`\*|`, c) >= 0):
		return false, p.fail(p.at, "a tag name comes first, before :has-text and :visible")
	case named(c) || c == '\\':
		return false, p.name("")
	case c == '*' || c == '|' || c == '&':
		p.at++
		return false, nil
	case c == ')' || c == ']':
		return false, p.leave()
	}
	return false, p.fail(p.at, "%s", insteadOfStray(p.rest()))
}

// pseudo passes a pseudo-class; those of ours go into the compound.
func (p *parser) pseudo(into *Compound) (ours bool, err error) {
	at := p.at
	name, err := p.pseudoName()
	if err != nil {
		return false, err
	}
	call := p.peek() == '('
	switch {
	case name == "visible" && call:
		return false, p.fail(p.at, ":visible takes nothing in parentheses")
	case name == "visible":
		into.Visible = true
		return true, nil
	case name == "has-text" && call:
		text, err := p.hasText()
		into.HasText = append(into.HasText, text)
		return true, err
	case name == "has-text":
		return false, p.fail(at, `a text is missing; use :has-text("…")`)
	case call:
		return false, p.group()
	}
	return false, nil
}

// pseudoName reads the name of a pseudo-class in lower case, and refuses one that
// means something only elsewhere.
func (p *parser) pseudoName() (string, error) {
	at := p.at
	p.at++
	element := p.skip(":")
	from := p.at
	if err := p.name(p.text[at:from]); err != nil {
		return "", err
	}
	name := strings.ToLower(p.text[from:p.at])
	if element || legacyElements[name] {
		return "", p.fail(at, "%s is no element of the document; select the one that has it", clip(p.text[at:p.at]))
	}
	if instead := insteadOfPseudo[name]; instead != "" {
		return "", p.fail(at, ":%s is not known; use %s", name, instead)
	}
	return name, nil
}

// hasText reads a text in parentheses, in quotes or as it stands.
func (p *parser) hasText() (string, error) {
	at := p.at
	var value string
	p.at++
	if p.space(); quote(p.peek()) {
		var err error
		if value, err = p.literal(); err != nil {
			return "", err
		}
		if p.space(); p.done() {
			return "", p.fail(at, `the "(" is never closed`)
		}
	} else {
		from := p.at
		for depth := 0; depth > 0 || p.peek() != ')'; p.at++ {
			switch p.peek() {
			case 0:
				return "", p.fail(at, `the "(" is never closed; a text with parentheses goes in quotes`)
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		value = normal(p.text[from:p.at])
	}
	if !p.skip(")") {
		return "", p.fail(p.at, `after the closing quote only ")" may follow`)
	}
	if value == "" {
		return "", p.fail(at, `the text is empty; use :has-text("…")`)
	}
	return value, nil
}

// group passes brackets and all that they hold.
func (p *parser) group() error {
	for {
		var err error
		switch c := p.peek(); {
		case p.done():
			return p.unclosed()
		case c == '(' || c == '[':
			err = p.enter()
		case c == ')' || c == ']':
			if err = p.leave(); len(p.open) == 0 {
				return err
			}
		case quote(c):
			err = p.quoted()
		case c == '\\':
			err = p.escape()
		case strings.HasPrefix(p.rest(), "/*"):
			err = p.comment()
		case c == ':' && p.text[p.open[len(p.open)-1]] == '(':
			at := p.at
			name, wrong := p.pseudoName()
			if err = wrong; name == "visible" || name == "has-text" {
				err = p.fail(at, ":%s cannot stand inside of parentheses; put it after them, as in :is(a, b):%s", name, name)
			}
		default:
			p.at++
		}
		if err != nil {
			return err
		}
	}
}
