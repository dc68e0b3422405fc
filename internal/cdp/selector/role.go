package selector

import (
	"slices"
	"strconv"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Role is a kind of element as assistive technology sees it.
type Role struct {
	Role   string            `json:"role"`             // lower case
	Name   *Text             `json:"name,omitempty"`   // the accessible name, whatever its case; exact for [name="…"]
	States map[string]string `json:"states,omitempty"` // such as checked: "true", "false" or "mixed"; level: "2"
	Hidden bool              `json:"hidden,omitempty"` // also what assistive technology does not see
}

// roles are the roles of ARIA that an element can have.
var roles = strings.Fields(`
	alert alertdialog application article banner blockquote button caption cell checkbox code
	columnheader combobox comment complementary contentinfo definition deletion dialog directory
	document emphasis feed figure form generic graphics-document graphics-object graphics-symbol
	grid gridcell group heading image img insertion link list listbox listitem log main mark
	marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note
	option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader
	scrollbar search searchbox separator slider spinbutton status strong subscript suggestion
	superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
	treegrid treeitem`)

// What a role's brackets may ask for, beside its name: states, most true or false.
var (
	states    = []string{"checked", "disabled", "expanded", "invalid", "level", "pressed", "readonly", "required", "selected"}
	tristates = []string{"checked", "pressed"}
	asked     = append([]string{"name", "include-hidden"}, states...)
)

// role reads a role and what its brackets ask for.
func (p *parser) role() (Step, error) {
	at := p.at
	if p.ended() {
		return Step{}, p.fail(at, `a role is missing; use role=button[name="…"]`)
	}
	name, err := p.word("role=")
	if err != nil {
		return Step{}, err
	}
	if !slices.Contains(roles, name) {
		if meant := fault.Nearest(clip(name), roles); meant != "" {
			return Step{}, p.fail(at, "there is no role %s; did you mean %s?", clip(name), meant)
		}
		return Step{}, p.fail(at, "there is no role %s; browser_snapshot shows the roles of the page", clip(name))
	}
	role := &Role{Role: name}
	for p.space(); p.peek() == '['; p.space() {
		if err := p.condition(role); err != nil {
			return Step{}, err
		}
	}
	return Step{Kind: "role", Role: role}, p.finish(`after a role only [name="…"], [name*="…"], states such as [checked], and >> may follow`)
}

// condition reads one pair of brackets after a role.
func (p *parser) condition(role *Role) error {
	open := p.at
	p.at++
	p.space()
	at := p.at
	key, err := p.word("[")
	if err != nil {
		return err
	}
	p.space()
	part := p.skip("*=")
	valued := part || p.skip("=")
	value := "true"
	valueAt := p.at
	if valued {
		if value, err = p.value(); err != nil {
			return err
		}
	}
	if p.space(); p.done() {
		return p.fail(open, `the "[" is never closed`)
	}
	if !p.skip("]") {
		return p.fail(p.at, `here a "]" belongs; a value is given with = or *=, in quotes`)
	}
	switch {
	case !slices.Contains(asked, key):
		if meant := fault.Nearest(clip(key), asked); meant != "" {
			return p.fail(at, "a role has no %s; did you mean %s?", clip(key), meant)
		}
		return p.fail(at, "a role has no %s; it has %s", clip(key), strings.Join(asked, ", "))
	case key == "name" && role.Name != nil || role.States[key] != "":
		return p.fail(at, "%s is given twice", key)
	case key == "name" && (!valued || part && value == ""):
		return p.fail(at, `the name is missing; use [name="…"]`)
	case key == "name" && patterns.MatchString(value):
		return p.fail(valueAt, `a regular expression is not known; use [name*="…"] for a part`)
	case key == "name":
		role.Name = &Text{Value: value, Exact: !part}
		return nil
	case part:
		return p.fail(at, "a part is for a name; use [%s=…]", key)
	}
	return p.state(role, key, strings.ToLower(value), valueAt)
}

// state sets what a role's element must be.
func (p *parser) state(role *Role, key, value string, at int) error {
	truth := value == "true" || value == "false"
	switch {
	case key == "level":
		if level, err := strconv.Atoi(value); err != nil || level < 1 {
			return p.fail(at, "a level is a number from 1; use [level=2]")
		}
	case key == "include-hidden" && truth:
		role.Hidden = value == "true"
		return nil
	case !truth && value == "mixed" && slices.Contains(tristates, key):
	case !truth:
		return p.fail(at, "%s is true or false, checked and pressed also mixed", key)
	}
	if role.States == nil {
		role.States = map[string]string{}
	}
	role.States[key] = value
	return nil
}

// value reads what stands after an equals sign, in quotes or up to the bracket. An
// i for any case, as CSS has it, may follow the quotes.
func (p *parser) value() (string, error) {
	p.space()
	if !quote(p.peek()) {
		raw, _, _ := strings.Cut(p.rest(), "]")
		p.at += len(raw)
		return normal(raw), nil
	}
	value, err := p.literal()
	p.space()
	p.skip("i")
	return value, err
}

// word reads a name, which stands after the given sign, in lower case.
func (p *parser) word(sign string) (string, error) {
	from := p.at
	err := p.name(sign)
	return strings.ToLower(p.text[from:p.at]), err
}
