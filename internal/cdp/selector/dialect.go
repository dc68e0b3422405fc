package selector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// legacyElements are the pseudo-elements that CSS also takes with one colon.
var legacyElements = map[string]bool{"before": true, "after": true, "first-line": true, "first-letter": true}

// insteadOfPseudo names what to write for the pseudo-classes of other tools.
var insteadOfPseudo = map[string]string{
	"contains":     `:has-text("…")`,
	"text":         `text=… or :has-text("…")`,
	"text-is":      `text="…"`,
	"text-matches": `:has-text("…") with a part of the text`,
	"nth-match":    ">> nth=0, which counts from 0",
	"eq":           ">> nth=0, which counts from 0",
	"first":        ">> nth=0, or :first-child",
	"last":         ">> nth=-1, or :last-child",
	"even":         ":nth-child(odd), which counts from 1",
	"odd":          ":nth-child(even), which counts from 1",
	"gt":           ":nth-child(n+2), which counts from 1",
	"lt":           ":nth-child(-n+2), which counts from 1",
	"selected":     ":checked",
	"hidden":       "the selector without it, since hidden elements are found too",
	"light":        "the selector without it",
}

// attributes are the prefixes of other tools that ask for an attribute, beside data-… and aria-….
var attributes = []string{"alt", "class", "href", "id", "name", "placeholder", "src", "title", "type", "value"}

// insteadOfPrefix says what to write for a prefix that is no kind of step.
func insteadOfPrefix(prefix string) string {
	known := []string{"css", "xpath", "text", "role", "nth"}
	lower := strings.ToLower(clip(prefix))
	switch {
	case slices.Contains(attributes, lower), strings.HasPrefix(lower, "data-"), strings.HasPrefix(lower, "aria-") && lower != "aria-ref":
		return fmt.Sprintf(`%s= is not known; use [%s="…"]`, lower, lower)
	case lower == "label":
		return `label= is not known; use role=textbox[name="…"] or [aria-label="…"]`
	case lower == "ref", lower == "aria-ref":
		return "a ref stands alone; use e12"
	case lower == "visible":
		return "visible= is not known; use :visible"
	case lower == "has-text":
		return `has-text= is not known; use :has-text("…")`
	case strings.HasPrefix(lower, "internal:"):
		return `internal: belongs to another tool; use role=button[name="…"], text=… or CSS`
	}
	if meant := fault.Nearest(lower, known); meant != "" {
		return fmt.Sprintf("there is no %s=; did you mean %s=?", lower, meant)
	}
	return fmt.Sprintf("there is no %s=; there are %s=", lower, strings.Join(known, "=, "))
}

// insteadOfStray says what to do about text that cannot go on as CSS.
func insteadOfStray(rest string) string {
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "/deep/"):
		return "/deep/ is not known, and not needed: a space also finds what is in shadow roots"
	case quote(c):
		return `a quote stands here; use text="…" or role=button[name="…"]`
	case c == '(':
		return `the "(" belongs to no pseudo-class; only CSS, text=…, role=…, xpath=… and refs are known, no functions`
	default:
		return fmt.Sprintf(`"%c" belongs in no selector; in a name it goes after a backslash: \%c`, c, c)
	}
}
