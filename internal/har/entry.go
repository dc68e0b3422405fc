package har

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/har"

	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
)

type entry struct {
	*har.Entry
	Response  response  `json:"response"`
	Number    int       `json:"_number"` // as in the answers of the tools
	Context   string    `json:"_context"`
	Type      string    `json:"_resourceType,omitempty"`
	Source    string    `json:"_source,omitempty"`
	Initiator initiator `json:"_initiator"`
	Error     string    `json:"_error,omitempty"`
	Messages  []message `json:"_webSocketMessages,omitempty"`
}

type response struct {
	*har.Response
	Content      content `json:"content"`
	TransferSize int64   `json:"_transferSize"`
}

// content has its text as a text, where the protocol's own type has bytes.
type content struct {
	*har.Content
	Text string `json:"text,omitempty"`
}

type initiator struct {
	Type    string `json:"type"`
	URL     string `json:"url,omitempty"`
	Line    int    `json:"lineNumber,omitempty"` // from 0, as browsers write it
	Column  int    `json:"columnNumber,omitempty"`
	Request int    `json:"_request,omitempty"` // the one that redirected here, or needed this one
}

type message struct {
	Type string  `json:"type"` // send or receive
	Time float64 `json:"time"` // seconds since 1970
	Kind string  `json:"_kind"`
	Data string  `json:"data"`
}

func (p page) id() string { return fmt.Sprintf("page_%d", p.document.Number) }

func (o Options) entry(r network.Request, pages []page) entry {
	var sent, received *network.Body
	if o.Bodies != nil {
		sent, received = o.Bodies(r)
	}
	timings := timingsOf(r)
	e := entry{
		Entry: &har.Entry{
			StartedDateTime: moment(r.Started), Time: total(timings), Timings: timings,
			Request: o.request(r, sent), Cache: &har.Cache{},
		},
		Response: o.response(r, received),
		Number:   r.Number, Context: r.Context, Type: strings.ToLower(r.Type), Source: r.Source(), Error: r.Explanation(),
		Initiator: initiatorOf(r),
	}
	for _, p := range pages {
		if p.document.Number == r.Page {
			e.Pageref = p.id()
		}
	}
	if host, _, err := net.SplitHostPort(r.Server); err == nil && net.ParseIP(host) != nil {
		e.ServerIPAddress = host
	}
	if r.Connection != 0 {
		e.Connection = strconv.FormatInt(r.Connection, 10)
	}
	for _, m := range r.Messages {
		direction := "receive"
		if m.Sent {
			direction = "send"
		}
		e.Messages = append(e.Messages, message{direction, float64(m.Time.UnixMicro()) / 1e6, m.Kind, m.Text})
	}
	return e
}

func (o Options) request(r network.Request, body *network.Body) *har.Request {
	headers := r.SentHeaders()
	made := &har.Request{
		Method: r.Method, URL: r.URL, HTTPVersion: version(r), Headers: o.headers(headers), Cookies: []*har.Cookie{},
		QueryString: []*har.NameValuePair{}, HeadersSize: -1,
	}
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Cookie") {
			cookies, _ := http.ParseCookie(o.shown(h).Value)
			made.Cookies = append(made.Cookies, cookiesOf(cookies)...)
		}
	}
	if u, err := url.Parse(r.URL); err == nil {
		for pair := range strings.SplitSeq(u.RawQuery, "&") {
			if name, value, _ := strings.Cut(pair, "="); pair != "" {
				made.QueryString = append(made.QueryString, &har.NameValuePair{Name: unescaped(name), Value: unescaped(value)})
			}
		}
	}
	if r.HasBody() {
		made.BodySize = -1
	}
	if body != nil {
		made.BodySize = int64(len(body.Data))
		made.PostData = &har.PostData{MimeType: network.Value(headers, "Content-Type"), Params: []*har.Param{}, Text: strings.ToValidUTF8(string(body.Data), "\uFFFD")}
	}
	return made
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

func (o Options) response(r network.Request, body *network.Body) response {
	headers := r.ReceivedHeaders()
	made := response{
		Response: &har.Response{
			Status: int64(r.Status), StatusText: r.StatusText, HTTPVersion: version(r), Headers: o.headers(headers), Cookies: []*har.Cookie{},
			RedirectURL: network.Value(headers, "Location"), HeadersSize: -1, BodySize: -1,
		},
		Content:      content{Content: &har.Content{Size: r.Decoded, MimeType: r.MIME}},
		TransferSize: r.Size,
	}
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Set-Cookie") {
			if cookie, err := http.ParseSetCookie(o.shown(h).Value); err == nil {
				made.Cookies = append(made.Cookies, cookiesOf([]*http.Cookie{cookie})...)
			}
		}
	}
	if source := r.Source(); source != "" && !strings.HasPrefix(source, network.SourceNetwork) {
		made.BodySize = 0 // of a cache or a service worker
	}
	if body != nil {
		made.Content.Size = int64(len(body.Data))
		made.Content.Text, made.Content.Encoding = textOf(*body)
	}
	return made
}

// headers gives a list that is never nil, with secrets hidden unless they are
// asked for.
func (o Options) headers(list []network.Header) []*har.NameValuePair {
	pairs := []*har.NameValuePair{}
	for _, h := range list {
		h = o.shown(h)
		pairs = append(pairs, &har.NameValuePair{Name: h.Name, Value: h.Value})
	}
	return pairs
}

func (o Options) shown(h network.Header) network.Header {
	if o.ShowSecrets {
		return h
	}
	return h.Masked()
}

func cookiesOf(cookies []*http.Cookie) (list []*har.Cookie) {
	for _, c := range cookies {
		made := &har.Cookie{Name: c.Name, Value: c.Value, Path: c.Path, Domain: c.Domain, HTTPOnly: c.HttpOnly, Secure: c.Secure}
		if !c.Expires.IsZero() {
			made.Expires = moment(c.Expires)
		}
		list = append(list, made)
	}
	return list
}

// version is the protocol in the words of archives: HTTP/1.1, h2, …
func version(r network.Request) string {
	if strings.HasPrefix(r.Protocol, "http/") {
		return strings.ToUpper(r.Protocol)
	}
	return r.Protocol
}

func initiatorOf(r network.Request) initiator {
	in := initiator{Type: r.Initiator.Kind, URL: r.Initiator.URL, Line: max(r.Initiator.Line-1, 0), Column: max(r.Initiator.Column-1, 0), Request: r.Initiator.Request}
	if r.Previous > 0 {
		in = initiator{Type: "redirect", Request: r.Previous}
	}
	return in
}
