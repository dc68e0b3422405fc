//go:build unix

package images

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

func TestReadRefusesSpecialFiles(t *testing.T) {
	// Short, because the path of a socket must be.
	dir, err := os.MkdirTemp("", "images")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	pipe, socket, loop := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "loop")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer listener.Close()
	require.NoError(t, os.Symlink(loop, loop))
	for path, want := range map[string]string{
		"/dev/zero": " is a device: ",
		pipe:        " is a named pipe: ",
		socket:      " is a socket: ",
		loop:        "check the path and its permissions",
	} {
		_, err := Read(t.Context(), path, Limits{})
		require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, want)
	}
}

func TestOpenDoesNotWaitForAWriter(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	opened := make(chan error, 1)
	go func() {
		file, err := openFile(pipe)
		if err == nil {
			err = file.Close()
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		require.NoError(t, err)
	case <-time.After(10 * time.Second):
		t.Fatal("open waits for a writer")
	}
}

func TestReadOfAFileThatHidesItsSize(t *testing.T) {
	const path = "/proc/self/status"
	if _, err := os.Stat(path); err != nil {
		t.Skip("only Linux has it")
	}
	_, err := Read(t.Context(), path, Limits{})
	require.ErrorContains(t, err, "image seems to be text")
}
