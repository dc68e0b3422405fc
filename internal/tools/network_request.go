package tools

import (
	"cmp"
	"context"
	"fmt"
	"mime"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

type networkRequestArgs struct {
	ID   int    `json:"id" min:"1"`
	Part string `json:"part,omitempty" enum:"headers,request,response,timing" default:"headers" doc:"request and response are the bodies"`
}

func networkRequest(ctx context.Context, s *session.Session, args networkRequestArgs) (tool.Reply, error) {
	r, ok := s.Requests.Find(args.ID)
	if !ok {
		return tool.Reply{}, fault.New(fault.InvalidArgument, "no request #%d is kept; browser_recent_network_requests lists those that are", args.ID)
	}
	switch {
	case args.Part == "timing":
		return tool.Text(requestTiming(r)), nil
	case args.Part == "request":
		return requestBody(ctx, s, r)
	case args.Part == "response" && (r.Type == "WebSocket" || r.Type == "EventSource"):
		return streamMessages(r), nil
	case args.Part == "response":
		return responseBody(ctx, s, r)
	}
	return requestOverview(s, r), nil
}

// requestOverview tells all of a request but its bodies and phases.
func requestOverview(s *session.Session, r network.Request) tool.Reply {
	lines := []string{fmt.Sprintf("#%d %s %s", r.Number, method(r), r.URL)}
	add := func(format string, args ...any) { lines = append(lines, tool.OneLine(fmt.Sprintf(format, args...))) }
	add("Status: %s", statusLine(r))
	if r.Failure != "" {
		add("Failure: %s", r.Explanation())
	}
	if source := r.Source(); source != "" {
		add("Source: %s", source)
	}
	if r.MIME != "" || r.Size > 0 || r.Decoded > 0 {
		add("Content: %s, %s received, %s decoded", cmp.Or(r.MIME, "no type"), byteSize(r.Size), byteSize(r.Decoded))
	}
	if r.Server != "" {
		add("Server: %s %s", r.Server, r.Protocol)
	}
	add("Asked by: %s, as %s, at %s, %s", r.Context, cmp.Or(r.Type, "Other"), r.Started.Format("15:04:05.000"), duration(r))
	add("Initiator: %s", initiator(r))
	if r.Previous > 0 {
		add("Redirected from: #%d", r.Previous)
	}
	if r.Next > 0 {
		add("Redirected to: #%d", r.Next)
	}
	masked := false
	for _, part := range []struct {
		title string
		list  []network.Header
	}{{"Request headers", r.SentHeaders()}, {"Response headers", r.ReceivedHeaders()}} {
		if len(part.list) == 0 {
			continue
		}
		add("%s:", part.title)
		for _, h := range part.list {
			if shown := h.Masked(); !s.Config.Secrets.ShowHeaders && shown != h {
				h, masked = shown, true
			}
			add("  %s: %s", h.Name, h.Value)
		}
	}
	if masked {
		add("[hidden] stands for secrets; secrets.show_headers in the server's configuration shows them.")
	}
	return tool.Text(strings.Join(lines, "\n")).Spilling(tool.Whole{Kind: "request", Extension: "log", Text: strings.Join(lines, "\n"), Preview: s.Config.Output.InlineLimit / 2})
}

func statusLine(r network.Request) string {
	status := strings.TrimSpace(fmt.Sprintf("%d %s", r.Status, r.StatusText))
	switch {
	case r.Failure != "" && r.Status == 0 && r.WireStatus != 0:
		return fmt.Sprintf("%s, although the server answered %d", outcome(r), r.WireStatus)
	case r.Cancelled && r.Status != 0:
		return status + ", then cancelled"
	case r.Failure != "" && r.Status != 0:
		return status + ", then failed"
	case r.Failure != "" || r.Status == 0:
		return outcome(r)
	case r.WireStatus != 0 && r.WireStatus != r.Status:
		return fmt.Sprintf("%s (the server answered %d)", status, r.WireStatus)
	}
	return status
}

// initiator tells what made the browser ask, with the calls that led there.
func initiator(r network.Request) string {
	in := r.Initiator
	switch {
	case r.Previous > 0:
		return fmt.Sprintf("redirect of #%d", r.Previous)
	case in.Request > 0:
		return fmt.Sprintf("%s for #%d", in.Kind, in.Request)
	case in.Kind == "other" && r.Type == "Document":
		return "navigation"
	case in.URL == "":
		return cmp.Or(in.Kind, "unknown")
	}
	text := in.String()
	for i, call := range in.Calls {
		switch {
		case i == 0 && call.Function != "":
			text += " in " + call.Function
		case i > 0:
			text += fmt.Sprintf(" ← %s %s:%d", cmp.Or(call.Function, "(anonymous)"), clip.Text(call.URL, 200), call.Line)
		}
	}
	return text
}

// requestTiming tells the parts of a request's time.
func requestTiming(r network.Request) string {
	lines := []string{fmt.Sprintf("#%d %s %s: started %s, %s", r.Number, method(r), clip.Text(r.URL, urlLimit), r.Started.Format("15:04:05.000"), duration(r))}
	phases := r.Phases()
	if len(phases) == 0 {
		return lines[0] + "\n" + noPhases(r)
	}
	for _, p := range phases {
		lines = append(lines, fmt.Sprintf("  %s: %s, from %s", p.Name, short(p.Took), short(p.Start)))
	}
	if r.DOMContentLoaded > 0 {
		lines = append(lines, fmt.Sprintf("  DOMContentLoaded after %s", short(r.DOMContentLoaded)))
	}
	if r.Load > 0 {
		lines = append(lines, fmt.Sprintf("  load after %s", short(r.Load)))
	}
	return strings.Join(lines, "\n")
}

func noPhases(r network.Request) string {
	switch {
	case r.Failure != "":
		return "No phases are known: " + r.Explanation()
	case r.Status == 0:
		return "No phases are known: no response has come yet."
	default:
		return "No phases are known: the browser tells none for a " + r.Type + " from the " + r.Source() + "."
	}
}

func requestBody(ctx context.Context, s *session.Session, r network.Request) (tool.Reply, error) {
	body, ok, err := s.Requests.RequestBody(ctx, r)
	switch {
	case err != nil:
		return tool.Reply{}, busy(err)
	case !ok:
		return tool.Textf("#%d %s was sent without a body.", r.Number, method(r)), nil
	}
	return bodyReply(s, r, "Request", network.Value(r.SentHeaders(), "Content-Type"), body)
}

func responseBody(ctx context.Context, s *session.Session, r network.Request) (tool.Reply, error) {
	if r.Status == 0 {
		return tool.Textf("#%d has no response: %s", r.Number, cmp.Or(r.Explanation(), "it is "+outcome(r))), nil
	}
	body, err := s.Requests.ResponseBody(ctx, r)
	if err != nil {
		return tool.Reply{}, busy(err)
	}
	return bodyReply(s, r, "Response", r.MIME, body)
}

// busy says what may have kept the browser from giving a body in time.
func busy(err error) error {
	if fault.Is(err, fault.Timeout) {
		return fault.New(fault.Timeout, "%w waiting for the browser to give the body; the page may be busy or have a dialog open", err)
	}
	return err
}

// bodyReply shows a text, and saves what is none.
func bodyReply(s *session.Session, r network.Request, which, contentType string, body network.Body) (tool.Reply, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = ""
	}
	about := fmt.Sprintf("%s body of #%d (%s, %s)", which, r.Number, cmp.Or(kind, "no type"), byteSize(int64(len(body.Data))))
	switch {
	case len(body.Data) == 0:
		return tool.Textf("The %s body of #%d is empty.", strings.ToLower(which), r.Number), nil
	case readable(kind, body):
		limit := s.Config.Output.InlineLimit
		inline := body.Data[:min(len(body.Data), limit+1)] // one more is too long, whatever follows
		return tool.Text(about + ":\n" + string(inline)).Spilling(tool.Whole{Kind: "body", Extension: extensionOf(kind, r.URL, "txt"), Text: string(body.Data), Preview: limit / 4}), nil
	}
	file, err := s.Output.Write("body", extensionOf(kind, r.URL, "bin"), body.Data)
	if err != nil {
		return tool.Reply{}, err
	}
	next := ""
	if strings.HasPrefix(kind, "image/") {
		next = "; read_image shows it"
	}
	return tool.Textf("%s is binary, saved as %s%s", about, file.Path, next).Linking(file), nil
}

