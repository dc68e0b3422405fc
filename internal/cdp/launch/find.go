package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Found is a browser's executable.
type Found struct {
	Path   string
	Shell  bool   // chrome-headless-shell: it has no window, and needs no --headless
	Source string // how it was found, for a person
}

// cacheDir is where downloaded browsers are kept, as
// <channel>/<version>/<what the archive holds>.
func cacheDir() string {
	base, err := os.UserCacheDir()
	if err != nil {
		return "" // no home: nothing is kept, and nothing found
	}
	return filepath.Join(base, "browser-mcp")
}

// Find looks for the browser: Options.Executable, the environment, the places
// where systems keep browsers, PATH, our own downloads. It asks the file system
// alone and starts nothing. What was named and cannot run is an error; nothing
// else is taken in its stead.
func Find(o Options) (Found, error) {
	return system{
		goos: runtime.GOOS, arch: runtime.GOARCH, cache: cacheDir(),
		getenv: os.Getenv, stat: os.Stat, lookPath: exec.LookPath, readFile: os.ReadFile, readDir: os.ReadDir,
	}.find(o)
}

// A system is what Find asks.
type system struct {
	goos, arch, cache string
	getenv            func(string) string
	stat              func(string) (fs.FileInfo, error)
	lookPath          func(string) (string, error)
	readFile          func(string) ([]byte, error)
	readDir           func(string) ([]fs.DirEntry, error)
}

func (s system) find(o Options) (Found, error) {
	if o.Channel != "" && !slices.Contains(Channels, o.Channel) {
		return Found{}, fault.New(fault.InvalidArgument, "there is no channel %q; browser.channel is one of %s, or empty", o.Channel, strings.Join(Channels, ", "))
	}
	if o.Executable != "" {
		return s.given(o, o.Executable, "browser.executable")
	}
	for _, name := range variables {
		if path := s.getenv(name); path != "" {
			return s.given(o, path, name)
		}
	}
	if o.Channel == shellChannel && !o.Headless {
		return Found{}, errNoWindow(`the channel "headless-shell"`)
	}
	channels := wanted(o)
	var tried []string
	for _, c := range channels {
		for _, place := range places[s.goos][c] {
			path, ok := s.expand(place)
			if !ok {
				continue
			}
			if s.runnable(path) == nil {
				return Found{Path: path, Shell: c == shellChannel, Source: "well-known place of " + c}, nil
			}
			tried = append(tried, path)
		}
	}
	for _, c := range channels {
		for _, name := range names[c] {
			if path, err := s.lookPath(name); err == nil {
				return Found{Path: path, Shell: c == shellChannel, Source: name + " on PATH"}, nil
			}
			tried = append(tried, name)
		}
	}
	for _, c := range channels {
		if path := s.downloaded(c); path != "" {
			return Found{Path: path, Shell: c == shellChannel, Source: "downloaded by browser-mcp"}, nil
		}
	}
	return Found{}, s.notFound(o, tried)
}

// wanted gives the channels that will do, the best first. The headless shell is
// up in a third of a full browser's time.
func wanted(o Options) []string {
	switch {
	case o.Channel != "":
		return []string{o.Channel}
	case o.Headless:
		return append([]string{shellChannel}, fullOrder...)
	}
	return fullOrder
}

