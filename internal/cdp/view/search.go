package view

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Query says what to search for: one of the three.
type Query struct {
	Text    string   `json:"text,omitempty"` // in any case
	Pattern *Pattern `json:"pattern,omitempty"`
	Role    string   `json:"role,omitempty"`
}

// A Pattern is a regular expression in JavaScript's syntax.
type Pattern struct {
	Source string `json:"source"`
	Flags  string `json:"flags"`
}

// A Finding is what a search found.
type Finding struct {
	Total  int      // of the matches
	Lines  []string // a line for each match, the first ones of the page
	Unread element.Unread
}

// searchTimeout bounds the search of the frames in a page, all of them.
const searchTimeout = 5 * time.Second

// Search gives the elements that are seen and hold the text, match the pattern or
// have the role, in the page and the frames in it, with refs and what they stand in.
func Search(ctx context.Context, tab *page.Page, query Query, limit int) (Finding, error) {
	var finding Finding
	err := tab.AcrossDocuments(ctx, func() error {
		finding = Finding{}
		return search(ctx, tab, tab.Main(), query, limit, "", &finding)
	})
	if cause := context.Cause(ctx); cause != nil && !fault.Is(cause, fault.Timeout) {
		err = cause
	}
	return finding, err
}

func search(ctx context.Context, tab *page.Page, f *page.Frame, query Query, limit int, inside string, finding *Finding) error {
	answer, document, err := page.Look[struct {
		Invalid string // why the pattern is none
		Total   int
		Found   []struct {
			line
			Context string
		}
		Frames []element.FrameElement
	}](ctx, f, "search", query, max(limit-len(finding.Lines), 0))
	switch {
	case err != nil:
		return err
	case answer.Invalid != "":
		return fault.New(fault.InvalidArgument, "%s; it is read as JavaScript reads it", answer.Invalid)
	}
	finding.Total += answer.Total
	for _, l := range answer.Found {
		where := l.Context
		if inside != "" {
			where = strings.TrimSuffix("frame "+inside+" > "+where, " > ")
		}
		if where != "" {
			where = " (in " + where + ")"
		}
		finding.Lines = append(finding.Lines, fmt.Sprintf("%s %s%s%s", l.Head, tab.Refs().Name(f, document, l.ID), l.Tail, where))
	}
	if !f.Nested() {
		brief, cancel := context.WithTimeout(ctx, min(searchTimeout, page.Remaining(ctx)))
		defer cancel()
		ctx = brief
	}
	finding.Unread.Each(ctx, f, answer.Frames, inside, func(child *page.Frame, selector string) error {
		return search(ctx, tab, child, query, limit, selector, finding)
	})
	return nil
}
