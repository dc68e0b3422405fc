package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

func TestAddress(t *testing.T) {
	for given, want := range map[string]string{
		"http://example.com/a?b#c": "http://example.com/a?b#c",
		"HTTPS://example.com":      "HTTPS://example.com",
		" http://x/ ":              "http://x/",
		"localhost:3000":           "http://localhost:3000",
		"localhost:3000/x?y":       "http://localhost:3000/x?y",
		"127.0.0.1:8080#top":       "http://127.0.0.1:8080#top",
		"[::1]:3000/":              "http://[::1]:3000/",
		"example.com/path":         "http://example.com/path",
		"//example.com":            "http://example.com",
		"about:blank":              "about:blank",
		"data:text/html,x":         "data:text/html,x",
	} {
		got, err := address(given)
		require.NoError(t, err, given)
		require.Equal(t, want, got)
	}
	for _, given := range []string{"file:///etc/passwd", "FILE:///x", "javascript:alert(1)", "view-source:http://x", "chrome://version", "devtools://x", "filesystem:http://x", "about:config", "mailto:a@b", "/etc/passwd", "C:\\x.html"} {
		_, err := address(given)
		require.Equal(t, fault.Blocked, fault.CodeOf(err), given)
	}
	for given, advice := range map[string]string{
		"htp://localhost:3000/a": "; did you mean http://localhost:3000/a?",
		"ftp://example.com":      "; did you mean http://example.com?",
		"mailto:a@b":             "and about:blank are",
		"chrome://version":       "and about:blank are",
		"javascript:alert(1)":    ". Use browser_eval to run a script.",
		"FILE:///x":              ". Serve local files over http.",
		"C:\\x.html":             ". Serve local files over http.",
	} {
		_, err := address(given)
		require.True(t, strings.HasSuffix(err.Error(), advice), err)
	}
	_, err := address("  ")
	require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
}
