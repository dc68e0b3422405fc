package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Example gives config.example.json: every key with its default.
func Example() []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, encode(Default()), "", "  "); err != nil {
		panic(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}

const preamble = `# Configuration

<!-- Generated from internal/config/config.go by ` + "`go test ./internal/config -update`" + `. Do not edit. -->

Every setting has a default. The file replaces defaults, the environment replaces the file, and flags replace the environment.

- **File:** JSON, the one named with ` + "`--config`" + `, else ` + "`browser-mcp/config.json`" + ` in the user's configuration folder when it is there:
  ` + "`$XDG_CONFIG_HOME` or `~/.config`" + ` on Linux, ` + "`~/Library/Application Support`" + ` on macOS, ` + "`%AppData%`" + ` on Windows.
  [config.example.json](../config.example.json) has every key.
- **Environment:** ` + "`BROWSER_MCP_SECTION_KEY`" + `.
- **Flags:** ` + "`--section-key`, with a dash for each underscore" + `. A boolean is ` + "`--flag` or `--flag=false`" + `.

A duration is a string such as ` + "`\"15s\"`, `\"1m30s\"` or `\"500ms\"`" + `. In the environment and in flags a list is separated by commas;
an item that holds a comma needs the file. A key that does not exist, in the file or behind ` + "`BROWSER_MCP_`" + `, is refused.
`

// Markdown gives docs/configuration.md: a table of the settings for each section.
func Markdown() []byte {
	var out bytes.Buffer
	out.WriteString(preamble)
	defaults := Default()
	for _, section := range sections {
		name := section.Tag.Get("json")
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n", name, section.Tag.Get("doc"))
		out.WriteString("| Key | Type | Default | Environment | Flag | Meaning |\n|---|---|---|---|---|---|\n")
		for _, s := range settings {
			if s.section != name {
				continue
			}
			kind := s.kind.name
			if rule := s.rule(); rule != "" {
				kind += ", " + rule
			}
			fmt.Fprintf(&out, "| `%s` | %s | `%s` | `%s%s` | `--%s` | %s |\n",
				s.path(), kind, encode(s.of(&defaults).Interface()), envPrefix, s.env(), s.flag(), s.doc())
		}
	}
	return out.Bytes()
}

// writeUsage lists the flags. A usage text that cannot be written is nobody's to mend.
func writeUsage(w io.Writer) {
	var out bytes.Buffer
	columns := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	defaults := Default()
	fmt.Fprintf(columns, "Flags (each also as %sSECTION_KEY in the environment and in the file):\n", envPrefix)
	fmt.Fprintf(columns, "  --config\tfile\tThe configuration file.\n")
	for _, s := range settings {
		details := []string{"default " + string(encode(s.of(&defaults).Interface()))}
		if rule := s.rule(); rule != "" {
			details = append(details, rule)
		}
		fmt.Fprintf(columns, "  --%s\t%s\t%s (%s)\n", s.flag(), s.kind.name, s.doc(), strings.Join(details, "; "))
	}
	_ = columns.Flush()
	_, _ = w.Write(out.Bytes())
}

// encode gives the JSON of a Config or of one of its values, which all have one.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
