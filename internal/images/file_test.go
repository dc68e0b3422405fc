package images

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

func TestReadGoesByContent(t *testing.T) {
	for name, data := range samples(t) {
		path := tempFile(t, "picture.txt", data)
		m, err := Read(t.Context(), path, Limits{})
		require.NoError(t, err, name)
		require.Equal(t, data, m.Data, name)
	}
}

func TestReadBounds(t *testing.T) {
	m, err := Read(t.Context(), tempFile(t, "a.png", encodePNG(t, noise(40, 20))), Limits{MaxDimension: 10})
	require.NoError(t, err)
	require.Equal(t, []int{10, 5, 40, 20}, []int{m.Width, m.Height, m.SourceWidth, m.SourceHeight})
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(tempFile(t, "file.png", nil), "x.png")
	missing := filepath.Join(dir, "missing.png")
	empty := tempFile(t, "empty.png", nil)
	text := tempFile(t, "text.png", []byte("hello"))
	huge := tempFile(t, "huge.png", nil)
	require.NoError(t, os.Truncate(huge, maxFileSize+1))
	for path, want := range map[string]struct {
		code    fault.Code
		message string
	}{
		"":      {fault.InvalidArgument, "image path is empty: give the path of a PNG, JPEG, GIF or WebP file"},
		missing: {fault.FileNotFound, "Image file not found: " + missing},
		inside:  {fault.FileNotFound, "Image file not found: " + inside},
		dir:     {fault.InvalidArgument, dir + " is a directory: give the path of a PNG, JPEG, GIF or WebP file"},
		empty:   {fault.BadImage, empty + ": image is empty: give a PNG, JPEG, GIF or WebP with content"},
		text:    {fault.BadImage, text + ": image seems to be text: PNG, JPEG, GIF and WebP can be read, so convert it to one of these"},
		huge:    {fault.BadImage, huge + " is too big (64 MiB or more): give an image file of at most 64 MiB"},
	} {
		_, err := Read(t.Context(), path, Limits{})
		requireFault(t, err, want.code, want.message)
	}
}

func TestReadOfPathThatNoSystemTakes(t *testing.T) {
	_, err := Read(t.Context(), "a\x00b.png", Limits{})
	require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
	require.ErrorContains(t, err, "check the path")
}

func TestReadAfterCancel(t *testing.T) {
	path := tempFile(t, "a.png", encodePNG(t, noise(4, 4)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Read(ctx, path, Limits{})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, path)
}

func TestCancelledWhileReading(t *testing.T) {
	path := tempFile(t, "a.png", encodePNG(t, noise(100, 100)))
	for asked := range 8 {
		_, err := Read(&countdown{Context: t.Context(), left: asked}, path, Limits{})
		require.ErrorIs(t, err, context.Canceled, "after %d questions", asked)
	}
}

func tempFile(t *testing.T, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}
