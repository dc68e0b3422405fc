//go:build !unix

package images

import "os"

// openFile is a plain open: Windows opens a pipe at once or not at all.
func openFile(path string) (*os.File, error) {
	return os.Open(path)
}
