package selector

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// good holds selectors and the steps that the agent gets.
var good = map[string]string{
	// CSS that the browser reads alone.
	`#save`:     `[{"kind":"css","plain":"#save","list":[[{"css":"#save"}]]}]`,
	" \n div\t": `[{"kind":"css","plain":"div","list":[[{"css":"div"}]]}]`,
	`css=e12`:   `[{"kind":"css","plain":"e12","list":[[{"css":"e12"}]]}]`,
	`e12-view`:  `[{"kind":"css","plain":"e12-view","list":[[{"css":"e12-view"}]]}]`,
	`e012`:      `[{"kind":"css","plain":"e012","list":[[{"css":"e012"}]]}]`,
	`Größe`:     `[{"kind":"css","plain":"Größe","list":[[{"css":"Größe"}]]}]`,
	"ul>li.a ,\n a~b+ c  d": `[{"kind":"css","plain":"ul>li.a, a~b+c d","list":[
		[{"css":"ul"},{"combinator":">","css":"li.a"}],
		[{"css":"a"},{"combinator":"~","css":"b"},{"combinator":"+","css":"c"},{"combinator":" ","css":"d"}]]}]`,
	`.a\:b \31 23`:                   `[{"kind":"css","plain":".a\\:b \\31 23","list":[[{"css":".a\\:b"},{"combinator":" ","css":"\\31 23"}]]}]`,
	`.\31+b`:                         `[{"kind":"css","plain":".\\31+b","list":[[{"css":".\\31"},{"combinator":"+","css":"b"}]]}]`,
	`#\31  b`:                        `[{"kind":"css","plain":"#\\31  b","list":[[{"css":"#\\31 "},{"combinator":" ","css":"b"}]]}]`,
	`.w-1\/2`:                        `[{"kind":"css","plain":".w-1\\/2","list":[[{"css":".w-1\\/2"}]]}]`,
	`a[href="x)]>>\"y" i]`:           `[{"kind":"css","plain":"a[href=\"x)]>>\\\"y\" i]","list":[[{"css":"a[href=\"x)]>>\\\"y\" i]"}]]}]`,
	`svg|a, *|b, |c`:                 `[{"kind":"css","plain":"svg|a, *|b, |c","list":[[{"css":"svg|a"}],[{"css":"*|b"}],[{"css":"|c"}]]}]`,
	`tr:nth-child(2n+1 of .x, .y) b`: `[{"kind":"css","plain":"tr:nth-child(2n+1 of .x, .y) b","list":[[{"css":"tr:nth-child(2n+1 of .x, .y)"},{"combinator":" ","css":"b"}]]}]`,
	`:host(.x) > :scope`:             `[{"kind":"css","plain":":host(.x)>:scope","list":[[{"css":":host(.x)"},{"combinator":">","css":":scope"}]]}]`,
	`a/* > */.b/**/.c /**/ d`:        `[{"kind":"css","plain":"a/**/.b/**/.c d","list":[[{"css":"a/**/.b/**/.c"},{"combinator":" ","css":"d"}]]}]`,
	`a:not([b=":visible"]):is(/*)*/ b, \) )`: `[{"kind":"css","plain":"a:not([b=\":visible\"]):is(/*)*/ b, \\) )",
		"list":[[{"css":"a:not([b=\":visible\"]):is(/*)*/ b, \\) )"}]]}]`,
	// Pseudo-classes of ours.
	`.row:has-text("Ada (1)") > td button:visible`: `[{"kind":"css","list":[[{"css":".row","has_text":["Ada (1)"]},
		{"combinator":">","css":"td"},{"combinator":" ","css":"button","visible":true}]]}]`,
	`:VISIBLE.a:has-text( Don't (yet) )`:        `[{"kind":"css","list":[[{"css":".a","has_text":["Don't (yet)"],"visible":true}]]}]`,
	`:visible`:                                  `[{"kind":"css","list":[[{"css":"*","visible":true}]]}]`,
	`CSS=a:visible-x:visible`:                   `[{"kind":"css","list":[[{"css":"a:visible-x","visible":true}]]}]`,
	`:visible/**/.a, b`:                         `[{"kind":"css","list":[[{"css":".a","visible":true}],[{"css":"b"}]]}]`,
	`p:has-text("a\"\\ \n b"):has-text('>> "')`: `[{"kind":"css","list":[[{"css":"p","has_text":["a\"\\ b",">> \""]}]]}]`,
	// The other kinds.
	`e12`:                   `[{"kind":"ref","ref":"e12"}]`,
	`e12 >> nth=-1`:         `[{"kind":"ref","ref":"e12"},{"kind":"nth","index":-1}]`,
	`//a[@b=">>"] >> nth=0`: `[{"kind":"xpath","xpath":"//a[@b=\">>\"]"},{"kind":"nth"}]`,
	`(//a)[1]>>..`:          `[{"kind":"xpath","xpath":"(//a)[1]"},{"kind":"xpath","xpath":".."}]`,
	`/html/body/*`:          `[{"kind":"xpath","xpath":"/html/body/*"}]`,
	`xpath= ./b['\']`:       `[{"kind":"xpath","xpath":"./b['\\']"}]`,
	`text= Don't   stop`:    `[{"kind":"text","text":{"value":"Don't stop"}}]`,
	`text="a >> \"b\"">>i`:  `[{"kind":"text","text":{"value":"a >> \"b\"","exact":true}},{"kind":"css","plain":"i","list":[[{"css":"i"}]]}]`,
	`text='it\'s'`:          `[{"kind":"text","text":{"value":"it's","exact":true}}]`,
	`role=Button`:           `[{"kind":"role","role":{"role":"button"}}]`,
	`role=button[name="Save ] >>" i][checked] [pressed=mixed]`: `[{"kind":"role","role":{"role":"button",
		"name":{"value":"Save ] >>","exact":true},"states":{"checked":"true","pressed":"mixed"}}}]`,
	`role=heading[ level = 2 ][name*=news][include-hidden] >> a`: `[{"kind":"role","role":{"role":"heading",
		"name":{"value":"news"},"states":{"level":"2"},"hidden":true}},{"kind":"css","plain":"a","list":[[{"css":"a"}]]}]`,
	`role=img[name=""][include-hidden=false]`: `[{"kind":"role","role":{"role":"img","name":{"value":"","exact":true}}}]`,
	`iframe#pay >> .row>>nth=2`: `[{"kind":"css","plain":"iframe#pay","list":[[{"css":"iframe#pay"}]]},
		{"kind":"css","plain":".row","list":[[{"css":".row"}]]},{"kind":"nth","index":2}]`,
}

