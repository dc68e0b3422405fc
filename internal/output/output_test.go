package output

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/config"
)

func TestSafeName(t *testing.T) {
	for given, want := range map[string]string{
		"report.txt":       "report.txt",
		"../../etc/passwd": "_.._etc_passwd",
		`C:\evil.exe`:      "C__evil.exe",
		"  .hidden ":       "hidden",
		"":                 "download",
		"...":              "download",
		"名前.pdf":           "名前.pdf",
		"a\x00b\nc":        "a_b_c",
		"\u202egpj.exe":    "_gpj.exe",
		"bad\xffutf8":      "bad_utf8",
	} {
		require.Equal(t, want, SafeName(given), "%q", given)
	}
	long := SafeName(string(make([]rune, 0)) + fmt.Sprintf("%0500d.txt", 1))
	require.LessOrEqual(t, len(long), 120)
}

func TestOutputStaysInItsFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	o := New(config.Output{Dir: t.TempDir()})
	first, err := o.Write("shot", "png", []byte("1"))
	require.NoError(t, err)
	second, err := o.Write("shot", "png", []byte("2"))
	require.NoError(t, err)
	require.NotEqual(t, first.Path, second.Path)
	info, err := os.Stat(first.Path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(filepath.Dir(first.Path))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	work, err := os.Getwd()
	require.NoError(t, err)
	for _, path := range []string{"sub/a.png", filepath.Join(work, "b.png")} {
		f, err := o.WriteTo(path, "png", []byte("x"))
		require.NoError(t, err)
		require.FileExists(t, f.Path)
	}
	outside := t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(work, "link")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(work, "pipe.png"), 0o600))
	for _, path := range []string{"../a.png", "/etc/a.png", filepath.Join(outside, "a.png"), filepath.Join(work, "link", "a.png"), "", "a.go", "a", "pipe.png"} {
		_, err := o.WriteTo(path, "png", []byte("x"))
		require.Error(t, err, path)
	}
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestDownloadsKeepApart(t *testing.T) {
	o := New(config.Output{Dir: t.TempDir()})
	dir, err := o.Dir()
	require.NoError(t, err)
	var paths []string
	for i := range 3 {
		from := filepath.Join(dir, fmt.Sprintf("guid-%d", i))
		require.NoError(t, os.WriteFile(from, []byte{byte(i)}, 0o644))
		f, err := o.Adopt(from, "same.txt")
		require.NoError(t, err)
		require.NoFileExists(t, from)
		paths = append(paths, filepath.Base(f.Path))
	}
	require.Equal(t, []string{"same.txt", "same-1.txt", "same-2.txt"}, paths)
}
