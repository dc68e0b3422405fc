package view

import (
	"context"
	"encoding/json"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
)

// The formats of what is extracted that callers treat in their own way.
const (
	FormatHTML      = "html"
	FormatAttribute = "attribute"
)

// Extraction says what to take of a page.
type Extraction struct {
	Selector  string // empty for the main content
	Format    string // attribute, text, or whatever is made of HTML
	Attribute string // its name, for FormatAttribute
	Every     bool   // every match of the selector, not the first
	Limit     int    // most matches
}

// Content is what was taken.
type Content struct {
	Match  element.Match `json:"-"`
	Title  string
	URL    string
	Parts  []string // of one match each; a match with nothing to see has none
	Names  []string // the element's attributes, when it has not the one asked for
	Empty  int      // matches with nothing to see, or without the attribute
	Closed int      // <details> that are closed
	Cut    bool     // the last part is not whole
	More   bool     // there are matches beyond Limit
}

// maxContent bounds the content, in characters, before it travels.
const maxContent = 2_000_000

// Extract takes what a reader sees of an element, without what is hidden, or the
// value of an attribute. URLs are absolute.
func Extract(ctx context.Context, tab *page.Page, what Extraction) (Content, error) {
	var content Content
	match, raw, err := element.Ask(ctx, tab, "extract", what.Selector, map[string]any{
		"format": what.Format, "attribute": what.Attribute, "every": what.Every, "limit": what.Limit, "most": maxContent,
	})
	if err != nil {
		return content, err
	}
	err = json.Unmarshal(raw, &content)
	content.Match = match
	return content, err
}