func TestParse(t *testing.T) {
	for text, want := range good {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, strings.TrimSpace(text), got.Text)
		require.JSONEq(t, want, string(encode(t, got)), text)
		requireSameAgain(t, got)
	}
}

// bad holds selectors, each with the character that an error points at and what it says.
var bad = map[string]string{
	// Brackets, quotes and names.
	`.row >> button[`:       `15: the "[" is never closed`,
	`a:not(.b`:              `6: the "(" is never closed`,
	`a:not([b)]`:            `9: the ")" does not close the "[" before it`,
	`größe)`:                `6: the ")" closes nothing; a bracket that belongs to a text or a name goes in quotes or after a backslash`,
	`a[b="c]`:               `5: the quote is never closed`,
	"a[b='c\n']":            `5: the quote is not closed on its line`,
	`a /* b`:                `3: the comment is never closed`,
	`a\`:                    `2: the backslash escapes nothing`,
	`.`:                     `2: a name is missing after "."`,
	`a: b`:                  `3: a name is missing after ":"`,
	`#1st`:                  `2: a name cannot begin with a digit; use [id="1…"] or [class~="1…"]`,
	`.w-1/2`:                `5: "/" belongs in no selector; in a name it goes after a backslash: \/`,
	`.w-[3px]`:              `4: no attribute begins like this; in a class name, brackets go after backslashes: \[…\]`,
	`button "Save"`:         `8: a quote stands here; use text="…" or role=button[name="…"]`,
	`getByRole('button')`:   `10: the "(" belongs to no pseudo-class; only CSS, text=…, role=…, xpath=… and refs are known, no functions`,
	"a\x00b":                `2: a control character stands here; leave it out`,
	strings.Repeat("(", 99): `1: the "(" belongs`,
	`a` + strings.Repeat(":is(", 51) + strings.Repeat(")", 51): `205: it is nested deeper than 50 brackets; take it apart with >>`,
	// Elements that are missing.
	`a >`:       `4: an element is missing at the end`,
	`a, ,b`:     `4: an element is missing before ","`,
	`a > > b`:   `5: an element is missing before ">"`,
	`> b`:       `1: nothing stands before the ">"; use :scope > …`,
	`>> b`:      `1: an element is missing before ">>"`,
	`a >>`:      `5: an element is missing at the end`,
	`a >> >> b`: `6: an element is missing before ">>"`,
	`css=`:      `5: an element is missing at the end`,
	// What we know only elsewhere.
	`.a:visible b:not(:visible)`: `18: :visible cannot stand inside of parentheses; put it after them, as in :is(a, b):visible`,
	`a:has(b:Has-Text("c"))`:     `8: :has-text cannot stand inside of parentheses`,
	`a:visible(1)`:               `10: :visible takes nothing in parentheses`,
	`a:has-text`:                 `2: a text is missing; use :has-text("…")`,
	`a:has-text( "" )`:           `11: the text is empty; use :has-text("…")`,
	`a:has-text(b`:               `11: the "(" is never closed; a text with parentheses goes in quotes`,
	`a:has-text("b"`:             `11: the "(" is never closed`,
	`a:has-text("b", "c")`:       `15: after the closing quote only ")" may follow`,
	`a:has-text("\e9")`:          `13: the escape \e is not known; write the character itself`,
	`.a:has-text("x")b`:          `17: a tag name comes first, before :has-text and :visible`,
	`a::before`:                  `2: ::before is no element of the document; select the one that has it`,
	`x::part(label)`:             `2: ::part is no element`,
	`a:is(b:after)`:              `7: :after is no element`,
	// Other dialects.
	`p:contains("x")`:       `2: :contains is not known; use :has-text("…")`,
	`p:not(:contains("x"))`: `7: :contains is not known; use :has-text("…")`,
	`p:text("x")`:           `2: :text is not known; use text=… or :has-text("…")`,
	`:nth-match(a, 2)`:      `1: :nth-match is not known; use >> nth=0, which counts from 0`,
	`li:eq(2)`:              `3: :eq is not known; use >> nth=0, which counts from 0`,
	`li:first`:              `3: :first is not known; use >> nth=0, or :first-child`,
	`li:last`:               `3: :last is not known; use >> nth=-1, or :last-child`,
	`a >>> b`:               `3: ">>>" is not known, and not needed: a space or >> also finds what is in shadow roots`,
	`a /deep/ b`:            `3: /deep/ is not known, and not needed: a space also finds what is in shadow roots`,
	`internal:role=button`:  `1: internal: belongs to another tool; use role=button[name="…"], text=… or CSS`,
	`id=save`:               `1: id= is not known; use [id="…"]`,
	`a >> data-testid=save`: `6: data-testid= is not known; use [data-testid="…"]`,
	`placeholder=Name`:      `1: placeholder= is not known; use [placeholder="…"]`,
	`label=Name`:            `1: label= is not known; use role=textbox[name="…"] or [aria-label="…"]`,
	`visible=true`:          `1: visible= is not known; use :visible`,
	`has-text=x`:            `1: has-text= is not known; use :has-text("…")`,
	`aria-ref=e12`:          `1: a ref stands alone; use e12`,
	`[ref=e12]`:             `1: a ref stands alone; use e12`,
	`xpaht=//a`:             `1: there is no xpaht=; did you mean xpath=?`,
	`vue=Save`:              `1: there is no vue=; there are css=, xpath=, text=, role=, nth=`,
	// Steps of the other kinds.
	`a >> e12`:                        `6: the ref e12 can only be the first step`,
	`e12 > button`:                    `5: after a ref only >> may follow: use e12 >> …`,
	`e12, e13`:                        `4: after a ref only >> may follow: use e12 >> …`,
	`xpath=`:                          `7: the XPath is empty`,
	`//a[b`:                           `4: the "[" is never closed`,
	`//a[b)]`:                         `6: the ")" does not close the "[" before it`,
	`//a["]`:                          `5: the quote is never closed`,
	`text= >> a`:                      `7: the text is empty`,
	`text=""`:                         `6: the text is empty`,
	`text="a" b`:                      `10: after the closing quote only >> may follow`,
	`text='tis`:                       `6: the quote is never closed`,
	`text=/sa.*/i`:                    `6: a regular expression is not known; give a part of the text, or all of it in quotes`,
	`nth=1`:                           `1: nth= chooses among matches, so a step comes before it: use … >> nth=0`,
	`a >> nth=last`:                   `10: a number is missing; use nth=0 for the first, nth=-1 for the last`,
	`a >> nth=1234567`:                `16: after the number only >> may follow`,
	`role=`:                           `6: a role is missing; use role=button[name="…"]`,
	`role=buton`:                      `6: there is no role buton; did you mean button?`,
	`role=accordion`:                  `6: there is no role accordion; browser_snapshot shows the roles of the page`,
	`role=button[color=red]`:          `13: a role has no color; it has name, include-hidden, checked, disabled, expanded, invalid, level, pressed, readonly, required, selected`,
	`role=button "Save"`:              `13: after a role only [name="…"], [name*="…"], states such as [checked], and >> may follow`,
	`role=button[`:                    `13: a name is missing after "["`,
	`role=button[name="a"`:            `12: the "[" is never closed`,
	`role=button[name^="a"]`:          `17: here a "]" belongs; a value is given with = or *=, in quotes`,
	`role=button[name]`:               `13: the name is missing; use [name="…"]`,
	`role=button[name*=""]`:           `13: the name is missing`,
	`role=button[name=/a/i]`:          `18: a regular expression is not known; use [name*="…"] for a part`,
	`role=button[name="a"][name="b"]`: `23: name is given twice`,
	`role=button[pressed][pressed]`:   `22: pressed is given twice`,
	`role=button[cheked]`:             `13: a role has no cheked; did you mean checked?`,
	`role=button[checked=yes]`:        `21: checked is true or false, checked and pressed also mixed`,
	`role=button[disabled=mixed]`:     `22: disabled is true or false`,
	`role=button[checked*=true]`:      `13: a part is for a name; use [checked=…]`,
	`role=heading[level=0]`:           `20: a level is a number from 1; use [level=2]`,
	`role=heading[level]`:             `19: a level is a number from 1; use [level=2]`,
}

