//go:build linux

package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDemo: it shows a session to its end, or stops and says why it cannot.
func TestDemo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		args           []string
		code           int
		printed, error string
	}{
		{"whole", nil, 0, "The browser is closed", ""},
		{"no browser", []string{"--browser-executable=/none"}, 1, "/none", "the demo stopped: browser_navigate did not answer as it should"},
		{"tools that are not offered", []string{"--tools-read-only"}, 1, "→ browser_navigate", "browser_navigate is not offered"},
		{"unknown flag", []string{"--nope"}, 1, "", "browser-mcp: --nope: no such flag, --help lists the flags\n"},
		{"stray argument", []string{"now"}, 1, "", `unexpected argument "now"`},
		{"help", []string{"--help"}, 0, "browser-mcp demo  ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tmp := newTmp(t)
			cmd := command(tmp, append([]string{"demo"}, tt.args...)...)
			var printed, said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &printed, &said
			err := cmd.Run()
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
				require.NoError(t, err)
			}
			require.Equal(t, tt.code, cmd.ProcessState.ExitCode(), "%s%s", &printed, &said)
			require.Contains(t, printed.String(), tt.printed)
			require.Contains(t, said.String(), tt.error)
			if tt.name == "whole" {
				pictures, err := filepath.Glob(filepath.Join(tmp, "browser-mcp-demo-*", "*", "screenshot-1.png"))
				require.NoError(t, err)
				require.Len(t, pictures, 1)
				require.NoError(t, os.RemoveAll(filepath.Dir(filepath.Dir(pictures[0]))))
			}
			left, err := os.ReadDir(tmp)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}
