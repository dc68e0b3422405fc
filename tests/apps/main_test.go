package apps

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const program = "github.com/browser-mcp/browser-mcp/cmd/browser-mcp"

// patience bounds what a test waits for; no test waits that long unless it fails.
const patience = 60 * time.Second

// mend is the command after which the apps can be built.
const mend = "npm ci --ignore-scripts --prefix tests/apps/pages"

var (
	base   string // the folder of this run: the program, the apps, the servers' temporary folder
	binary string // the program under test
	site   *httptest.Server
)

// TestMain builds the program and the apps, and fails when a server leaves a
// folder behind.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	// A user mostly waits for the next frame, so that more of them fit on two cores.
	if err = flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if base, err = os.MkdirTemp("", "browser-mcp-apps-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(base)
	binary = filepath.Join(base, "browser-mcp")
	pages, tmp := filepath.Join(base, "pages"), filepath.Join(base, "tmp")
	if out, err := exec.Command("go", "build", "-o", binary, program).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building %s: %v\n%s", program, err, out)
		return 1
	}
	if out, err := exec.Command("node", "pages/build.mjs", pages).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the apps needs Node.js 20 or later and their packages. In the top folder: %s\n%v\n%s", mend, err, out)
		return 1
	}
	if err := os.Mkdir(tmp, 0o700); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	site = httptest.NewServer(serve(pages))
	defer site.Close()
	code := m.Run()
	left, _ := filepath.Glob(filepath.Join(tmp, "browser-mcp-*"))
	for _, what := range left {
		fmt.Fprintln(os.Stderr, "left behind:", what)
		code = 1
	}
	return code
}

// shell is the page around an app. A task's button is there only below the
// pointer, as in many lists.
const shell = `<!doctype html><meta charset=utf-8><title>%[1]s</title><link rel=icon href=data:,>%[2]s
<style>.task:not(:hover) .remove { visibility: hidden } select, label, input { margin: 2px }</style>
<div id=app></div><script type=module src=/%[1]s.js></script>`

// serve gives the page of an app at /app/NAME, beside what was built.
func serve(pages string) http.Handler {
	mux := http.NewServeMux()
	files := http.FileServer(http.Dir(pages))
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600") // so that a browser compiles an app once
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /app/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		name, style := r.PathValue("name"), ""
		if _, err := os.Stat(filepath.Join(pages, name+".css")); err == nil {
			style = "<link rel=stylesheet href=/" + name + ".css>"
		}
		fmt.Fprintf(w, shell, name, style)
	})
	return mux
}

// TestLockFileNamesNoRegistry keeps the address of anybody's registry out of
// the lock file; npm takes the one that is configured.
func TestLockFileNamesNoRegistry(t *testing.T) {
	raw, err := os.ReadFile("pages/package-lock.json")
	require.NoError(t, err)
	require.NotContains(t, string(raw), `"resolved"`)
	require.Contains(t, string(raw), `"integrity"`)
}
