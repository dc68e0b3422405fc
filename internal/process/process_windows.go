package process

import (
	"strconv"
	"syscall"
)

// KillLeftovers has nothing to do: the children of a browser that has ended end
// themselves, as their channel to it breaks and Chrome holds the sandboxed ones
// in a job.
func KillLeftovers(int, string) int { return 0 }

// Birth gives the creation time of a process in nanoseconds, "" when it may
// not be asked, and whether it lives.
func Birth(pid int) (birth string, alive bool) {
	const (
		queryLimitedInformation = 0x1000
		stillActive             = 259
	)
	h, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return "", err == syscall.ERROR_ACCESS_DENIED
	}
	defer syscall.CloseHandle(h)
	var code uint32
	if err := syscall.GetExitCodeProcess(h, &code); err == nil && code != stillActive {
		return "", false
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return "", true
	}
	return strconv.FormatInt(created.Nanoseconds(), 10), true
}
