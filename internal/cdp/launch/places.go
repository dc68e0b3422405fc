package launch

// Channels are the values of Options.Channel besides "".
var Channels = []string{"stable", "beta", "dev", "canary", "chromium", "headless-shell", "edge", "brave"}

const shellChannel = "headless-shell"

// fullOrder is what "" means where a window is needed or no headless shell is there.
var fullOrder = []string{"stable", "chromium", "edge", "brave", "beta", "dev", "canary"}

// places are the well-known files of a channel by system, the best first. ${NAME}
// is a variable of the environment; a place whose variable is not set is left
// out. On Linux the browser itself comes before the script that wraps it: it
// starts as quickly, adds no switches and no extensions, and is the process that
// we wait for.
var places = map[string]map[string][]string{
	"linux": {
		shellChannel: {
			"/usr/lib/chromium/chromium-headless-shell",  // Debian
			"/usr/lib64/chromium-browser/headless_shell", // Fedora
			"/usr/lib/chromium-browser/headless_shell",
			"/opt/google/chrome-headless-shell/chrome-headless-shell",
			"/headless-shell/headless-shell", // the container image of chromedp
		},
		"chromium": {
			"/usr/lib/chromium/chromium",                   // Debian, Arch, Alpine
			"/usr/lib64/chromium/chromium",                 // openSUSE
			"/usr/lib64/chromium-browser/chromium-browser", // Fedora
			"/usr/lib/chromium-browser/chromium-browser",
			"/snap/bin/chromium",
			"/var/lib/flatpak/exports/bin/org.chromium.Chromium",
			"${HOME}/.local/share/flatpak/exports/bin/org.chromium.Chromium",
		},
		"stable": {
			"/opt/google/chrome/chrome",
			"/var/lib/flatpak/exports/bin/com.google.Chrome",
			"${HOME}/.local/share/flatpak/exports/bin/com.google.Chrome",
		},
		"beta":   {"/opt/google/chrome-beta/chrome"},
		"dev":    {"/opt/google/chrome-unstable/chrome"},
		"canary": {"/opt/google/chrome-canary/chrome"},
		"edge": {
			"/opt/microsoft/msedge/msedge",
			"/var/lib/flatpak/exports/bin/com.microsoft.Edge",
		},
		"brave": {
			"/opt/brave.com/brave/brave",
			"/snap/bin/brave",
			"/var/lib/flatpak/exports/bin/com.brave.Browser",
		},
	},
	"darwin": {
		shellChannel: {"/opt/homebrew/bin/chrome-headless-shell", "/usr/local/bin/chrome-headless-shell"},
		"chromium":   macApps("Chromium"),
		"stable":     macApps("Google Chrome"),
		"beta":       macApps("Google Chrome Beta"),
		"dev":        macApps("Google Chrome Dev"),
		"canary":     macApps("Google Chrome Canary"),
		"edge":       macApps("Microsoft Edge"),
		"brave":      macApps("Brave Browser"),
	},
	"windows": {
		"chromium": winApps(`Chromium\Application\chrome.exe`),
		"stable":   winApps(`Google\Chrome\Application\chrome.exe`),
		"beta":     winApps(`Google\Chrome Beta\Application\chrome.exe`),
		"dev":      winApps(`Google\Chrome Dev\Application\chrome.exe`),
		"canary":   winApps(`Google\Chrome SxS\Application\chrome.exe`),
		"edge":     winApps(`Microsoft\Edge\Application\msedge.exe`),
		"brave":    winApps(`BraveSoftware\Brave-Browser\Application\brave.exe`),
	},
}

func macApps(name string) []string {
	app := "/Applications/" + name + ".app/Contents/MacOS/" + name
	return []string{app, "${HOME}" + app}
}

func winApps(path string) []string {
	return []string{`${ProgramFiles}\` + path, `${ProgramFiles(x86)}\` + path, `${LocalAppData}\` + path}
}

// names are looked for on PATH, on every system.
var names = map[string][]string{
	shellChannel: {"chrome-headless-shell", "chromium-headless-shell", "headless-shell", "headless_shell"},
	"chromium":   {"chromium", "chromium-browser"},
	"stable":     {"google-chrome-stable", "google-chrome", "chrome"},
	"beta":       {"google-chrome-beta"},
	"dev":        {"google-chrome-unstable"},
	"canary":     {"google-chrome-canary"},
	"edge":       {"microsoft-edge", "microsoft-edge-stable", "msedge"},
	"brave":      {"brave-browser", "brave"},
}

// variables name a browser, for us or for other programs of our kind.
var variables = []string{"CHROME_PATH", "CHROME_BIN", "PUPPETEER_EXECUTABLE_PATH"}

// A mend is the command that brings a browser: the headless shell alone where it
// can be had and will do, or the full browser.
type mend struct{ shell, full string }

// mends are by the ID or ID_LIKE of /etc/os-release, or by system.
var mends = map[string]mend{
	"debian":  {"apt-get install chromium-headless-shell", "apt-get install chromium"},
	"ubuntu":  {"apt-get install chromium-browser", "apt-get install chromium-browser"}, // which brings the snap
	"fedora":  {"dnf install chromium-headless", "dnf install chromium"},
	"arch":    {"pacman -S chromium", "pacman -S chromium"},
	"alpine":  {"apk add chromium", "apk add chromium"},
	"suse":    {"zypper install chromium", "zypper install chromium"},
	"darwin":  {"brew install --cask google-chrome", "brew install --cask google-chrome"},
	"windows": {"winget install Google.Chrome", "winget install Google.Chrome"},
}
