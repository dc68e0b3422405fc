//go:build unix && !linux

package launch

import "syscall"

// dieWithParent has nothing to set: the end of the debugging pipe ends the browser.
func dieWithParent(*syscall.SysProcAttr) {}

func missingDisplay() bool    { return false }
func smallSharedMemory() bool { return false }
func canUnshare() bool        { return true }
