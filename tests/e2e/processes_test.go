//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A process is what /proc tells of one; pid and birth together name it for good.
type process struct {
	pid, parent, group int
	birth              string
	exe, cmdline       string
}

func (p process) String() string { return fmt.Sprintf("process %d: %s", p.pid, p.cmdline) }

// names reports whether the process runs from below the folder or has it in an argument.
func (p process) names(folder string) bool {
	return strings.HasPrefix(p.exe, folder+"/") || strings.Contains(p.cmdline, folder+"/")
}

// processes lists those that live; a zombie does not.
func processes() []process {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var live []process
	for _, path := range stats {
		if p, ok := readProcess(filepath.Dir(path)); ok {
			live = append(live, p)
		}
	}
	return live
}

func readProcess(dir string) (p process, live bool) {
	stat, err := os.ReadFile(dir + "/stat")
	// The name in parentheses may hold blanks: count from the last one.
	end := strings.LastIndexByte(string(stat), ')')
	if err != nil || end < 0 {
		return p, false
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return p, false
	}
	p.pid, _ = strconv.Atoi(filepath.Base(dir))
	p.parent, _ = strconv.Atoi(fields[1])
	p.group, _ = strconv.Atoi(fields[2])
	p.birth = fields[19]
	p.exe, _ = os.Readlink(dir + "/exe")
	line, _ := os.ReadFile(dir + "/cmdline")
	p.cmdline = strings.ReplaceAll(string(line), "\x00", " ")
	return p, true
}

// family lists the live descendants of a process, and those of their groups
// that have lost their parent.
func family(pid int) []process {
	all := processes()
	in := map[int]bool{pid: true}
	groups := map[int]bool{}
	var found []process
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if in[p.pid] || !in[p.parent] && !groups[p.group] {
				continue
			}
			in[p.pid], grown = true, true
			groups[p.pid] = p.group == p.pid
			found = append(found, p)
		}
	}
	return found
}

// stillAlive gives those of the processes that have not ended.
func stillAlive(then []process) []string {
	var left []string
	for _, p := range then {
		if now, live := readProcess(fmt.Sprintf("/proc/%d", p.pid)); live && now.birth == p.birth {
			left = append(left, p.String())
		}
	}
	return left
}

// memory gives a figure of /proc/PID/status, such as VmRSS, in kB.
func memory(pid int, figure string) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, figure+":"); ok {
			kB, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return kB
		}
	}
	return 0
}
