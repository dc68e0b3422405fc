package launch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

type fakeInfo struct {
	name string
	mode fs.FileMode
}

func (f fakeInfo) Name() string       { return f.name }
func (f fakeInfo) Size() int64        { return 1 }
func (f fakeInfo) Mode() fs.FileMode  { return f.mode }
func (f fakeInfo) ModTime() time.Time { return time.Time{} }
func (f fakeInfo) IsDir() bool        { return f.mode.IsDir() }
func (f fakeInfo) Sys() any           { return nil }

// fakeSystem has the files (a mode of 0 is 0755), and a PATH of names.
func fakeSystem(goos string, files map[string]fs.FileMode, env map[string]string, path ...string) system {
	return system{
		goos: goos, arch: "amd64", cache: "/cache/browser-mcp",
		getenv: func(name string) string { return env[name] },
		stat: func(path string) (fs.FileInfo, error) {
			mode, ok := files[path]
			if !ok {
				return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
			}
			if mode == 0 {
				mode = 0o755
			}
			return fakeInfo{path, mode}, nil
		},
		lookPath: func(name string) (string, error) {
			if slices.Contains(path, name) {
				return "/bin/" + name, nil
			}
			return "", errors.New("not found")
		},
		readFile: func(string) ([]byte, error) { return []byte(env["os-release"]), nil },
		readDir: func(dir string) ([]fs.DirEntry, error) {
			tree := fstest.MapFS{}
			for name := range files {
				tree[strings.TrimPrefix(name, "/")] = &fstest.MapFile{}
			}
			return fs.ReadDir(tree, strings.TrimPrefix(dir, "/"))
		},
	}
}

func TestFindOrder(t *testing.T) {
	windows := map[string]string{"ProgramFiles": `C:\Program Files`, "ProgramFiles(x86)": `C:\Program Files (x86)`, "LocalAppData": `C:\Users\me\AppData\Local`}
	home := map[string]string{"HOME": "/Users/me"}
	const (
		debianShell = "/usr/lib/chromium/chromium-headless-shell"
		debianFull  = "/usr/lib/chromium/chromium"
		chrome      = "/opt/google/chrome/chrome"
		macChrome   = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
		winEdge     = `C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`
		winChrome   = `C:\Users\me\AppData\Local\Google\Chrome\Application\chrome.exe`
		cached99    = "/cache/browser-mcp/headless-shell/99.0.1/chrome-headless-shell-linux64/chrome-headless-shell"
		cached152   = "/cache/browser-mcp/headless-shell/152.0.7977.54/chrome-headless-shell-linux64/chrome-headless-shell"
	)
	headless := Options{Headless: true}
	for _, tc := range []struct {
		name  string
		goos  string
		o     Options
		env   map[string]string
		files []string
		path  []string
		want  string
		shell bool
	}{
		{"headless takes the shell", "linux", headless, nil, []string{debianFull, chrome, debianShell}, nil, debianShell, true},
		{"a window takes Chrome", "linux", Options{}, nil, []string{debianFull, chrome, debianShell}, nil, chrome, false},
		{"a channel decides", "linux", Options{Headless: true, Channel: "chromium"}, nil, []string{debianFull, chrome, debianShell}, nil, debianFull, false},
		{"full when there is no shell", "linux", headless, nil, []string{debianFull}, []string{"headless-shell"}, debianFull, false},
		{"the executable wins", "linux", Options{Headless: true, Executable: "/x/chrome", Channel: "edge"}, map[string]string{"CHROME_PATH": "/y"}, []string{"/x/chrome", "/y", debianShell}, nil, "/x/chrome", false},
		{"an executable on PATH", "linux", Options{Headless: true, Executable: "headless_shell"}, nil, []string{"/bin/headless_shell"}, []string{"headless_shell"}, "/bin/headless_shell", true},
		{"the environment next", "linux", headless, map[string]string{"CHROME_BIN": "/b", "CHROME_PATH": "/a"}, []string{"/a", "/b", debianShell}, nil, "/a", false},
		{"puppeteer's variable", "linux", headless, map[string]string{"PUPPETEER_EXECUTABLE_PATH": "/p"}, []string{"/p"}, nil, "/p", false},
		{"PATH before the cache", "linux", headless, nil, []string{cached152}, []string{"chromium"}, "/bin/chromium", false},
		{"the newest of the cache", "linux", headless, nil, []string{cached99, cached152}, nil, cached152, true},
		{"mac", "darwin", headless, home, []string{macChrome, "/Applications/Chromium.app/Contents/MacOS/Chromium"}, nil, macChrome, false},
		{"mac, of the user", "darwin", headless, home, []string{"/Users/me" + macChrome}, nil, "/Users/me" + macChrome, false},
		{"mac, brew", "darwin", headless, home, []string{macChrome, "/opt/homebrew/bin/chrome-headless-shell"}, nil, "/opt/homebrew/bin/chrome-headless-shell", true},
		{"windows, Chrome of the user before Edge", "windows", headless, windows, []string{winEdge, winChrome}, nil, winChrome, false},
		{"windows, Edge", "windows", headless, windows, []string{winEdge}, nil, winEdge, false},
		{"windows, brave", "windows", Options{Channel: "brave"}, windows, []string{winEdge, `C:\Program Files\BraveSoftware\Brave-Browser\Application\brave.exe`}, nil, `C:\Program Files\BraveSoftware\Brave-Browser\Application\brave.exe`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string]fs.FileMode{}
			for _, f := range tc.files {
				files[f] = 0
			}
			found, err := fakeSystem(tc.goos, files, tc.env, tc.path...).find(tc.o)
			require.NoError(t, err)
			require.Equal(t, tc.want, found.Path)
			require.Equal(t, tc.shell, found.Shell)
			require.NotEmpty(t, found.Source)
		})
	}
}

