package markdown

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The converter goes through the tree by recursion and copies the text of a list
// or a quotation once for each level that it lies in.
const (
	maxDepth  = 64      // elements in one another
	maxIndent = 12      // lists and quotations in one another
	maxNodes  = 100_000 // the text of what follows is kept
)

// kept says what becomes of an element: a kind of node, a block or a piece of
// text that means nothing further, or nothing at all. Others are text.
var kept = map[string]string{
	"p": "p", "div": "div", "h1": "h1", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6",
	"ul": "ul", "ol": "ol", "li": "li", "menu": "ul", "blockquote": "blockquote", "pre": "pre", "hr": "hr", "br": "br",
	"table": "table", "caption": "caption", "thead": "thead", "tbody": "tbody", "tfoot": "tfoot", "tr": "tr", "th": "th", "td": "td",
	"strong": "strong", "b": "strong", "em": "em", "i": "em", "cite": "em", "dfn": "em", "var": "em",
	"del": "del", "s": "del", "strike": "del", "code": "code", "kbd": "code", "samp": "code", "tt": "code",
	"a": "a", "img": "img", "dl": "div", "dt": "dt", "dd": "dd",
	"article": "div", "section": "div", "main": "div", "header": "div", "footer": "div", "aside": "div", "nav": "div",
	"address": "div", "figure": "div", "figcaption": "div", "details": "div", "summary": "div", "fieldset": "div",
	"legend": "div", "form": "div", "hgroup": "div", "search": "div", "center": "div", "dialog": "div", "body": "div",

	"script": dropped, "style": dropped, "template": dropped, "noscript": dropped, "title": dropped, "iframe": dropped,
	"object": dropped, "canvas": dropped, "video": dropped, "audio": dropped, "svg": dropped, "button": dropped,
	"select": dropped, "datalist": dropped, "textarea": dropped, "noframes": dropped, "noembed": dropped,
}

const dropped = "dropped" // with all that it holds

// inline are the nodes that end with the block around them.
var inline = map[string]bool{"strong": true, "em": true, "del": true, "code": true, "a": true}

// ends lists the open elements that the start of another one ends, and what they
// are not looked for beyond.
var ends = map[string]struct{ these, within string }{
	"li": {"li", "ul ol table"}, "dt": {"dt dd", "table"}, "dd": {"dt dd", "table"}, "a": {"a", "table"},
	"tr": {"tr", "table"}, "td": {"td th", "tr table"}, "th": {"td th", "tr table"},
	"thead": {"caption thead tbody tfoot", "table"}, "tbody": {"caption thead tbody tfoot", "table"}, "tfoot": {"caption thead tbody tfoot", "table"},
}

// A builder makes a tree of what Markdown can say. Unlike a browser's parser it
// moves nothing about: each token is looked at once.
type builder struct {
	base  *url.URL
	open  []level
	nodes int
	line  strings.Builder // text that is no node yet

	skipping string // the dropped element that is open
	skipped  int    // how often it is open, in itself
	raised   bool   // a superscript begins
	fresh    bool   // a preformatted block begins
}

// A level is an open element.
type level struct {
	name string // as the tree has it, or dt and dd
	node *html.Node
}

// parse reads HTML into a tree of the nodes that kept names, their depth bounded.
func parse(source string, base *url.URL) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	b := &builder{base: base, open: []level{{node: root}}}
	tokens := html.NewTokenizer(strings.NewReader(strings.ToValidUTF8(source, "�")))
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end: reading a string fails in no other way
			b.flush()
			return root
		case html.TextToken:
			if b.skipping == "" {
				b.text(string(tokens.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			b.start(token)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			b.end(string(name))
		}
	}
}

func (b *builder) top() level { return b.open[len(b.open)-1] }

// within counts the open elements that have one of the names.
func (b *builder) within(names ...string) (n int) {
	for _, l := range b.open {
		for _, name := range names {
			if l.name == name {
				n++
			}
		}
	}
	return n
}

func (b *builder) start(token html.Token) {
	name := token.Data
	kind := kept[name]
	switch {
	case b.skipping != "":
		if name == b.skipping {
			b.skipped++
		}
		return
	case kind == dropped:
		if token.Type != html.SelfClosingTagToken || name != "svg" {
			b.skipping, b.skipped = name, 1
		}
		return
	case b.within("pre") > 0:
		b.startInPre(name, token)
		return
	case name == "sup":
		b.raised = true
		return
	case name == "q":
		b.text(`"`)
		return
	case kind == "":
		return
	}
	b.raised = false
	if !inline[kind] && kind != "br" && kind != "img" {
		b.endInline()
	}
	if rule, ok := ends[kind]; ok {
		b.endOpen(rule.these, rule.within)
	}
	b.add(kind, token)
}

