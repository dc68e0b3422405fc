package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// KillLeftovers kills what still runs in the group (0: none) or on the folder
// and tells how many there were: a browser's crash handlers leave its group for a
// session of their own, and children of the headless shell do not name the folder.
func KillLeftovers(group int, folder string) int {
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
		if group != 0 && stat.group == group || uses(pid, folder) {
			found++
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}

// uses reports whether a switch of the process points into the folder.
// A mere mention is not enough: it may be somebody who looks at the folder.
func uses(pid int, folder string) bool {
	cmdline, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	for arg := range bytes.SplitSeq(cmdline, []byte{0}) {
		name, value, ok := strings.Cut(string(arg), "=")
		if ok && strings.HasPrefix(name, "--") && (value == folder || strings.HasPrefix(value, folder+"/")) {
			return true
		}
	}
	return false
}

// Birth gives the start time of a process in clock ticks since boot, and
// whether it lives; a zombie does not.
func Birth(pid int) (birth string, alive bool) {
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
