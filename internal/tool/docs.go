package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Markdown is docs/tools.md: the tools with their arguments. on says which
// toolsets are on by default.
func Markdown(tools []Tool, on func(Toolset) bool) string {
	var out strings.Builder
	out.WriteString("# Tools\n\nThis page is made from the code by `make update`.\n")
	out.WriteString("\n| toolset | on by default | tools |\n|---|---|---|\n")
	for _, set := range setsOf(tools) {
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", set, map[bool]string{true: "yes", false: "no"}[on(set)], strings.Join(namesIn(tools, set), ", "))
	}
	for _, t := range tools {
		off := ""
		if !on(t.Set) {
			off = ", off by default"
		}
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n%s · toolset `%s`%s\n", t.Name, t.Doc, t.Effect, t.Set, off)
		if len(t.Fields) == 0 {
			out.WriteString("\nNo arguments.\n")
			continue
		}
		out.WriteString("\n| argument | type | default | meaning |\n|---|---|---|---|\n")
		for _, f := range t.Fields {
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", f.label(), f.kindLabel(), code(f.fallback), cell(f.Meaning()))
		}
	}
	return out.String()
}

// Table is the README's list of the tools. on says which toolsets are on by default.
func Table(tools []Tool, on func(Toolset) bool) string {
	var out strings.Builder
	out.WriteString("| tool | what it does |\n|---|---|\n")
	for _, t := range tools {
		off := ""
		if !on(t.Set) {
			off = fmt.Sprintf(" Off unless `tools.sets` names `%s`.", t.Set)
		}
		fmt.Fprintf(&out, "| `%s` | %s%s |\n", t.Name, cell(t.Doc), off)
	}
	return out.String()
}

// setsOf lists the toolsets in the order in which they first appear.
func setsOf(tools []Tool) (sets []Toolset) {
	for _, t := range tools {
		if !slices.Contains(sets, t.Set) {
			sets = append(sets, t.Set)
		}
	}
	return sets
}

func namesIn(tools []Tool, set Toolset) (names []string) {
	for _, t := range tools {
		if t.Set == set {
			names = append(names, code(t.Name))
		}
	}
	return names
}

// String tells the effect in words.
func (e Effect) String() string {
	switch {
	case e.ReadOnly && e.OpenWorld:
		return "looks at the page"
	case e.ReadOnly:
		return "reads"
	case e.Destructive:
		return "acts on the page"
	case e.OpenWorld:
		return "opens pages"
	default:
		return "changes the session"
	}
}

func (f Field) label() string {
	if f.required {
		return "**" + f.Name + "**"
	}
	return f.Name
}

func (f Field) kindLabel() string {
	if len(f.enum) > 0 {
		values := "`" + strings.Join(f.enum, "` `") + "`"
		if f.Type() == "array" {
			return "list of " + values
		}
		return values
	}
	if f.Type() != "object" {
		return f.Type()
	}
	var parts []string
	for _, p := range f.property().Properties {
		parts = append(parts, p.name+": "+p.Type)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// A listing is a tool as a golden file shows it: what a client is told.
type listing struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Effect      Effect          `json:"annotations"`
	Schema      json.RawMessage `json:"inputSchema"`
}

// Golden is the tool as clients see it, for a reader.
func (t Tool) Golden() ([]byte, error) {
	raw, err := json.MarshalIndent(listing{t.Name, t.Title, t.Doc, t.Effect, t.Schema}, "", "  ")
	return append(raw, '\n'), err
}