// readable reports whether a body is a text, which some are that the browser
// gives as bytes.
func readable(kind string, body network.Body) bool {
	if !utf8.Valid(body.Data) || slices.Contains(body.Data, 0) {
		return false
	}
	return body.Text || strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml") || strings.HasSuffix(kind, "javascript")
}

// extensions are those that readers expect; the system's own tables differ.
var extensions = map[string]string{
	"text/html": "html", "text/css": "css", "text/plain": "txt", "text/csv": "csv", "text/javascript": "js", "application/javascript": "js",
	"application/json": "json", "application/manifest+json": "webmanifest", "application/xml": "xml", "text/xml": "xml", "application/pdf": "pdf",
	"application/wasm": "wasm", "application/zip": "zip", "application/gzip": "gz", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif",
	"image/webp": "webp", "image/avif": "avif", "image/svg+xml": "svg", "image/x-icon": "ico", "image/vnd.microsoft.icon": "ico", "font/woff": "woff",
	"font/woff2": "woff2", "font/ttf": "ttf", "audio/mpeg": "mp3", "audio/ogg": "ogg", "video/mp4": "mp4", "video/webm": "webm",
}

var plainExtension = regexp.MustCompile(`^\.[a-zA-Z0-9]{1,8}$`)

// extensionOf names the file type of a body by its content type, else by its
// address.
func extensionOf(kind, address, otherwise string) string {
	if known := extensions[kind]; known != "" {
		return known
	}
	if u, err := url.Parse(address); err == nil {
		if own := path.Ext(u.Path); plainExtension.MatchString(own) {
			return strings.ToLower(own[1:])
		}
	}
	return otherwise
}

