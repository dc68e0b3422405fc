package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"syscall"
)

const (
	cureDisplay = "set browser.headless to true, or start the server under a display (xvfb-run -a browser-mcp)"
	shownLines  = 8   // of what the browser printed, in an error
	shownBytes  = 300 // of one such line
)

// cures are what browsers print when they cannot live, and what mends it; $1 is
// the pattern's group. The first that matches is told.
var cures = []struct {
	sign *regexp.Regexp
	cure string
}{
	{regexp.MustCompile(`Running as root without --no-sandbox`),
		`root cannot use the browser's sandbox: set browser.sandbox to "auto" or "off", or run as another user`},
	{regexp.MustCompile(`No usable sandbox|SUID sandbox helper binary|Failed to move to new namespace|sandbox/linux/.*(?:Operation not permitted|Check failed)`),
		`the kernel forbids the browser's sandbox: set browser.sandbox to "off", or allow user namespaces (sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 kernel.unprivileged_userns_clone=1; in a container allow clone and unshare in its seccomp profile)`},
	{regexp.MustCompile(`error while loading shared libraries: ([^:\s]+)|Library not loaded: (\S+)`),
		`the library $1$2 is missing: install the package that brings it, or the system's own browser, which brings all`},
	{regexp.MustCompile(`Missing X server|cannot open display|Unable to open X display|platform failed to initialize|Failed to connect to Wayland`),
		cureDisplay},
	{regexp.MustCompile(`No space left on device|shared memory.*(?:ENOSPC|creating .* failed)`),
		`a disk is full: free space in the temporary folder and in /dev/shm`},
	{regexp.MustCompile(`profile appears to be in use|ProcessSingleton`),
		`another browser holds the profile: end it, or leave --user-data-dir out of browser.args`},
	{regexp.MustCompile(`(?i)unknown option|unrecognized option`),
		`check browser.executable and browser.args`},
}

// noise is what healthy browsers print too; it would push the reason out of sight.
var noise = regexp.MustCompile(`dbus/|:WARNING:|DevTools listening|ERROR:.*(?:gcm/|registration_request|vaapi|ssl_client_socket)|unexpected operator`)

// explain makes one message of how a browser ended and what it printed.
func explain(path, how, printed string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s ended (%s)", path, how)
	if lines := lastLines(printed); len(lines) > 0 {
		fmt.Fprintf(&b, " and printed:\n  %s\n", strings.Join(lines, "\n  "))
	} else {
		b.WriteString(" and printed nothing of use; ")
	}
	b.WriteString(cure(printed))
	return b.String()
}

func cure(printed string) string {
	for _, c := range cures {
		if m := c.sign.FindStringSubmatchIndex(printed); m != nil {
			return string(c.sign.ExpandString(nil, c.cure, printed, m))
		}
	}
	return "try again; when it repeats, --log-level=debug shows all that the browser says"
}

// lastLines gives the end of what was printed without noise, each line once.
func lastLines(printed string) []string {
	var lines []string
	seen := map[string]bool{}
	for line := range strings.Lines(printed) {
		line = strings.ToValidUTF8(strings.TrimSpace(line), "")
		if line == "" || seen[line] || noise.MatchString(line) {
			continue
		}
		seen[line] = true
		if len(line) > shownBytes {
			line = strings.ToValidUTF8(line[:shownBytes], "") + "…"
		}
		lines = append(lines, line)
	}
	return lines[max(0, len(lines)-shownLines):]
}

// cureExec says what mends an executable that the system refuses to run.
func cureExec(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "make it executable, and its folder not noexec"
	case errors.Is(err, fs.ErrNotExist):
		return "a script whose interpreter is missing, or a binary for another C library: set browser.executable to another browser"
	case errors.Is(err, syscall.ENOEXEC):
		return "it is not a program for this machine: set browser.executable to another browser"
	}
	return "set browser.executable to another browser"
}