// given takes the executable that source names, and no other.
func (s system) given(o Options, name, source string) (Found, error) {
	path := name
	if !strings.ContainsAny(name, `/\`) {
		found, err := s.lookPath(name)
		if err != nil {
			return Found{}, fault.New(fault.BrowserNotFound, "%s is %q, which is not on PATH; give the absolute path of a browser, or leave it empty to have one found", source, name)
		}
		path = found
	}
	if err := s.runnable(path); err != nil {
		return Found{}, fault.New(fault.BrowserNotFound, "%s is %s: %w; give the path of a browser, or leave it empty to have one found", source, path, err)
	}
	shell := isShell(path)
	if shell && !o.Headless {
		return Found{}, errNoWindow(path)
	}
	return Found{Path: path, Shell: shell, Source: source}, nil
}

func errNoWindow(what string) error {
	return fault.New(fault.InvalidArgument, "%s cannot show a window; set browser.headless to true, or choose a full browser", what)
}

// isShell tells by the name alone: headless-shell, chromium-headless-shell, headless_shell.
func isShell(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.Contains(strings.ReplaceAll(base, "_", "-"), "headless-shell")
}

// runnable says why path cannot be run; nil when it can.
func (s system) runnable(path string) error {
	info, err := s.stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a folder")
	case s.goos != "windows" && info.Mode()&0o111 == 0:
		return errors.New("it is not executable")
	}
	return nil
}

// expand puts the environment into a place; it fails where a variable is not set.
func (s system) expand(place string) (string, bool) {
	ok := true
	path := os.Expand(place, func(name string) string {
		value := s.getenv(name)
		ok = ok && value != ""
		return value
	})
	return path, ok
}

// downloaded gives the newest download of a channel, "" when there is none.
func (s system) downloaded(channel string) string {
	if s.cache == "" {
		return ""
	}
	dir := filepath.Join(s.cache, channel)
	entries, _ := s.readDir(dir) // not there: no download yet
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return compareVersions(b.Name(), a.Name()) })
	for _, entry := range entries {
		if path := filepath.Join(dir, entry.Name(), s.archived(channel)); s.runnable(path) == nil {
			return path
		}
	}
	return ""
}

// archived is the executable's path inside an archive of Chrome for Testing.
func (s system) archived(channel string) string {
	program, file := "chrome", "chrome"
	if channel == shellChannel {
		program, file = "chrome-headless-shell", "chrome-headless-shell"
	}
	platform := map[string]string{
		"linux/amd64": "linux64", "linux/arm64": "linux-arm64", "darwin/amd64": "mac-x64",
		"darwin/arm64": "mac-arm64", "windows/amd64": "win64", "windows/arm64": "win64", "windows/386": "win32",
	}[s.goos+"/"+s.arch]
	switch {
	case s.goos == "windows":
		file += ".exe"
	case s.goos == "darwin" && program == "chrome":
		file = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
	}
	return filepath.Join(program+"-"+platform, file)
}

// compareVersions orders 99.0.1 before 152.0.7977.54, part by part.
func compareVersions(a, b string) int {
	parts := func(v string) []int {
		var n []int
		for part := range strings.SplitSeq(v, ".") {
			i, _ := strconv.Atoi(part)
			n = append(n, i)
		}
		return n
	}
	return slices.Compare(parts(a), parts(b))
}

func (s system) notFound(o Options, tried []string) error {
	what := "no browser was found"
	if o.Channel != "" {
		what = fmt.Sprintf("no browser of the channel %q was found", o.Channel)
	}
	if s.cache != "" {
		tried = append(tried, s.cache)
	}
	return fault.New(fault.BrowserNotFound, "%s; %s; tried %s, %s", what, s.mend(o), strings.Join(variables, ", "), strings.Join(tried, ", "))
}

// mend is the next step for one without a browser.
func (s system) mend(o Options) string {
	if !slices.Contains([]string{"", "stable", "chromium", shellChannel}, o.Channel) {
		return "install it, or leave browser.channel empty to take any browser"
	}
	for _, id := range s.identities() {
		if m, ok := mends[id]; ok {
			command := m.full
			if o.Headless && (o.Channel == "" || o.Channel == shellChannel) {
				command = m.shell
			}
			return "install one: " + command
		}
	}
	return "install Chromium or Google Chrome, or name one in browser.executable"
}

// identities are what the system calls itself, the nearest first.
func (s system) identities() []string {
	if s.goos != "linux" {
		return []string{s.goos}
	}
	var id, like []string
	release, _ := s.readFile("/etc/os-release") // without it the step is told in general
	for line := range strings.Lines(string(release)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch words := strings.Fields(strings.Trim(value, `"'`)); key {
		case "ID":
			id = words
		case "ID_LIKE":
			like = words
		}
	}
	return append(id, like...)
}