func TestFindFaults(t *testing.T) {
	files := map[string]fs.FileMode{"/dir": fs.ModeDir | 0o755, "/text": 0o644, "/headless-shell": 0}
	for _, tc := range []struct {
		name string
		goos string
		o    Options
		env  map[string]string
		code fault.Code
		says []string
	}{
		{"missing", "linux", Options{Executable: "/nowhere/chrome"}, nil, fault.BrowserNotFound, []string{"browser.executable is /nowhere/chrome: there is no such file"}},
		{"folder", "linux", Options{Executable: "/dir"}, nil, fault.BrowserNotFound, []string{"/dir: it is a folder"}},
		{"not executable", "linux", Options{Executable: "/text"}, nil, fault.BrowserNotFound, []string{"/text: it is not executable"}},
		{"not on PATH", "linux", Options{Executable: "crome"}, nil, fault.BrowserNotFound, []string{`"crome", which is not on PATH`}},
		{"variable", "linux", Options{}, map[string]string{"CHROME_BIN": "/nowhere"}, fault.BrowserNotFound, []string{"CHROME_BIN is /nowhere: there is no such file"}},
		{"no such channel", "linux", Options{Channel: "nightly"}, nil, fault.InvalidArgument, []string{`no channel "nightly"`, "canary"}},
		{"a shell with a window", "linux", Options{Executable: "/headless-shell"}, nil, fault.InvalidArgument, []string{"browser.headless to true"}},
		{"the shell's channel with a window", "linux", Options{Channel: "headless-shell"}, nil, fault.InvalidArgument, []string{"cannot show a window"}},
		{"debian, headless", "linux", Options{Headless: true}, map[string]string{"os-release": "ID=debian\n"}, fault.BrowserNotFound, []string{"apt-get install chromium-headless-shell", "/usr/lib/chromium/chromium", "CHROME_PATH", "google-chrome", "/cache/browser-mcp"}},
		{"debian, window", "linux", Options{}, map[string]string{"os-release": "ID=debian\n"}, fault.BrowserNotFound, []string{"install one: apt-get install chromium;"}},
		{"mint", "linux", Options{}, map[string]string{"os-release": "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"}, fault.BrowserNotFound, []string{"apt-get install chromium-browser"}},
		{"fedora", "linux", Options{}, map[string]string{"os-release": "ID=fedora\n"}, fault.BrowserNotFound, []string{"dnf install chromium"}},
		{"unknown", "linux", Options{}, nil, fault.BrowserNotFound, []string{"install Chromium or Google Chrome"}},
		{"mac", "darwin", Options{}, nil, fault.BrowserNotFound, []string{"brew install --cask"}},
		{"windows", "windows", Options{}, nil, fault.BrowserNotFound, []string{"winget install Google.Chrome"}},
		{"channel", "windows", Options{Channel: "beta"}, nil, fault.BrowserNotFound, []string{`channel "beta"`, "leave browser.channel empty"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := fakeSystem(tc.goos, files, tc.env).find(tc.o)
			require.Equal(t, tc.code, fault.CodeOf(err), "%v", err)
			for _, s := range tc.says {
				require.ErrorContains(t, err, s)
			}
		})
	}
}

