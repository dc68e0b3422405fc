package launch

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// dieWithParent has the kernel kill the browser when we end, however we end.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

func missingDisplay() bool {
	return os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == ""
}

// smallSharedMemory reports whether /dev/shm is too small for a browser (a
// container's default is 64 MB): pages would crash when it is full.
func smallSharedMemory() bool {
	var fs syscall.Statfs_t
	err := syscall.Statfs("/dev/shm", &fs)
	return err != nil || fs.Blocks*uint64(fs.Bsize) < 512<<20
}

// canUnshare reports whether the kernel lets us make the namespaces of the
// browser's sandbox. Only trying tells: seccomp profiles of containers and
// security modules forbid it without a file that says so.
var canUnshare = sync.OnceValue(func() bool {
	path, err := exec.LookPath("true")
	if err != nil {
		return true // the browser tells if not
	}
	cmd := exec.Command(path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID}
	return cmd.Run() == nil
})
