package launch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// basic are the switches of every browser, each with what happens without it.
// Popups stay blocked as ever: those of a user's gesture open, and so do clicks.
var basic = []string{
	"--remote-debugging-pipe",                  // a port could be attached to by any local process
	"--no-first-run",                           // a welcome page takes the first tab
	"--no-default-browser-check",               // a bar asks to be made the default
	"--disable-search-engine-choice-screen",    // a choice of engines covers the first tab in Europe
	"--disable-background-networking",          // it fetches what no page asked for: experiments, safe browsing lists
	"--disable-component-update",               // the same, for its components
	"--disable-domain-reliability",             // failed requests are reported to Google
	"--disable-sync",                           // it looks for an account
	"--disable-default-apps",                   // web apps are installed into the new profile
	"--disable-extensions",                     // the system's extensions change pages and add targets
	"--disable-field-trial-config",             // builds of distributions switch experiments on
	"--disable-breakpad",                       // crashes are dumped and offered for upload
	"--noerrdialogs",                           // an error opens a native dialog that nobody can answer
	"--disable-hang-monitor",                   // the same, for a page that is busy
	"--disable-prompt-on-repost",               // the same, for a reload after a POST
	"--disable-renderer-backgrounding",         // tabs in the background run slower, and all of ours but one are
	"--disable-backgrounding-occluded-windows", // the same, for a window under another
	"--disable-background-timer-throttling",    // the same: their timers fire once a second
	"--password-store=basic",                   // it waits until the desktop's keyring is unlocked
	"--use-mock-keychain",                      // the same, on macOS
	"--force-color-profile=srgb",               // screenshots differ from machine to machine
}

// disabledFeatures each show something over a page or send something away. Site
// isolation stays on: frames of other origins are targets of their own.
var disabledFeatures = []string{
	"Translate",                   // a bubble over pages in other languages
	"OptimizationHints",           // hints and models fetched from Google
	"MediaRouter",                 // it searches the local network for screens, and macOS asks for leave
	"AutofillServerCommunication", // the shapes of forms are sent to Google
	"HttpsUpgrades",               // an http address is tried as https first
}

// switches is the browser's command line.
func switches(o Options, found Found, profile string) []string {
	args := append([]string{"--user-data-dir=" + profile}, basic...)
	if o.Headless {
		args = append(args,
			"--hide-scrollbars", // screenshots hold scrollbars
			"--mute-audio",      // it opens the sound device, and the user hears it
		)
		if !found.Shell {
			args = append(args, "--headless")
		}
	}
	if o.Width > 0 && o.Height > 0 {
		args = append(args, fmt.Sprintf("--window-size=%d,%d", o.Width, o.Height))
	}
	if smallSharedMemory() {
		args = append(args, "--disable-dev-shm-usage")
	}
	if why := noSandbox(o.Sandbox, thisHost(), found.Path); why != "" {
		args = append(args, "--no-sandbox")
		if o.Sandbox != "off" {
			warnSandbox.Do(func() {
				o.log().Warn("the browser runs without its sandbox: open only pages that you trust", "reason", why)
			})
		}
	}
	// Of a switch given twice the last counts alone: the two lists become one.
	const disable = "--disable-features="
	features := disabledFeatures
	var given []string
	for _, arg := range o.Args {
		if list, ok := strings.CutPrefix(arg, disable); ok {
			features = append(slices.Clip(features), list)
		} else {
			given = append(given, arg)
		}
	}
	args = append(args, disable+strings.Join(features, ","))
	// A page of its own at the start is there sooner than one that is asked for.
	return append(append(args, given...), "about:blank")
}

// warnSandbox is for the life of the program: the reason does not change in it.
var warnSandbox sync.Once

// A host is what the decision on the sandbox depends on.
type host struct {
	goos       string
	uid        int
	read       func(path string) string // a file, "" when it is not there
	stat       func(path string) (fs.FileInfo, error)
	canUnshare func() bool
}

func thisHost() host {
	return host{
		goos: runtime.GOOS, uid: os.Getuid(), stat: os.Stat, canUnshare: canUnshare,
		read: func(path string) string {
			b, _ := os.ReadFile(path)
			return strings.TrimSpace(string(b))
		},
	}
}

// noSandbox says why the sandbox must be off; "" keeps it on.
func noSandbox(mode string, h host, browser string) string {
	switch {
	case mode == "off":
		return "browser.sandbox is off"
	case mode == "on" || h.goos != "linux":
		return ""
	case h.uid == 0:
		return "root cannot use it"
	case strings.HasPrefix(browser, "/snap/"), h.hasHelper(browser):
		return ""
	case h.read("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return "kernel.unprivileged_userns_clone is 0"
	case h.read("/proc/sys/user/max_user_namespaces") == "0":
		return "user.max_user_namespaces is 0"
	case h.read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		return "kernel.apparmor_restrict_unprivileged_userns is 1, and the browser has no setuid helper"
	case !h.canUnshare():
		return "the kernel or the container forbids user namespaces"
	}
	return ""
}

// hasHelper reports whether the browser brings the setuid program that makes its
// sandbox where user namespaces are forbidden.
func (h host) hasHelper(browser string) bool {
	if real, err := filepath.EvalSymlinks(browser); err == nil {
		browser = real
	}
	for _, name := range []string{"chrome-sandbox", "msedge-sandbox", "chrome_sandbox"} {
		info, err := h.stat(filepath.Join(filepath.Dir(browser), name))
		if err == nil && info.Mode()&fs.ModeSetuid != 0 {
			return true
		}
	}
	return false
}
