// Package markdown owns the way from HTML to Markdown: text in, text out. It
// imports nothing of ours but fault, and nobody else may import the converter.
package markdown

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/JohannesKaufmann/dom"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Convert gives HTML as Markdown with tables and strikethrough, and with
// neither HTML nor the content of data: URLs in it. Relative URLs are resolved
// against base, and stay as they are when it is empty. What is no HTML is text.
//
// Its time grows with the length of the source alone, however that is nested;
// the caller bounds the length. The error is an internal one: no source is wrong.
func Convert(source, base string) (text string, err error) {
	defer func() {
		if p := recover(); p != nil { // what a page nests must not take the process down
			err = fault.New(fault.Internal, "the page breaks the Markdown converter (%v): ask for format text or html", p)
		}
	}()
	against, err := url.Parse(base)
	if err != nil {
		against = &url.URL{}
	}
	tree := parse(source, against)
	arrangeTables(tree)
	written, err := newConverter().ConvertNode(tree)
	if err != nil {
		return "", err
	}
	return string(written), nil
}

func newConverter() *converter.Converter {
	conv := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled), converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false), commonmark.WithHorizontalRule("---")),
		strikethrough.NewStrikethroughPlugin(),
		// Aligned columns would repeat the widest cell's length in every row.
		table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal), table.WithSkipEmptyRows(true)),
	))
	// The plugin's own would encode the queries of URLs anew.
	conv.Register.RendererFor("a", converter.TagTypeInline, writeLink, converter.PriorityEarly)
	conv.Register.RendererFor("img", converter.TagTypeInline, writeImage, converter.PriorityEarly)
	return conv
}

// writeLink leaves what a link holds as it is when the link leads nowhere.
func writeLink(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var inner bytes.Buffer
	ctx.RenderChildNodes(ctx, &inner, n)
	content := inner.String()
	label := strings.Join(strings.Fields(content), " ")
	address := dom.GetAttributeOr(n, "href", "")
	if label == "" || address == "" {
		_, _ = w.WriteString(content)
		return converter.RenderSuccess
	}
	if startsWithSpace(content) {
		_ = w.WriteByte(' ')
	}
	_, _ = w.WriteString("[" + label + "](" + address + ")")
	if endsWithSpace(content) {
		_ = w.WriteByte(' ')
	}
	return converter.RenderSuccess
}

// altEscape is for a picture's text, in which a pipe would end a cell.
var altEscape = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", "&lt;", "|", `\|`)

func writeImage(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	alt := altEscape.Replace(dom.GetAttributeOr(n, "alt", ""))
	if address := dom.GetAttributeOr(n, "src", ""); address != "" {
		alt = "![" + alt + "](" + address + ")"
	}
	_, _ = w.WriteString(alt)
	return converter.RenderSuccess
}

func startsWithSpace(s string) bool { return strings.TrimLeft(s, " \n") != s }
func endsWithSpace(s string) bool   { return strings.TrimRight(s, " \n") != s }
