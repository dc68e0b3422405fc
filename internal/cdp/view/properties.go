package view

import (
	"context"
	"encoding/json"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Properties are what can be asked of the element that a selector finds.
type Properties struct {
	element.Match
	VisibleCount int // of the matches
	Visible      bool
	Hidden       string // why it is not visible
	Enabled      bool
	Disabled     string // why it is not enabled
	Editable     bool
	Focused      bool
	Checkable    bool
	Checked      any // true, false or "mixed"
	Role, Name   string
	Text         string  // as it is seen, with plain spaces
	Value        *string // of a field; nil for what is none
	Attribute    *string // the one that was asked for; nil when it is not there
	Style        string  // of the property that was asked for
	Box          [4]float64
	InView       bool
}

// Inspect gives the properties of the first visible match; Count is 0 when there
// is none. attribute and style name what to give beside, "" for nothing.
func Inspect(ctx context.Context, tab *page.Page, selector, attribute, style string) (Properties, error) {
	var p Properties
	_, raw, err := element.Ask(ctx, tab, "inspect", selector, map[string]any{"attribute": attribute, "style": style})
	if err != nil || raw == nil {
		return p, err
	}
	return p, json.Unmarshal(raw, &p)
}

// Until asks check until it gives no mismatch, and gives the last mismatch when
// the time of ctx is over. What ends ctx otherwise, a dialog or a crash, is the error.
func Until(ctx context.Context, check func(context.Context) (mismatch string, err error)) (string, error) {
	last := ""
	for {
		mismatch, err := check(ctx)
		switch {
		case err == nil && mismatch == "":
			return "", nil
		case err == nil:
			last = mismatch
		case ctx.Err() == nil:
			return "", err
		}
		over := page.Pause(ctx, page.LookEvery)
		switch {
		case over == nil:
		case !fault.Is(over, fault.Timeout):
			return "", over
		case last == "":
			return "", err // nothing has been seen
		default:
			return last, nil
		}
	}
}
