package images

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// maxFileSize bounds in bytes what Read takes into memory.
const maxFileSize = 64 << 20

// Read reads an image file and bounds it as Bound does; the format is told by
// the content, never by the name. It opens only regular files and so never
// waits for a writer, and it returns the error of ctx soon after ctx ends. A
// missing file is a fault.FileNotFound, a path to something else a
// fault.InvalidArgument, a file with no good picture a fault.BadImage.
func Read(ctx context.Context, path string, lim Limits) (Image, error) {
	data, err := readUntil(ctx, path)
	if err != nil {
		return Image{}, err
	}
	m, err := bound(ctx, data, lim)
	if err != nil {
		return Image{}, about(path, err)
	}
	return m, nil
}

// readUntil is readFile that gives up at ctx's end: what looks like a plain file
// can still block, as in /proc or on a network disk that hangs.
func readUntil(ctx context.Context, path string) ([]byte, error) {
	type content struct {
		data []byte
		err  error
	}
	done := make(chan content, 1)
	go func() {
		data, err := readFile(ctx, path)
		done <- content{data, err}
	}()
	select {
	case c := <-done:
		return c.data, c.err
	case <-ctx.Done():
		return nil, about(path, context.Cause(ctx))
	}
}

func readFile(ctx context.Context, path string) ([]byte, error) {
	if path == "" {
		return nil, fault.New(fault.InvalidArgument, "image path is empty: give the path of a PNG, JPEG, GIF or WebP file")
	}
	if err := ctx.Err(); err != nil {
		return nil, about(path, err)
	}
	// Asked before opening, because to open some devices is to act on them.
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if err := checkFile(path, info); err != nil {
		return nil, err
	}
	file, err := openFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close()
	// Asked again of what was opened: the path may name something else by now.
	if info, err = file.Stat(); err != nil {
		return nil, unreadable(path, err)
	}
	if err := checkFile(path, info); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	buf.Grow(int(info.Size()) + bytes.MinRead)
	// A file can grow while it is read, and /proc holds some of size 0.
	n, err := buf.ReadFrom(io.LimitReader(cancellable{ctx, file}, maxFileSize+1))
	if ctx.Err() != nil {
		return nil, about(path, ctx.Err())
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	if n > maxFileSize {
		return nil, tooBig(path, n)
	}
	return buf.Bytes(), nil
}

// checkFile refuses everything but a regular file of a bearable size.
func checkFile(path string, info fs.FileInfo) error {
	kind := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		if info.Size() > maxFileSize {
			return tooBig(path, info.Size())
		}
		return nil
	case mode.IsDir():
		kind = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	default:
		kind = "no regular file"
	}
	return fault.New(fault.InvalidArgument, "%s is %s: give the path of a PNG, JPEG, GIF or WebP file", path, kind)
}

func tooBig(path string, size int64) error {
	return fault.New(fault.BadImage, "%s is too big (%d MiB or more): give an image file of at most %d MiB", path, size>>20, maxFileSize>>20)
}

// unreadable explains an error of the file system.
func unreadable(path string, err error) error {
	// A path that goes through a file as if it were a directory is missing, too.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return fault.New(fault.FileNotFound, "Image file not found: %s", path)
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err // without the path, which the message names already
	}
	return fault.New(fault.InvalidArgument, "image file %s cannot be read (%w): check the path and its permissions", path, err)
}

// about names the file in an error and keeps its code.
func about(path string, err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return fault.New(f.Code, "%s: %w", path, err)
	}
	return fmt.Errorf("image file %s: %w", path, err)
}
