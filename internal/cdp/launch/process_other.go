//go:build unix && !linux

package launch

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// dieWithParent has nothing to set: the end of the debugging pipe ends the browser.
func dieWithParent(*syscall.SysProcAttr) {}

func missingDisplay() bool    { return false }
func smallSharedMemory() bool { return false }
func canUnshare() bool        { return true }

// killLeftovers kills what still runs in the group (0: none) or on the profile
// and tells how many there were.
func killLeftovers(group int, profile string) int {
	out, err := ps("-axo", "pid=,pgid=,stat=,command=")
	if err != nil {
		return 0
	}
	found := 0
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 4 || strings.HasPrefix(fields[2], "Z") {
			continue
		}
		pid, _ := strconv.Atoi(fields[0])
		ours := group != 0 && fields[1] == strconv.Itoa(group)
		for _, arg := range fields[3:] {
			name, value, ok := strings.Cut(arg, "=")
			ours = ours || ok && strings.HasPrefix(name, "--") && (value == profile || strings.HasPrefix(value, profile+"/"))
		}
		if ours && pid != os.Getpid() {
			found++
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return found
}

// birthOf gives the start time of a process in seconds, "" when ps does not
// tell, and whether it lives.
func birthOf(pid int) (birth string, alive bool) {
	out, err := ps("-o", "lstart=", "-p", strconv.Itoa(pid))
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", false
	}
	at, err := time.Parse(time.ANSIC, strings.TrimSpace(out))
	if err != nil {
		return "", true // rather keep a folder too long than take one from its owner
	}
	return strconv.FormatInt(at.Unix(), 10), true
}

func ps(args ...string) (string, error) {
	cmd := exec.Command("ps", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC") // one form of date, and no change of it in summer
	out, err := cmd.Output()
	return string(out), err
}