func TestEveryChannelHasPlaces(t *testing.T) {
	for _, c := range Channels {
		require.NotEmpty(t, names[c], c)
		require.NotEmpty(t, places["linux"][c], c)
		require.NotEmpty(t, places["darwin"][c], c)
		require.True(t, c == shellChannel || len(places["windows"][c]) > 0, c)
	}
	require.ElementsMatch(t, Channels, append([]string{shellChannel}, fullOrder...))
}

func TestNoSandbox(t *testing.T) {
	const browser = "/opt/google/chrome/chrome"
	for _, tc := range []struct {
		name, mode string
		uid        int
		files      map[string]string
		helper     fs.FileMode
		forbidden  bool
		off        bool
	}{
		{name: "can", off: false},
		{name: "root", uid: -1, off: true},
		{name: "root forced", mode: "on", uid: -1, off: false},
		{name: "told off", mode: "off", off: true},
		{name: "debian's knob", files: map[string]string{"/proc/sys/kernel/unprivileged_userns_clone": "0"}, off: true},
		{name: "no namespaces", files: map[string]string{"/proc/sys/user/max_user_namespaces": "0"}, off: true},
		{name: "apparmor", files: map[string]string{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}, off: true},
		{name: "apparmor with helper", files: map[string]string{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}, helper: fs.ModeSetuid | 0o755, off: false},
		{name: "apparmor with a helper that is not setuid", files: map[string]string{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"}, helper: 0o755, off: true},
		{name: "seccomp", forbidden: true, off: true},
		{name: "allowed", files: map[string]string{"/proc/sys/kernel/unprivileged_userns_clone": "1", "/proc/sys/user/max_user_namespaces": "9", "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0"}, off: false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := host{
				goos: "linux", uid: tc.uid + 1,
				read:       func(path string) string { return tc.files[path] },
				canUnshare: func() bool { return !tc.forbidden },
				stat: func(path string) (fs.FileInfo, error) {
					if tc.helper != 0 && path == filepath.Join(filepath.Dir(browser), "chrome-sandbox") {
						return fakeInfo{path, tc.helper}, nil
					}
					return nil, os.ErrNotExist
				},
			}
			require.Equal(t, tc.off, noSandbox(tc.mode, h, browser) != "")
		})
	}
	require.Empty(t, noSandbox("auto", host{goos: "darwin"}, browser))
}

func TestSwitches(t *testing.T) {
	o := Options{Headless: true, Width: 800, Height: 600, Sandbox: "off", Args: []string{"--disable-features=Mine,Yours", "--lang=de"}}
	args := switches(o, Found{Path: "/x/chrome"}, "/profile")
	require.Contains(t, args, "--headless")
	require.Contains(t, args, "--no-sandbox")
	require.Contains(t, args, "--window-size=800,600")
	require.Contains(t, args, "--user-data-dir=/profile")
	require.Contains(t, args, "--disable-features="+strings.Join(disabledFeatures, ",")+",Mine,Yours")
	require.Equal(t, []string{"--lang=de", "about:blank"}, args[len(args)-2:])
	require.NotContains(t, switches(o, Found{Path: "/x/headless-shell", Shell: true}, "/profile"), "--headless")
	require.NotContains(t, switches(Options{}, Found{Path: "/x/chrome"}, "/profile"), "--hide-scrollbars")
	require.Len(t, disabledFeatures, 5, "switches must not grow the list")
}

func TestEnvironment(t *testing.T) {
	require.Equal(t, []string{"BREAKPAD_DUMP_LOCATION=/p/crashes", "HOME=/root"},
		environment([]string{"BROWSER_MCP_SECRETS=x", "HOME=/root", "BREAKPAD_DUMP_LOCATION=/old"}, "/p"))
}
