package tools

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var update = flag.Bool("update", false, "write the golden files and the generated documents anew")

// golden compares a generated file with the one that is kept.
func golden(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, want, 0o644))
		return
	}
	got, err := os.ReadFile(path)
	require.NoError(t, err, "make update writes it")
	require.Equal(t, string(got), string(want), "%s is out of date: make update", path)
}

func TestGoldens(t *testing.T) {
	kept := map[string]bool{}
	for _, one := range All() {
		raw, err := one.Golden()
		require.NoError(t, err)
		path := filepath.Join("testdata", "schemas", one.Name+".json")
		kept[path] = true
		golden(t, path, raw)
	}
	files, err := filepath.Glob("testdata/schemas/*.json")
	require.NoError(t, err)
	for _, path := range files {
		require.True(t, kept[path], "%s belongs to no tool: delete it", path)
	}
}

func TestGeneratedDocs(t *testing.T) {
	golden(t, "../../docs/tools.md", []byte(tool.Markdown(All(), OnByDefault)+errorCodes(t)))
	const readme = "../../README.md"
	raw, err := os.ReadFile(readme)
	require.NoError(t, err)
	text := between(t, string(raw), "tools", tool.Table(All(), OnByDefault))
	offered, err := Select(config.Default().Tools)
	require.NoError(t, err)
	text = between(t, text, "approval", "```json\n"+AutoApproval(offered)+"\n```\n")
	golden(t, readme, []byte(text))
}

// errorCodes is the list of the codes with their meanings, as the comments of
// package fault give them.
func errorCodes(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../fault/fault.go", nil, parser.ParseComments)
	require.NoError(t, err)
	list := "\n## Errors\n\nAn error carries one of these codes in `_meta.code`.\n\n| code | meaning |\n|---|---|\n"
	found := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != "Code" {
			return true
		}
		code, ok := spec.Values[0].(*ast.BasicLit)
		require.True(t, ok, "%s has no code", spec.Names[0])
		require.NotEmpty(t, spec.Comment.Text(), "%s has no comment behind it, which gives its meaning", spec.Names[0])
		list += "| `" + strings.Trim(code.Value, `"`) + "` | " + strings.TrimSpace(spec.Comment.Text()) + " |\n"
		found++
		return true
	})
	require.NotZero(t, found)
	return list
}

// between replaces what stands between the two marks of that name.
func between(t *testing.T, text, mark, content string) string {
	t.Helper()
	begin, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
	before, rest, ok := strings.Cut(text, begin)
	require.True(t, ok, mark)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok, mark)
	return before + begin + content + end + after
}

func TestEveryToolSpeaksTheVocabulary(t *testing.T) {
	types := map[string]string{}
	meanings := map[string]string{}
	names := map[string]bool{}
	for _, one := range All() {
		require.Regexp(t, regexp.MustCompile(`^(browser_)?[a-z]+(_[a-z]+)*$`), one.Name)
		require.False(t, names[one.Name], "%s is there twice", one.Name)
		names[one.Name] = true
		require.NotEmpty(t, one.Title)
		require.NotEmpty(t, one.Set)
		require.LessOrEqual(t, len(one.Doc), 150, "%s: a description costs every client its length", one.Name)
		require.True(t, strings.HasSuffix(one.Doc, "."), "%s: %q", one.Name, one.Doc)
		for _, f := range one.Fields {
			require.Regexp(t, regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`), f.Name, one.Name)
			require.NotContains(t, []string{"session", "session_id", "tab", "tab_id", "page_id", "target_id", "context_id"}, f.Name,
				"%s: the session decides where a call goes", one.Name)
			if known, ok := types[f.Name]; ok {
				require.Equal(t, known, f.Type(), "%s of %s has another type elsewhere", f.Name, one.Name)
			}
			types[f.Name] = f.Type()
			if said := f.Meaning(); tool.Vocabulary[f.Name] == "" && said != "" {
				if known := meanings[f.Name]; known != "" {
					require.Equal(t, known, said, "%s of %s has another meaning elsewhere: put it into the vocabulary", f.Name, one.Name)
				}
				meanings[f.Name] = said
			}
		}
	}
	for name := range tool.Vocabulary {
		require.Contains(t, types, name, "the vocabulary names an argument that no tool has")
	}
}

func TestHintsAreSane(t *testing.T) {
	for _, one := range All() {
		if one.Effect.ReadOnly {
			require.False(t, one.Effect.Destructive, one.Name)
			require.True(t, one.Effect.Idempotent, one.Name)
		}
		require.True(t, one.Standing != tool.Passes || !one.Effect.OpenWorld || one.Name == "browser_handle_dialog",
			"%s reaches the page without driving the tab", one.Name)
	}
}

func TestSelect(t *testing.T) {
	names := func(cfg config.Tools) (list []string) {
		offered, err := Select(cfg)
		require.NoError(t, err)
		for _, one := range offered {
			list = append(list, one.Name)
		}
		return list
	}
	everything := names(config.Tools{Sets: []string{"all"}})
	require.Len(t, everything, len(All()))
	require.Contains(t, everything, "browser_export_har")
	require.NotContains(t, names(config.Default().Tools), "browser_export_har", "its toolset is off by default")
	require.Contains(t, names(config.Default().Tools), "browser_click")
	require.NotContains(t, names(config.Tools{Sets: []string{"default"}, Deny: []string{"browser_eval"}}), "browser_eval")
	require.Equal(t, []string{"read_image"}, names(config.Tools{Allow: []string{"read_image"}}))
	for _, name := range names(config.Tools{Sets: []string{"all"}, ReadOnly: true}) {
		require.NotContains(t, []string{"browser_click", "browser_navigate", "browser_eval", "browser_close", "browser_resize"}, name)
	}
	for key, cfg := range map[string]config.Tools{
		"tools.sets":  {Sets: []string{"cor"}},
		"tools.allow": {Sets: []string{"all"}, Allow: []string{"evaluate"}},
		"tools.deny":  {Sets: []string{"all"}, Deny: []string{"eval"}},
	} {
		_, err := Select(cfg)
		require.ErrorContains(t, err, key)
		require.ErrorContains(t, err, "does not exist")
	}
	_, err := Select(config.Tools{})
	require.ErrorContains(t, err, "offers no tool")
}

func TestSchemasAreObjects(t *testing.T) {
	for _, one := range All() {
		var schema struct {
			Type       string
			Properties map[string]json.RawMessage
		}
		require.NoError(t, json.Unmarshal(one.Schema, &schema), one.Name)
		require.Equal(t, "object", schema.Type)
		require.NotNil(t, schema.Properties)
	}
}
