package tools

import (
	"context"
	"fmt"
	neturl "net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/downloads"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var navigationTools = []tool.Tool{
	tool.OnPage("browser_navigate", tool.Visits, "Open a URL and wait until it has loaded.", navigate),
	tool.OnPage("browser_history", tool.Visits, "Go back, forward, or reload.", travel),
}

type navigateArgs struct {
	URL       string `json:"url" note:"such as http://localhost:3000/"`
	WaitUntil string `json:"wait_until,omitempty" enum:"load,domcontentloaded,networkidle" default:"load"`
	tool.NavigationTimeout
}

var lifecyclePoints = map[string]string{"load": page.Load, "domcontentloaded": page.DOMContentLoaded, "networkidle": page.NetworkIdle}

func navigate(ctx context.Context, s *session.Session, tab *session.Tab, args navigateArgs) (tool.Reply, error) {
	url, err := address(args.URL)
	if err != nil {
		return tool.Reply{}, err
	}
	mark := s.Downloads.Mark()
	visit, err := tab.Navigate(ctx, url, lifecyclePoints[args.WaitUntil])
	if err != nil {
		return tool.Reply{}.Told(), err
	}
	if visit.Download {
		return downloaded(ctx, s, tab, url, mark)
	}
	return arrival(visit)
}

// downloaded tells what became of the file at an address.
func downloaded(ctx context.Context, s *session.Session, tab *session.Tab, url string, mark downloads.Mark) (tool.Reply, error) {
	download, err := s.Downloads.Wait(ctx, mark)
	switch {
	case err != nil:
		return tool.Reply{}.Told(), err
	case download.Complete():
		return tool.Textf("%s is a file, which was downloaded: %s. The page is still %s", clip.Text(url, urlLimit), download, clip.Text(tab.URL(), urlLimit)).
			Told().Linking(download.File), nil
	case download.UnderWay():
		return tool.Textf("%s is a file, and its download goes on: %s. A later answer tells when it is complete. The page is still %s", clip.Text(url, urlLimit), download, clip.Text(tab.URL(), urlLimit)).Told(), nil
	default:
		return tool.Reply{}.Told(), fault.New(fault.NavigationFailed, "%s is a file, and its download failed: %s", clip.Text(url, urlLimit), download)
	}
}

type travelArgs struct {
	Action string `json:"action" enum:"back,forward,reload"`
	tool.NavigationTimeout
}

func travel(ctx context.Context, _ *session.Session, tab *session.Tab, args travelArgs) (tool.Reply, error) {
	visit, err := tab.Travel(ctx, args.Action)
	switch {
	case err != nil:
		return tool.Reply{}.Told(), err
	case visit.InFrame:
		return tool.Textf("A frame of the page went %s; the page is still %s", args.Action, clip.Text(visit.URL, urlLimit)).Told(), nil
	}
	return arrival(visit)
}

// Bounds of page text in an answer, in bytes.
const (
	urlLimit   = 500
	titleLimit = 200
)

// arrival tells where a navigation ended; an error status is a fault.
func arrival(v page.Visit) (tool.Reply, error) {
	status := ""
	if v.Status != 0 {
		status = fmt.Sprintf(" (%d)", v.Status)
	}
	v.URL, v.Title = clip.Text(v.URL, urlLimit), clip.Text(v.Title, titleLimit)
	reply := tool.Textf("Loaded %q%s %s", v.Title, status, v.URL)
	switch {
	case v.Status >= 400:
		return reply.Told(), fault.New(fault.NavigationFailed, "HTTP %d %s: %s %q. The page is loaded and can be inspected.", v.Status, v.StatusText, v.URL, v.Title)
	case v.NoContent:
		reply = tool.Textf("HTTP %d %s: the server sent no page; the page is still %s", v.Status, v.StatusText, v.URL)
	case v.SameDocument:
		reply = tool.Textf("Moved within the page to %s", v.URL)
	case v.Restored:
		reply = tool.Textf("Restored %q from the back/forward cache %s", v.Title, v.URL)
	}
	return reply.Told(), nil
}

// notHosts are schemes that could be taken for a host when digits follow.
var notHosts = []string{"javascript", "data", "blob", "file", "about", "chrome", "devtools", "filesystem", "view-source"}

var (
	hostAndPort = regexp.MustCompile(`^[\w.-]+:\d+([/?#]|$)`)
	ipv6AndPort = regexp.MustCompile(`^\[[0-9a-fA-F:.]+\]`)
	schemeOf    = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*):`)
)

// address makes a whole URL of what an agent gives, and refuses schemes that
// lead past the web: to files, to the browser's own pages, to scripts.
func address(given string) (string, error) {
	whole, err := wholeAddress(strings.TrimSpace(given))
	if err != nil {
		return "", err
	}
	if parsed, err := neturl.Parse(whole); err != nil && strings.HasPrefix(whole, "http") {
		return "", fault.New(fault.InvalidArgument, "%s is no URL: %w", clip.Text(given, urlLimit), err)
	} else if err == nil && strings.HasPrefix(parsed.Scheme, "http") && parsed.Host == "" {
		return "", fault.New(fault.InvalidArgument, "%s names no host; give a whole URL such as http://localhost:3000/", clip.Text(given, urlLimit))
	}
	return whole, nil
}

func wholeAddress(url string) (string, error) {
	name, _, _ := strings.Cut(url, ":")
	if hostAndPort.MatchString(url) && !slices.Contains(notHosts, strings.ToLower(name)) || ipv6AndPort.MatchString(url) {
		return "http://" + url, nil
	}
	scheme := schemeOf.FindStringSubmatch(url)
	switch {
	case scheme == nil && strings.HasPrefix(url, "//"):
		return "http:" + url, nil
	case scheme == nil && strings.HasPrefix(url, "/"):
		return "", fault.New(fault.Blocked, "%s is the path of a file, and files are not opened in the browser; serve the folder over http, or use read_image for a picture", clip.Text(url, urlLimit))
	case scheme == nil && url != "":
		return "http://" + url, nil
	case scheme == nil:
		return "", fault.New(fault.InvalidArgument, `the url is empty; give one such as http://localhost:3000/`)
	}
	switch name := strings.ToLower(scheme[1]); {
	case name == "http", name == "https", name == "data", name == "blob", strings.EqualFold(url, "about:blank"):
		return url, nil
	default:
		return "", fault.New(fault.Blocked, "%s: addresses are not opened; http, https, data, blob and about:blank are%s", clip.Text(name, urlLimit), instead(name, url))
	}
}

// instead says what to give instead of a URL with a scheme that is not opened.
func instead(scheme, url string) string {
	switch _, rest, whole := strings.Cut(url, "://"); {
	case scheme == "javascript":
		return ". Use browser_eval to run a script."
	case scheme == "file", len(scheme) == 1: // the drive of a path
		return ". Serve local files over http."
	case whole && rest != "" && !slices.Contains(notHosts, scheme):
		return "; did you mean http://" + clip.Text(rest, urlLimit) + "?"
	default:
		return ""
	}
}
