// Package internal holds the rule of the house: which package may import which.
package internal

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/browser-mcp/browser-mcp/"

// mayImport lists, for each package, those of ours that it may import. What
// everybody may import is not named again.
var mayImport = map[string][]string{
	"cmd/browser-mcp":        {"internal/server", "internal/tools", "internal/demo", "internal/build"},
	"internal/demo":          {},
	"internal/server":        {"internal/tools", "internal/tool", "internal/session"},
	"internal/tools":         {"internal/build", "internal/tool", "internal/session", "internal/output", "internal/cdp/view", "internal/cdp/element", "internal/cdp/page", "internal/cdp/console", "internal/cdp/network", "internal/cdp/workers", "internal/cdp/downloads", "internal/images", "internal/markdown", "internal/har"},
	"internal/tool":          {"internal/session", "internal/output", "internal/images"},
	"internal/har":           {"internal/cdp/network"},
	"internal/session":       {"internal/output", "internal/cdp/page", "internal/cdp/console", "internal/cdp/network", "internal/cdp/workers", "internal/cdp/downloads", "internal/cdp/launch", "internal/cdp", "internal/tempdir"},
	"internal/cdp/view":      {"internal/cdp/element", "internal/cdp/page"},
	"internal/cdp/element":   {"internal/cdp", "internal/cdp/page", "internal/cdp/selector"},
	"internal/cdp/page":      {"internal/cdp", "internal/cdp/agent", "internal/cdp/network"},
	"internal/cdp/agent":     {},
	"internal/cdp/selector":  {},
	"internal/cdp/console":   {"internal/cdp", "internal/ring"},
	"internal/cdp/network":   {"internal/cdp", "internal/ring"},
	"internal/cdp/workers":   {"internal/cdp"},
	"internal/cdp/downloads": {"internal/cdp", "internal/output"},
	"internal/cdp/launch":    {"internal/process", "internal/tempdir"},
	"internal/cdp":           {},
	"internal/output":        {"internal/tempdir"},
	"internal/tempdir":       {"internal/process"},
	"internal/process":       {},
	"internal/images":        {},
	"internal/markdown":      {},
	"internal/ring":          {},
	"internal/clip":          {},
	"internal/config":        {"internal/fault"},
	"internal/fault":         {},
	"internal/build":         {},
	"tests/bench":            {"internal/cdp/launch"},
	"tests/e2e":              {},
	"tests/apps":             {},
}

// everybody names the packages that all others may import.
var everybody = []string{"internal/fault", "internal/config", "internal/clip"}

// onlyFor names the packages that alone may import a library. Package kb is a
// table of keys and no driver.
var onlyFor = map[string][]string{
	"github.com/mark3labs/mcp-go":        {"internal/server", "internal/demo"},
	"github.com/chromedp/chromedp":       {"internal/cdp", "internal/cdp/launch"},
	"github.com/chromedp/chromedp/kb":    {"internal/cdp/element"},
	"github.com/chromedp/cdproto":        {"internal/cdp", "internal/cdp/element", "internal/cdp/page", "internal/cdp/console", "internal/cdp/network", "internal/cdp/workers", "internal/cdp/downloads", "internal/session", "internal/tools", "internal/har"},
	"golang.org/x/image":                 {"internal/images"},
	"github.com/go-json-experiment/json": {},
	"github.com/JohannesKaufmann":        {"internal/markdown"},
	"golang.org/x/net/html":              {"internal/markdown"},
}

func TestImportsRunOneWay(t *testing.T) {
	picture, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	for folder, imports := range importsByPackage(t) {
		allowed, known := mayImport[folder]
		require.True(t, known && strings.Contains(string(picture), "`"+folder+"`"),
			"%s is no room of the house: add it to docs/architecture.md and to this test", folder)
		for _, imported := range imports {
			if own, ok := strings.CutPrefix(imported, module); ok {
				if !slices.Contains(everybody, own) || slices.Contains(everybody, folder) {
					require.Contains(t, allowed, own, "%s must not import %s", folder, own)
				}
				continue
			}
			if library, owners := ownersOf(imported); library != "" && !strings.HasPrefix(folder, "tests/") {
				require.Contains(t, owners, folder, "%s must not import %s", folder, imported)
			}
		}
	}
}

// TestNothingIsAllowedInVain: what nobody imports is not allowed, lest a wrong
// import goes unseen one day.
func TestNothingIsAllowedInVain(t *testing.T) {
	imports := importsByPackage(t)
	for folder, allowed := range mayImport {
		require.Contains(t, imports, folder, "there is no room %s", folder)
		for _, own := range allowed {
			assert.Contains(t, imports[folder], module+own, "%s does not import %s", folder, own)
		}
	}
	for library, owners := range onlyFor {
		for _, folder := range owners {
			assert.True(t, slices.ContainsFunc(imports[folder], func(imported string) bool {
				covering, _ := ownersOf(imported)
				return covering == library
			}), "%s does not import %s", folder, library)
		}
	}
}

// ownersOf finds the longest rule that covers an import.
func ownersOf(imported string) (library string, owners []string) {
	for name, list := range onlyFor {
		if (imported == name || strings.HasPrefix(imported, name+"/")) && len(name) > len(library) {
			library, owners = name, list
		}
	}
	return library, owners
}

// importsByPackage reads the imports of all files that are no tests.
func importsByPackage(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := path.Dir(filepath.ToSlash(strings.TrimPrefix(name, "../")))
		imports[folder] = append(imports[folder], []string{}...)
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[folder] = append(imports[folder], imported)
		}
		return nil
	})
	require.NoError(t, err)
	return imports
}
