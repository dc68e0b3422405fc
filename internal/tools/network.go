package tools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var networkTools = []tool.Tool{
	tool.New("browser_recent_network_requests", tool.Reads, "Network requests, newest first. url is a part of the address, with * for anything.", recentNetworkRequests),
	tool.New("browser_network_request", tool.Reads, "One network request: headers, bodies or messages, timing.", networkRequest),
	tool.New("browser_clear_network_requests", tool.Sets, "Discard the captured network requests.", clearNetworkRequests),
}

type recentNetworkRequestsArgs struct {
	Limit  int    `json:"limit,omitempty" default:"100" min:"1" max:"3000"`
	URL    string `json:"url,omitempty"`
	Method string `json:"method,omitempty"`
	Status string `json:"status,omitempty" doc:"such as 404 or 4xx"`
	Type   string `json:"type,omitempty" doc:"such as Script or Fetch"`
	Failed bool   `json:"failed,omitempty"`
}

func recentNetworkRequests(_ context.Context, s *session.Session, args recentNetworkRequestsArgs) (tool.Reply, error) {
	matches, err := args.filter()
	if err != nil {
		return tool.Reply{}, err
	}
	all, loss := s.Requests.Recent()
	matching := slices.DeleteFunc(slices.Clone(all), func(r network.Request) bool { return !matches(r) })
	return requestList(s, all, matching, args.Limit, loss, requestLine), nil
}

// requestList is an answer of one line a request, the newest that fit inline.
func requestList(s *session.Session, all, matching []network.Request, limit int, loss network.Loss, line func(r network.Request, url string) string, summary ...string) tool.Reply {
	shown := matching[:min(len(matching), limit)]
	heading := append([]string{requestHeading(len(shown), len(matching), len(all), loss)}, summary...)
	short, long := slices.Clone(heading), heading
	for _, r := range shown {
		short = append(short, tool.OneLine(line(r, clip.Text(r.URL, urlLimit))))
		long = append(long, tool.OneLine(line(r, r.URL)))
	}
	text := strings.Join(short, "\n")
	return tool.Text(text).Spilling(tool.Whole{Kind: "network", Extension: "log", Text: strings.Join(long, "\n"), Preview: wholeLines(text, s.Config.Output.InlineLimit*3/4)})
}

// wholeLines is the length of the lines at the beginning of a text that fit.
func wholeLines(text string, n int) int {
	if len(text) <= n {
		return len(text)
	}
	if end := strings.LastIndexByte(text[:n], '\n'); end > 0 {
		return end
	}
	return n
}

func requestHeading(shown, matching, all int, loss network.Loss) string {
	heading := newestFirst("network request", shown, matching, all, loss.Requests)
	if loss.Headers > 0 {
		heading += fmt.Sprintf(" The headers of %d exchanges came long before their request, or without one, and were dropped.", loss.Headers)
	}
	if loss.Events > 0 {
		heading += fmt.Sprintf(" %d events came too fast to be kept: requests may be missing or look unfinished.", loss.Events)
	}
	return heading
}

// requestLine tells a request in a line: #12 GET 200 Script 14.2 kB 35ms network http://….
func requestLine(r network.Request, url string) string {
	words := []string{fmt.Sprintf("#%d", r.Number), method(r), outcome(r), r.Type}
	if r.Size > 0 {
		words = append(words, byteSize(r.Size))
	}
	words = append(words, duration(r), r.Source(), url)
	if r.Next > 0 {
		words = append(words, fmt.Sprintf("→ #%d", r.Next))
	}
	if r.Context != "page" {
		words = append(words, "("+r.Context+")")
	}
	if r.Failure != "" {
		words = append(words, r.Explanation())
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// method is a request's method in a line: a page can make up any.
func method(r network.Request) string { return clip.Text(r.Method, 40) }

// outcome is a request's status, or what there is in its place.
func outcome(r network.Request) string {
	switch {
	case r.Cancelled && r.Status != 0:
		return strconv.Itoa(r.Status)
	case r.Cancelled:
		return "cancelled"
	case r.Failure != "":
		return "failed"
	case r.Status != 0:
		return strconv.Itoa(r.Status)
	case r.Done:
		return "done"
	default:
		return "pending"
	}
}

func duration(r network.Request) string {
	if !r.Done {
		return "open for " + short(time.Since(r.Started))
	}
	return short(r.Duration)
}

// short tells a time with no more digits than matter.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	default:
		return d.Round(time.Second).String()
	}
}

func byteSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1000/1000)
	}
}

// filter gives what decides whether a request is asked for.
func (args recentNetworkRequestsArgs) filter() (func(network.Request) bool, error) {
	hasStatus, err := statusFilter(args.Status)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(network.Types, func(t string) bool { return strings.EqualFold(t, args.Type) }); args.Type != "" && i < 0 {
		return nil, fault.New(fault.InvalidArgument, "no request has the type %q; the types are %s", clip.Text(args.Type, 60), strings.Join(network.Types, ", "))
	}
	address := urlFilter(args.URL)
	return func(r network.Request) bool {
		return address.MatchString(r.URL) && hasStatus(r) && (args.Method == "" || strings.EqualFold(args.Method, r.Method)) &&
			(args.Type == "" || strings.EqualFold(args.Type, r.Type)) && (!args.Failed || r.Failed())
	}, nil
}

// urlFilter finds a part of an address, whatever the case; * is any text.
func urlFilter(part string) *regexp.Regexp {
	return regexp.MustCompile("(?is)" + strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, ".*"))
}

var statusPattern = regexp.MustCompile(`^[1-5](xx|XX|\d\d)$`)

func statusFilter(status string) (func(network.Request) bool, error) {
	if status == "" {
		return func(network.Request) bool { return true }, nil
	}
	if !statusPattern.MatchString(status) {
		return nil, fault.New(fault.InvalidArgument, "%q is no HTTP status; give one such as 404, or a class such as 4xx", clip.Text(status, 60))
	}
	class, isClass := strings.CutSuffix(strings.ToLower(status), "xx")
	return func(r network.Request) bool {
		if isClass {
			return strings.HasPrefix(strconv.Itoa(r.Status), class)
		}
		return strconv.Itoa(r.Status) == status || strconv.Itoa(r.WireStatus) == status
	}, nil
}

type clearNetworkRequestsArgs struct{}

func clearNetworkRequests(_ context.Context, s *session.Session, _ clearNetworkRequestsArgs) (tool.Reply, error) {
	return tool.Textf("Cleared %d network requests.", s.Requests.Clear()), nil
}

type networkSourcesArgs struct {
	URL   string `json:"url,omitempty"`
	Limit int    `json:"limit,omitempty" default:"100" min:"1" max:"3000"`
}

func networkSources(_ context.Context, s *session.Session, args networkSourcesArgs) (tool.Reply, error) {
	address := urlFilter(args.URL)
	all, loss := s.Requests.Recent()
	matching := slices.DeleteFunc(slices.Clone(all), func(r network.Request) bool { return !address.MatchString(r.URL) })
	var summary []string
	if len(matching) > 0 {
		summary = append(summary, sourceCounts(matching))
	}
	return requestList(s, all, matching, args.Limit, loss, sourceLine, summary...), nil
}

// sourceCounts tells how many responses came from where, the most first.
func sourceCounts(requests []network.Request) string {
	counts := map[string]int{}
	var names []string
	for _, r := range requests {
		name := sourceOf(r)
		if counts[name] == 0 {
			names = append(names, name)
		}
		counts[name]++
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	var parts []string
	for i, name := range names {
		if i == maxSources {
			parts = append(parts, fmt.Sprintf("and %d more sources", len(names)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
	}
	return tool.OneLine(strings.Join(parts, ", "))
}

// maxSources bounds the summary: a page can make any number of caches.
const maxSources = 12

// sourceOf is where a response came from, or why there is none.
func sourceOf(r network.Request) string {
	if source := r.Source(); source != "" && (r.Failure == "" || r.Cancelled) {
		return clip.Text(source, 100)
	}
	return outcome(r)
}

func sourceLine(r network.Request, url string) string {
	line := fmt.Sprintf("#%d %s: %s %s %s", r.Number, sourceOf(r), method(r), r.Type, url)
	if r.Context != "page" {
		line += " (" + r.Context + ")"
	}
	if r.Failure != "" {
		line += " " + r.Explanation()
	}
	return line
}
