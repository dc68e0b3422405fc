package launch

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
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

// killLeftovers kills what still runs in the group (0: none) or on the profile
// and tells how many there were: crash handlers leave the group for a session of
// their own, and children of the headless shell do not name the profile.
func killLeftovers(group int, profile string) int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	found := 0
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		stat, ok := readStat(pid)
		if !ok || stat.dead() {
			continue
		}
		if group != 0 && stat.group == group || usesProfile(pid, profile) {
			found++
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}

// usesProfile reports whether a switch of the process points into the profile.
// A mere mention is not enough: it may be somebody who looks at the folder.
func usesProfile(pid int, profile string) bool {
	cmdline, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	for arg := range bytes.SplitSeq(cmdline, []byte{0}) {
		name, value, ok := strings.Cut(string(arg), "=")
		if ok && strings.HasPrefix(name, "--") && (value == profile || strings.HasPrefix(value, profile+"/")) {
			return true
		}
	}
	return false
}

// birthOf gives the start time of a process in clock ticks since boot, and
// whether it lives; a zombie does not.
func birthOf(pid int) (birth string, alive bool) {
	stat, ok := readStat(pid)
	return stat.birth, ok && !stat.dead()
}

// A procStat is what we need of /proc/PID/stat.
type procStat struct {
	state string
	group int
	birth string
}

func (s procStat) dead() bool { return s.state == "Z" || s.state == "X" }

func readStat(pid int) (procStat, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	// The name in parentheses may itself hold blanks and parentheses: count from the last.
	end := bytes.LastIndexByte(b, ')')
	if err != nil || end < 0 {
		return procStat{}, false
	}
	fields := strings.Fields(string(b[end+1:]))
	if len(fields) < 20 {
		return procStat{}, false
	}
	group, _ := strconv.Atoi(fields[2])
	return procStat{state: fields[0], group: group, birth: fields[19]}, true
}
