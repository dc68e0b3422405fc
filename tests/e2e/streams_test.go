//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOutputBelongsToTheProtocol logs everything and provokes errors; the peer
// fails at any line that is no message.
func TestOutputBelongsToTheProtocol(t *testing.T) {
	t.Parallel()
	s := start(t, "--log-level=debug")
	site := newApp(t)
	s.must("browser_navigate", map[string]any{"url": site.url})
	s.must("browser_eval", map[string]any{"expression": `console.log('a\nb'); console.error({deep: 1}); 'two\nlines'`})
	require.True(t, s.call("browser_click", map[string]any{"selector": "#nothing", "timeout_ms": 100}).IsError)
	require.True(t, s.call("browser_eval", map[string]any{"expression": "throw new Error('no\\nway')"}).IsError)
	s.must("browser_take_screenshot", nil)
	s.must("browser_close", nil)
	ordered := time.Now()
	_ = s.in.Close()
	s.mustBeGone(ordered)
	<-s.gone
	for _, part := range []string{"level=DEBUG", "level=INFO", "tool=browser_navigate"} {
		require.Contains(t, s.log(), part)
	}
	require.NotContains(t, s.log(), "jsonrpc")
}

// An outcome is what a program that ends by itself says.
type outcome struct {
	code           int
	stdout, stderr string
}

func runProgram(t *testing.T, env []string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := command(newTmp(t), args...)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	require.NoError(t, cmd.Start())
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--version", "version"} {
		got := runProgram(t, nil, args)
		require.Zero(t, got.code)
		require.Regexp(t, `^browser-mcp \S+\n$`, got.stdout)
		require.Empty(t, got.stderr)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	got := runProgram(t, nil, "--help")
	require.Zero(t, got.code)
	require.Contains(t, got.stdout, "--browser-headless")
	require.Empty(t, got.stderr)
}

// TestRefusesWhatItDoesNotKnow ends with code 1 and the name that was meant.
func TestRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"browser": {"headles": true}}`), 0o600))
	for _, c := range []struct {
		name, wants string
		env, args   []string
	}{
		{"flag", "--log-level", nil, []string{"--log-levle=debug"}},
		{"key of the file", "headless", nil, []string{"--config=" + file}},
		{"variable", "BROWSER_MCP_BROWSER_HEADLESS", []string{"BROWSER_MCP_BROWSER_HEADLES=1"}, nil},
		{"value", "warn", nil, []string{"--log-level=warnn"}},
		{"command", "--help", nil, []string{"srve"}},
		{"tool", "browser_eval", nil, []string{"--tools-deny=browser_evla"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := runProgram(t, c.env, c.args...)
			require.Equal(t, 1, got.code, got.stderr)
			require.Contains(t, got.stderr, c.wants)
			require.Equal(t, 1, strings.Count(got.stderr, "\n"), "one line: %s", got.stderr)
			require.Empty(t, got.stdout)
		})
	}
}

// TestAutoApproval prints the names that the server offers, as JSON.
func TestAutoApproval(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--tools-sets=all"}, {"--tools-read-only"}} {
		got := runProgram(t, nil, append([]string{"tools", "--auto-approve"}, flags...)...)
		require.Zero(t, got.code, got.stderr)
		var printed []string
		require.NoError(t, json.Unmarshal([]byte(got.stdout), &printed))

		var list struct{ Tools []struct{ Name string } }
		s := start(t, flags...)
		require.NoError(t, json.Unmarshal(s.receive(s.request("tools/list", map[string]any{})).Result, &list))
		var offered []string
		for _, tool := range list.Tools {
			offered = append(offered, tool.Name)
		}
		slices.Sort(offered)
		require.NotEmpty(t, offered)
		require.Equal(t, offered, printed)
	}
}
