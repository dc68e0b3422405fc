//go:build unix

package images

import (
	"os"
	"syscall"
)

// openFile never blocks: a path that has become a named pipe since it was
// looked at would otherwise wait for a writer.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
