package tool

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Markdown is docs/tools.md: the tools with their arguments.
func Markdown(tools []Tool) string {
	var out strings.Builder
	out.WriteString("# Tools\n\nThis page is made from the code by `make update`.\n")
	for _, t := range tools {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n%s · toolset `%s`\n", t.Name, t.Doc, t.Effect, t.Set)
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

// Table is the README's list of the tools.
func Table(tools []Tool) string {
	var out strings.Builder
	out.WriteString("| tool | what it does |\n|---|---|\n")
	for _, t := range tools {
		fmt.Fprintf(&out, "| `%s` | %s |\n", t.Name, cell(t.Doc))
	}
	return out.String()
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
