package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	_ "golang.org/x/image/webp"
	"golang.org/x/tools/txtar"

	"github.com/browser-mcp/browser-mcp/internal/config"
)

// TestPlays runs the plays in testdata: each is a script over a site, spoken
// through the protocol to a real browser.
//
//	config KEY VALUE    before the first call: a configuration key and its value as text
//	again KEY VALUE     the whole play runs a second time, with this setting too
//	call TOOL JSON      a call that must succeed; $URL and $OTHER are the site
//	fail TOOL JSON      a call that must be refused
//	is TEXT             the last answer's text, whole
//	has TEXT            a part of it
//	not TEXT            no part of it
//	match REGEXP        it matches
//	code CODE           the last answer's code
//	image MIME WxH      the last answer's picture
//	pixel X,Y R,G,B     the colour of a point of it
//	file TEXT           the file that the last answer links holds the text, read through the protocol
//
// The files of the archive are the site's.
func TestPlays(t *testing.T) {
	plays, err := filepath.Glob("testdata/plays/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, plays)
	for _, path := range plays {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			runPlay(t, archive, nil)
		})
	}
}

// TestPlaysAgain runs the plays that ask for it with another setting.
func TestPlaysAgain(t *testing.T) {
	again, found := regexp.MustCompile(`(?m)^again (\S+) (.*)$`), false
	plays, err := filepath.Glob("testdata/plays/*.txtar")
	require.NoError(t, err)
	for _, path := range plays {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		for _, setting := range again.FindAllSubmatch(archive.Comment, -1) {
			found = true
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
				t.Parallel()
				runPlay(t, archive, []string{fmt.Sprintf("--%s=%s", setting[1], setting[2])})
			})
		}
	}
	require.True(t, found, "no play asks to run again")
}

// A stage is where a play is at.
type stage struct {
	t    *testing.T
	site site
	peer *peer
	last answer
}

func runPlay(t *testing.T, archive *txtar.Archive, settings []string) {
	st := &stage{t: t, site: serve(t, archive.Files)}
	for n, line := range strings.Split(string(archive.Comment), "\n") {
		line = strings.TrimSpace(line)
		verb, rest, _ := strings.Cut(line, " ")
		switch {
		case verb == "" || verb == "again" || strings.HasPrefix(verb, "#"):
			continue
		case verb == "config":
			key, value, _ := strings.Cut(rest, " ")
			settings = append(settings, "--"+key+"="+value)
			continue
		case st.peer == nil:
			st.peer = connect(t, newTestServer(t, func(cfg *config.Config) {
				loaded, _, err := config.Load(settings, nil, os.Stderr)
				require.NoError(t, err)
				loaded.Session.Max = cfg.Session.Max
				*cfg = loaded
			}))
		}
		st.step(fmt.Sprintf("line %d: %s", n+1, line), verb, strings.TrimSpace(rest))
	}
}

func (st *stage) step(where, verb, rest string) {
	st.t.Helper()
	text := st.last.text()
	rest = strings.NewReplacer("$URL", st.site.url, "$OTHER", st.site.other, "$HOST", strings.TrimPrefix(st.site.url, "http://")).Replace(rest)
	switch verb {
	case "call", "fail":
		tool, arguments, _ := strings.Cut(rest, " ")
		if arguments == "" {
			arguments = "{}"
		}
		require.True(st.t, json.Valid([]byte(arguments)), where)
		st.last = st.peer.call(tool, arguments)
		require.Equal(st.t, verb == "fail", st.last.IsError, "%s\nanswered: %s", where, st.last.text())
	case "is":
		require.Equal(st.t, rest, text, where)
	case "has":
		require.Contains(st.t, text, rest, where)
	case "not":
		require.NotContains(st.t, text, rest, where)
	case "match":
		require.Regexp(st.t, regexp.MustCompile(rest), text, where)
	case "code":
		require.Equal(st.t, rest, st.last.Meta.Code, where)
	case "image":
		data, mime := st.last.image(st.t)
		cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
		require.NoError(st.t, err, where)
		require.Equal(st.t, rest, fmt.Sprintf("%s %dx%d", mime, cfg.Width, cfg.Height), where)
	case "pixel":
		at, want, _ := strings.Cut(rest, " ")
		var x, y int
		_, err := fmt.Sscanf(at, "%d,%d", &x, &y)
		require.NoError(st.t, err, where)
		data, _ := st.last.image(st.t)
		picture, _, err := image.Decode(bytes.NewReader(data))
		require.NoError(st.t, err, where)
		r, g, b, _ := picture.At(x, y).RGBA()
		require.Equal(st.t, want, fmt.Sprintf("%d,%d,%d", r>>8, g>>8, b>>8), where)
	case "file":
		require.NotEmpty(st.t, st.last.link(), where)
		require.Contains(st.t, st.peer.readResource(st.last.link()), rest, where)
	default:
		require.Fail(st.t, "no such verb", where)
	}
}

// readResource gives the text of a resource.
func (p *peer) readResource(uri string) string {
	p.t.Helper()
	m := p.request("resources/read", map[string]any{"uri": uri})
	require.Nil(p.t, m.Error)
	var result struct {
		Contents []struct{ Text, Blob string }
	}
	require.NoError(p.t, json.Unmarshal(m.Result, &result))
	require.Len(p.t, result.Contents, 1)
	return result.Contents[0].Text + result.Contents[0].Blob
}