// streamMessages tells what went over a WebSocket or an event stream.
func streamMessages(r network.Request) tool.Reply {
	heading := fmt.Sprintf("%s #%d %s, %s: %d message(s), newest first.", r.Type, r.Number, clip.Text(r.URL, urlLimit), outcome(r), len(r.Messages))
	if len(r.Messages) == 0 {
		heading = fmt.Sprintf("%s #%d %s, %s: no messages.", r.Type, r.Number, clip.Text(r.URL, urlLimit), outcome(r))
	}
	if r.Dropped > 0 {
		heading += fmt.Sprintf(" %d older ones were dropped.", r.Dropped)
	}
	if r.Failure != "" {
		heading += " " + r.Explanation()
	}
	short, long, clipped := []string{heading}, []string{heading}, false
	for _, m := range slices.Backward(r.Messages) {
		short = append(short, messageLine(m, clip.Text(m.Text, entryLimit)))
		long = append(long, messageLine(m, m.Text))
		clipped = clipped || len(m.Text) > entryLimit
	}
	return tool.Text(strings.Join(short, "\n")).Spilling(tool.Whole{Kind: "messages", Extension: "log", Text: strings.Join(long, "\n"), Always: clipped, Preview: previewLimit})
}

// previewLimit is how much of a long list of messages is shown, in bytes.
const previewLimit = 1500

func messageLine(m network.StreamMessage, text string) string {
	line := fmt.Sprintf("%s %s, %s: %s", m.Time.Format("15:04:05.000"), m, byteSize(int64(m.Length)), indented(text))
	if m.Length > len(m.Text) && m.Kind != "binary" {
		line += "… (the rest was not kept)"
	}
	return line
}
