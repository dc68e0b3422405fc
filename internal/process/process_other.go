//go:build unix && !linux

package process

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// KillLeftovers kills what still runs in the group (0: none) and tells whether
// there was any: 1 or 0. A group of nothing but zombies refuses the signal.
func KillLeftovers(group int, _ string) int {
	if group != 0 && syscall.Kill(-group, syscall.SIGKILL) == nil {
		return 1
	}
	return 0
}

// Birth gives the start time of a process in seconds, "" when ps does not
// tell, and whether it lives.
func Birth(pid int) (birth string, alive bool) {
	cmd := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC") // one form of date, and no change of it in summer
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", false
	}
	at, err := time.Parse(time.ANSIC, strings.TrimSpace(string(out)))
	if err != nil {
		return "", true // rather keep a folder too long than take one from its owner
	}
	return strconv.FormatInt(at.Unix(), 10), true
}