func TestParseRefuses(t *testing.T) {
	for text, said := range bad {
		_, err := Parse(text)
		require.Error(t, err, text)
		require.Equal(t, fault.InvalidArgument, fault.CodeOf(err), text)
		require.Contains(t, err.Error(), "' is not valid at character "+said, text)
	}
}

func TestParseRefusesWhole(t *testing.T) {
	for text, said := range map[string]string{
		" \n":                           `the selector is empty; give CSS, text=…, role=…, xpath=… or a ref such as e12`,
		strings.Repeat("a", maxBytes+1): `the selector has 4001 bytes; the most is 4000`,
		"a\xff":                         `the selector is not valid UTF-8`,
	} {
		_, err := Parse(text)
		require.EqualError(t, err, said)
		require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
	}
}

func TestErrorShowsThePlaceOfALongSelector(t *testing.T) {
	_, err := Parse(strings.Repeat("ä ", 100) + "\n%" + strings.Repeat(" ö", 100))
	require.EqualError(t, err, "Selector '…"+strings.Repeat(" ä", 14)+"  %"+strings.Repeat(" ö", 14)+
		` …' is not valid at character 202: "%" belongs in no selector; in a name it goes after a backslash: \%`)
}

func TestEveryCutEndsWell(t *testing.T) {
	for text := range good {
		for n := range text {
			requireWell(t, text[:n])
		}
	}
}

