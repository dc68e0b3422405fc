package tools

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/browser-mcp/browser-mcp/internal/cdp/view"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/markdown"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var extractTools = []tool.Tool{
	tool.OnPage("browser_extract", tool.Looks, "Read a page or an element as a reader sees it.", extract),
}

type extractArgs struct {
	Selector  string `json:"selector,omitempty" doc:"else the main content"`
	Format    string `json:"format,omitempty" enum:"markdown,text,html,attribute" default:"markdown"`
	Attribute string `json:"attribute,omitempty" note:"name"`
	All       bool   `json:"all,omitempty" note:"every match"`
	Limit     int    `json:"limit,omitempty" default:"100" min:"1" max:"1000"`
	tool.BriefTimeout
}

// What of a page stays in the answer, in bytes: all of it, or its beginning when
// it is longer.
const (
	extractLimit   = 10000
	extractPreview = 4000
)

func (a extractArgs) check() error {
	switch {
	case a.Format == view.FormatAttribute && a.Attribute == "":
		return fault.New(fault.InvalidArgument, "format attribute needs attribute, the name of one, as in href")
	case a.Format != view.FormatAttribute && a.Attribute != "":
		return fault.New(fault.InvalidArgument, "attribute goes with format attribute, and not with %s", a.Format)
	case a.Selector == "" && (a.All || a.Format == view.FormatAttribute):
		return fault.New(fault.InvalidArgument, "all and format attribute need a selector; without them the main content is read")
	}
	return nil
}

func extract(ctx context.Context, _ *session.Session, tab *session.Tab, args extractArgs) (tool.Reply, error) {
	if err := args.check(); err != nil {
		return tool.Reply{}, err
	}
	content, err := view.Extract(ctx, tab, view.Extraction{Selector: args.Selector, Format: args.Format, Attribute: args.Attribute, Every: args.All, Limit: args.Limit})
	if err != nil {
		return tool.Reply{}, err
	}
	parts := content.Parts
	extension := map[string]string{view.FormatHTML: "html", "markdown": "md"}[args.Format]
	if extension == "" {
		extension = "txt"
	}
	for i, part := range parts {
		switch args.Format {
		case "markdown":
			if parts[i], err = markdown.Convert(part, content.URL); err != nil {
				return tool.Reply{}, err
			}
		case view.FormatAttribute:
			parts[i] = tool.OneLine(part)
		default:
			parts[i] = printable(part)
		}
	}
	between := "\n\n---\n\n"
	if args.Format == view.FormatAttribute {
		between = "\n"
	}
	text := strings.Join(parts, between)
	if strings.TrimSpace(text) == "" {
		return tool.Text(nothingOf(args, content)), nil
	}
	return tool.Text(extractHeading(args, content, text) + "\n\n" + text).Within(extractLimit).
		Spilling(tool.Whole{Kind: "extract", Extension: extension, Text: text, Preview: extractPreview, Cut: content.Cut}), nil
}

// extractHeading is `Main content <main#story> of "Title" (URL), 5321 characters`.
func extractHeading(args extractArgs, content view.Content, text string) string {
	heading := fmt.Sprintf("Main content %s", content.Match.Element)
	switch {
	case args.All && content.More:
		heading = fmt.Sprintf("The first %d of %d matches of '%s'", len(content.Parts)+content.Empty, content.Match.Count, args.Selector)
	case args.All:
		heading = fmt.Sprintf("%d match(es) of '%s'", content.Match.Count, args.Selector)
	case args.Selector != "":
		heading = content.Match.Element + among(content.Match)
	}
	heading += fmt.Sprintf(" of %q (%s), %d characters", tool.OneLine(content.Title), tool.OneLine(content.URL), utf8.RuneCountInString(text))
	if args.All && content.Empty > 0 {
		heading += fmt.Sprintf("; %d have nothing to give", content.Empty)
	}
	if content.Closed > 0 {
		heading += fmt.Sprintf("; %d closed <details> not read: click their summary", content.Closed)
	}
	if content.Cut {
		heading += "; the rest is left out, being too long or too slow to read"
	}
	return heading
}

func nothingOf(args extractArgs, content view.Content) string {
	switch {
	case args.Format == view.FormatAttribute && args.All:
		return fmt.Sprintf("None of the %d match(es) of '%s' has a value for the attribute %q", content.Match.Count, args.Selector, args.Attribute)
	case args.Format == view.FormatAttribute && len(content.Parts) > 0:
		return fmt.Sprintf("The attribute %q of %s is empty", args.Attribute, content.Match.Element)
	case args.Format == view.FormatAttribute && len(content.Names) > 0:
		return fmt.Sprintf("%s has no attribute %q; it has %s", content.Match.Element, args.Attribute, tool.OneLine(strings.Join(content.Names, ", ")))
	case args.Format == view.FormatAttribute:
		return fmt.Sprintf("%s has no attribute %q", content.Match.Element, args.Attribute)
	case args.All:
		return fmt.Sprintf("None of the %d match(es) of '%s' has text that can be seen", content.Match.Count, args.Selector)
	case args.Selector == "":
		return fmt.Sprintf("The page %q (%s) has no text that can be seen. If it is still loading, wait for an element of it first.", tool.OneLine(content.Title), tool.OneLine(content.URL))
	default:
		return fmt.Sprintf("%s%s has no text that can be seen", content.Match.Element, among(content.Match))
	}
}
