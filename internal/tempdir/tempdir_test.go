package tempdir

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewNamesItsOwner(t *testing.T) {
	base := t.TempDir()
	dir, err := New(base, "output")
	require.NoError(t, err)
	require.Equal(t, base, filepath.Dir(dir))
	require.Regexp(t, fmt.Sprintf(`^browser-mcp-output-%d-[1-9][0-9]*-[0-9]+$`, os.Getpid()), filepath.Base(dir))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.EqualValues(t, 0o700, info.Mode().Perm())
}

func TestSweep(t *testing.T) {
	dead := exec.Command("true")
	require.NoError(t, dead.Run())
	gone, me := dead.Process.Pid, os.Getpid()
	for _, tc := range []struct {
		name  string
		stays bool
	}{
		{fmt.Sprintf("browser-mcp-profile-%d-%s-1", me, ownBirth()), true},
		{fmt.Sprintf("browser-mcp-output-%d-%s-1", me, ownBirth()), true},
		{fmt.Sprintf("browser-mcp-profile-%d-0-1", me), true},   // its owner could not tell its start
		{fmt.Sprintf("browser-mcp-profile-%d-12-1", me), false}, // another process had this pid
		{fmt.Sprintf("browser-mcp-profile-%d-12-1", gone), false},
		{fmt.Sprintf("browser-mcp-output-%d-12-1", gone), false},
		{"browser-mcp-profile-99999999999999999999-12-1", true}, // not a name that we give
		{"browser-mcp-notes", true},
		{fmt.Sprintf("x-browser-mcp-profile-%d-12-1", gone), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			base := t.TempDir()
			path := filepath.Join(base, tc.name)
			require.NoError(t, os.MkdirAll(filepath.Join(path, "Default"), 0o700))
			sweep(base, nil)
			if tc.stays {
				require.DirExists(t, path)
			} else {
				require.NoDirExists(t, path)
			}
		})
	}
}

func TestSweepFollowsNoLink(t *testing.T) {
	base, precious := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(precious, "file"), nil, 0o600))
	link := filepath.Join(base, "browser-mcp-profile-1-12-1")
	require.NoError(t, os.Symlink(precious, link))
	sweep(base, nil)
	require.FileExists(t, filepath.Join(precious, "file"))
}