// FuzzParse: whatever the text, there are steps that the agent can read, or a fault
// that points into it.
func FuzzParse(f *testing.F) {
	for text := range good {
		f.Add(text)
	}
	for text := range bad {
		f.Add(text)
	}
	f.Fuzz(requireWell)
}

var place = regexp.MustCompile(`^(?s)Selector '.{1,62}' is not valid at character ([0-9]+): [^\n]+$`)

func requireWell(t *testing.T, text string) {
	got, err := Parse(text)
	if err == nil {
		requireSameAgain(t, got)
		return
	}
	require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
	require.True(t, utf8.ValidString(err.Error()))
	if match := place.FindStringSubmatch(err.Error()); match != nil {
		at, err := strconv.Atoi(match[1])
		require.NoError(t, err)
		require.True(t, at >= 1 && at <= 1+utf8.RuneCountInString(text), "%q: character %d", text, at)
		return
	}
	require.True(t, strings.HasPrefix(err.Error(), "the selector "), err)
}

// requireSameAgain writes the steps as a selector, which must have the same steps.
func requireSameAgain(t *testing.T, s Selector) {
	t.Helper()
	require.NotEmpty(t, s.Steps)
	var written []string
	for _, step := range s.Steps {
		written = append(written, write(step))
	}
	text := strings.Join(written, " >> ")
	if len(text) > maxBytes {
		return
	}
	again, err := Parse(text)
	require.NoError(t, err, "%q, from %q", text, s.Text)
	require.Equal(t, s.Steps, again.Steps, "%q, from %q", text, s.Text)
	var decoded []Step
	require.NoError(t, json.Unmarshal(encode(t, s), &decoded))
	require.Equal(t, s.Steps, decoded)
}