// add appends the node, and opens it unless it holds nothing or lies too deep.
func (b *builder) add(kind string, token html.Token) {
	if b.nodes++; b.nodes > maxNodes {
		b.text(" ")
		return
	}
	switch kind {
	case "br", "hr":
		b.node(kind)
		return
	case "img":
		b.image(token)
		return
	}
	if len(b.open) >= maxDepth || (kind == "ul" || kind == "ol" || kind == "blockquote" || kind == "dd") && b.within("ul", "ol", "blockquote", "dd") >= maxIndent {
		if !inline[kind] {
			b.node("br")
		}
		return
	}
	switch kind {
	case "dt": // a term is a line of its own, in bold
		b.push(kind, appendTo(b.node("p"), "strong"))
	case "dd": // and what is said of it a list below it
		b.flush()
		list := b.top().node.LastChild
		if list == nil || list.Data != "ul" {
			list = b.node("ul")
		}
		b.push(kind, appendTo(list, "li"))
	case "a":
		b.push(kind, b.node(kind, html.Attribute{Key: "href", Val: address(attribute(token, "href"), b.base)}))
	case "ol":
		b.push(kind, b.node(kind, html.Attribute{Key: "start", Val: attribute(token, "start")}))
	case "td", "th":
		b.push(kind, b.node(kind, html.Attribute{Key: "colspan", Val: attribute(token, "colspan")}, html.Attribute{Key: "rowspan", Val: attribute(token, "rowspan")}))
	case "table":
		b.push(kind, b.node(kind, html.Attribute{Key: "role", Val: attribute(token, "role")}))
	case "pre":
		b.fresh = true
		b.push(kind, b.node(kind, languageOf(token)...))
	default:
		b.push(kind, b.node(kind))
	}
}

// startInPre lets only line breaks and the name of a language into preformatted
// text.
func (b *builder) startInPre(name string, token html.Token) {
	pre := b.top().node
	switch {
	case name == "code" && pre.Data == "pre":
		if len(pre.Attr) == 0 {
			pre.Attr = languageOf(token)
		}
	case name == "br":
		b.text("\n")
	case kept[name] != "" && !inline[kept[name]] && b.line.Len() > 0 && !strings.HasSuffix(b.line.String(), "\n"):
		b.text("\n")
	}
}

func (b *builder) end(name string) {
	switch kind := kept[name]; {
	case b.skipping != "":
		if name == b.skipping {
			if b.skipped--; b.skipped == 0 {
				b.skipping = ""
			}
		}
	case b.within("pre") > 0 && name != "pre":
	case name == "sup":
		b.raised = false
	case name == "q":
		b.text(`"`)
	case kind != "" && kind != dropped:
		limit := "td th table"
		if kind == "table" || kind == "tr" || kind == "td" || kind == "th" {
			limit = "table"
		}
		b.endOpen(kind, limit)
	}
}

// endOpen closes the innermost of these elements and what is open in it, unless
// one of the others lies between.
func (b *builder) endOpen(these, within string) {
	for i := len(b.open) - 1; i > 0; i-- {
		if name := b.open[i].name; hasWord(these, name) {
			b.flush()
			b.open = b.open[:i]
			return
		} else if hasWord(within, name) {
			return
		}
	}
}

// endInline closes a paragraph before a block, with what is open in it.
func (b *builder) endInline() {
	for i := len(b.open) - 1; i > 0; i-- {
		switch name := b.open[i].name; {
		case name == "p":
			b.flush()
			b.open = b.open[:i]
			return
		case !inline[name]:
			return
		}
	}
}

func hasWord(words, word string) bool { return strings.Contains(" "+words+" ", " "+word+" ") }

func (b *builder) push(name string, node *html.Node) { b.open = append(b.open, level{name, node}) }

func (b *builder) node(kind string, attributes ...html.Attribute) *html.Node {
	b.flush()
	return appendTo(b.top().node, kind, attributes...)
}

func appendTo(parent *html.Node, kind string, attributes ...html.Attribute) *html.Node {
	node := &html.Node{Type: html.ElementNode, Data: kind, DataAtom: atom.Lookup([]byte(kind))}
	for _, a := range attributes {
		if a.Val != "" {
			node.Attr = append(node.Attr, a)
		}
	}
	parent.AppendChild(node)
	return node
}

// text takes in text, which becomes a node with the next flush.
func (b *builder) text(s string) {
	s = strings.Map(plain, s)
	if b.fresh {
		s = strings.TrimPrefix(s, "\n")
	}
	b.fresh = false
	if s == "" {
		return
	}
	if before := b.line.String(); b.raised && wordEnd.MatchString(before[max(0, len(before)-utf8.UTFMax):]) && wordStart.MatchString(s) {
		s = "^" + s // 10⁶ would read as 106
	}
	b.raised = false
	if b.within("pre", "code") == 0 {
		last := b.top().node.LastChild
		begins := b.line.Len() == 0 && !inline[b.top().name] && (last == nil || last.Data == "br")
		s = escape(s, begins, b.within("a") > 0)
	}
	b.line.WriteString(s)
}

// flush makes a node of the text since the last one.
func (b *builder) flush() {
	if b.line.Len() > 0 {
		b.top().node.AppendChild(&html.Node{Type: html.TextNode, Data: b.line.String()})
		b.line.Reset()
	}
}

// plain takes out what steers terminals, and what the converter marks text with.
func plain(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0xF000 && r <= 0xF00F {
		return -1
	}
	return r
}

var (
	wordStart = regexp.MustCompile(`^[\pL\pN+\-−]`)
	wordEnd   = regexp.MustCompile(`[\pL\pN)]$`)
)

func (b *builder) image(token html.Token) {
	alt := strings.Join(strings.Fields(strings.Map(plain, attribute(token, "alt"))), " ")
	b.node("img", html.Attribute{Key: "alt", Val: alt}, html.Attribute{Key: "src", Val: address(attribute(token, "src"), b.base)})
}

var language = regexp.MustCompile(`(?:^|\s)lang(?:uage)?-([\w+#.-]{1,30})(?:\s|$)`)

func languageOf(token html.Token) []html.Attribute {
	if named := language.FindStringSubmatch(attribute(token, "class")); named != nil {
		return []html.Attribute{{Key: "class", Val: "language-" + named[1]}}
	}
	return nil
}

func attribute(token html.Token, name string) string {
	for _, a := range token.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
