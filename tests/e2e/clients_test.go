//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"
)

// playWithGo plays with mcp-go's client and gives the results in turn.
func playWithGo(t *testing.T, tmp, url string) (results []json.RawMessage) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := client.NewStdioMCPClient(binary, []string{"TMPDIR=" + tmp})
	require.NoError(t, err)
	known := map[string]string{"$URL": url}
	for _, s := range thePlay {
		result, err := sendWithGo(ctx, c, s, substitute(t, s.Arguments, known))
		require.NoError(t, err, s.Method+" "+s.Tool)
		raw, err := json.Marshal(result)
		require.NoError(t, err)
		if uri, path := decode(t, raw).link(); uri != "" {
			known["$URI"], known["$FILE"] = uri, path
		}
		results = append(results, raw)
	}
	started := time.Now()
	require.NoError(t, c.Close())
	t.Logf("closed after %s", time.Since(started).Round(time.Millisecond))
	return results
}

func sendWithGo(ctx context.Context, c *client.Client, s step, arguments map[string]any) (any, error) {
	switch s.Method {
	case "initialize":
		return c.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
			ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "e2e-go", Version: "1"},
		}})
	case "tools/list":
		return c.ListTools(ctx, mcp.ListToolsRequest{})
	case "resources/read":
		uri, _ := arguments["uri"].(string)
		return c.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: uri}})
	default:
		return c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: s.Tool, Arguments: arguments}})
	}
}

func substitute(t *testing.T, arguments map[string]any, known map[string]string) (replaced map[string]any) {
	raw, err := json.Marshal(arguments)
	require.NoError(t, err)
	text := string(raw)
	for name, value := range known {
		text = strings.ReplaceAll(text, name, value)
	}
	require.NoError(t, json.Unmarshal([]byte(text), &replaced))
	return replaced
}

// playWithSDK plays with the official TypeScript SDK, in a process of node.
func playWithSDK(t *testing.T, tmp, url string) (results []json.RawMessage) {
	folder := install(t, "sdk", "@modelcontextprotocol/sdk", "play.mjs")
	steps, err := json.Marshal(thePlay)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "node", "play.mjs", binary, url)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "TMPDIR="+tmp)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(steps), &stdout, &stderr
	cmd.WaitDelay = time.Second
	require.NoError(t, cmd.Run(), "node play.mjs:\n%s%s", stdout.String(), stderr.String())
	lines := bufio.NewScanner(&stdout)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Result json.RawMessage `json:"result"`
			Closed *int            `json:"closed"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line), "%s", lines.Bytes())
		if line.Closed != nil {
			t.Logf("closed after %d ms", *line.Closed)
			require.Less(t, *line.Closed, 2000, "after 2 s the SDK kills")
			continue
		}
		results = append(results, line.Result)
	}
	require.NoError(t, lines.Err())
	return results
}

// install gives a folder with the files of that of the given name and the
// packages that they import: the folder itself when these are installed there,
// else a copy into which npm installs them.
func install(t *testing.T, name, needed string, files ...string) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			require.Fail(t, program+" is missing: this test needs Node.js 20 or later with npm (Debian and Ubuntu: apt-get install nodejs npm; others: https://nodejs.org)")
		}
	}
	own, err := filepath.Abs(name)
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(own, "node_modules", filepath.FromSlash(needed))); err == nil {
		return own
	}
	folder := t.TempDir()
	for _, file := range append([]string{"package.json", "package-lock.json", ".npmrc"}, files...) {
		data, err := os.ReadFile(filepath.Join(own, file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, file), data, 0o600))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "ci", "--omit=dev", "--ignore-scripts", "--prefer-offline")
	npm.Dir, npm.WaitDelay = folder, time.Second
	out, err := npm.CombinedOutput()
	require.NoError(t, err, "npm ci needs the npm registry, or a cache of it; or run it in tests/e2e/%s once:\n%s", name, out)
	return folder
}

// TestLockFilesNameNoRegistry keeps the address of anybody's registry out of
// the lock files; npm takes the one that is configured.
func TestLockFilesNameNoRegistry(t *testing.T) {
	locks, err := filepath.Glob("*/package-lock.json")
	require.NoError(t, err)
	require.NotEmpty(t, locks)
	for _, lock := range locks {
		raw, err := os.ReadFile(lock)
		require.NoError(t, err)
		require.NotContains(t, string(raw), `"resolved"`, lock)
		require.Contains(t, string(raw), `"integrity"`, lock)
	}
}