func encode(t *testing.T, s Selector) []byte {
	t.Helper()
	data, err := json.Marshal(s.Steps)
	require.NoError(t, err)
	return data
}

// write writes a step as Parse reads it.
func write(s Step) string {
	inQuotes := func(text string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	switch s.Kind {
	case "ref":
		return s.Ref
	case "nth":
		return fmt.Sprintf("nth=%d", s.Index)
	case "xpath":
		return "xpath=" + s.XPath
	case "text":
		if s.Text.Exact {
			return "text=" + inQuotes(s.Text.Value)
		}
		return "text=" + s.Text.Value
	case "role":
		text := "role=" + s.Role.Role
		if name := s.Role.Name; name != nil && name.Exact {
			text += "[name=" + inQuotes(name.Value) + "]"
		} else if name != nil {
			text += "[name*=" + inQuotes(name.Value) + "]"
		}
		for state, value := range s.Role.States {
			text += "[" + state + "=" + value + "]"
		}
		if s.Role.Hidden {
			text += "[include-hidden]"
		}
		return text
	}
	if s.Plain != "" {
		return "css=" + s.Plain
	}
	var list []string
	for _, complex := range s.List {
		var text string
		for _, c := range complex {
			text += c.Combinator + c.CSS
			for _, said := range c.HasText {
				text += ":has-text(" + inQuotes(said) + ")"
			}
			if c.Visible {
				text += ":visible"
			}
		}
		list = append(list, text)
	}
	return "css=" + strings.Join(list, ",")
}
