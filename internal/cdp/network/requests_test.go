package network

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
	"github.com/stretchr/testify/require"

	conn "github.com/browser-mcp/browser-mcp/internal/cdp"
)

// follower is what follows a page, fed by hand.
func follower() *target {
	s := &conn.Session{}
	s.Target.Type, s.Target.TargetID = "page", "MAIN"
	r := NewRequests()
	t := &target{Requests: r, session: s, frame: "MAIN"}
	r.targets[s] = t
	return t
}

func ask(t *target, id, url string, redirect *response) {
	ev := sentEvent{RequestID: network.RequestID(id), RedirectResponse: redirect, RedirectHasExtra: redirect != nil && redirect.Status != http.StatusTemporaryRedirect}
	ev.Request.URL, ev.Request.Method = url, "GET"
	t.sent(ev)
}

// TestWireHeadersFindTheirHop in whatever order the events come. A redirect
// that the browser made itself (307) was never on the wire.
func TestWireHeadersFindTheirHop(t *testing.T) {
	wire := func(name string) jsonv2.Value { return jsonv2.Value(fmt.Sprintf(`{"X-Hop":%q}`, name)) }
	steps := map[string]func(*target){
		"ask one":      func(f *target) { ask(f, "1", "http://a/one", nil) },
		"ask two":      func(f *target) { ask(f, "1", "http://a/two", &response{Status: 302}) },
		"upgrade":      func(f *target) { ask(f, "1", "https://a/two", &response{Status: 307}) },
		"sent one":     func(f *target) { f.sentExtra(sentExtraEvent{"1", wire("one")}) },
		"sent two":     func(f *target) { f.sentExtra(sentExtraEvent{"1", wire("two")}) },
		"received one": func(f *target) { f.respondedExtra(responseExtraEvent{"1", wire("one"), 302}) },
		"received two": func(f *target) { f.respondedExtra(responseExtraEvent{"1", wire("two"), 200}) },
		"answer two": func(f *target) {
			f.responded(responseEvent{RequestID: "1", HasExtra: true, Response: response{Status: 200, Headers: wire("browser")}})
		},
	}
	for _, order := range [][]string{
		{"ask one", "sent one", "received one", "ask two", "sent two", "received two", "answer two"},
		{"sent one", "ask one", "ask two", "answer two", "received one", "sent two", "received two"},
		{"sent one", "received one", "ask one", "ask two", "received two", "sent two", "answer two"},
		{"ask one", "upgrade", "sent two", "answer two", "received two"},
	} {
		f := follower()
		for _, step := range order {
			steps[step](f)
		}
		hops, _ := f.Recent()
		require.Len(t, hops, 2, order)
		require.Equal(t, []Header{{"X-Hop", "two"}}, hops[0].SentHeaders(), order)
		require.Equal(t, []Header{{"X-Hop", "two"}}, hops[0].ReceivedHeaders(), order)
		require.Equal(t, 200, hops[0].WireStatus, order)
		if order[1] != "upgrade" {
			require.Equal(t, []Header{{"X-Hop", "one"}}, hops[1].SentHeaders(), order)
			require.Equal(t, []Header{{"X-Hop", "one"}}, hops[1].ReceivedHeaders(), order)
		}
		require.Equal(t, [2]int{hops[0].Previous, hops[1].Next}, [2]int{1, 2}, order)
		require.Empty(t, f.early.Entries(), order)
		require.Zero(t, f.early.Bytes(), order)
	}
}

func TestSourceIsDecidedInOrder(t *testing.T) {
	for want, r := range map[string]Request{
		"":                                    {},
		SourceNetwork:                         {Status: 200, WireStatus: 200},
		sourceRevalidated:                     {Status: 200, WireStatus: 304},
		sourceDiskCache:                       {Status: 200, from: origin{disk: true}},
		sourcePrefetch:                        {Status: 200, from: origin{disk: true, prefetch: true}},
		SourceMemoryCache:                     {Status: 200, from: origin{disk: true, worker: true, memory: true}},
		sourceInline:                          {Status: 200, URL: "data:,x"},
		"service worker (network)":            {Status: 200, from: origin{worker: true, workerSource: "network"}},
		`service worker (cache-storage "v1")`: {Status: 200, from: origin{disk: true, worker: true, workerSource: "cache-storage", cacheName: "v1"}},
	} {
		require.Equal(t, want, r.Source())
	}
	asked := Request{Status: 304, WireStatus: 304} // by a page that revalidates itself
	require.Equal(t, SourceNetwork, asked.Source())
}

func TestMaskedHidesValuesOnly(t *testing.T) {
	for value, want := range map[Header]string{
		{"Authorization", "Bearer abc def"}:                    "Bearer [hidden]",
		{"authorization", "abc"}:                               "[hidden]",
		{"Proxy-Authorization", "Basic abc"}:                   "Basic [hidden]",
		{"Cookie", "a=1; b=2=3;c"}:                             "a=[hidden]; b=[hidden]; [hidden]",
		{"Set-Cookie", "a=1; Path=/; Expires=Wed, 1 Jan 2031"}: "a=[hidden]; Path=/; Expires=Wed, 1 Jan 2031",
		{"Set-Cookie", "alone"}:                                "[hidden]",
		{"X-Api-Key", "a b"}:                                   "[hidden]",
		{"apikey", "abc"}:                                      "[hidden]",
		{"X-Auth-Token", "abc"}:                                "[hidden]",
		{"X-CSRF-Token", "abc"}:                                "[hidden]",
		{"X-Client-Secret-Id", "abc"}:                          "[hidden]",
		{"X-Amz-Authorization", "a b"}:                         "[hidden]",
		{"Access-Control-Max-Age", "10"}:                       "10",
		{"X-Cookie", "a=1"}:                                    "a=1",
	} {
		require.Equal(t, want, value.Masked().Value, value)
	}
}

func TestExplanation(t *testing.T) {
	for want, r := range map[string]Request{
		"": {Status: 500},
		"net::ERR_CONNECTION_REFUSED: nothing listens on a:1. Start the server, or check the port":      {URL: "http://a:1/x", Failure: "net::ERR_CONNECTION_REFUSED"},
		"net::ERR_FAILED: mixed content: a page of https:// must not load this over http://":            {Failure: "net::ERR_FAILED", blocked: network.BlockedReasonMixedContent},
		"blocked by the page's Content-Security-Policy":                                                 {Failure: blocked, blocked: network.BlockedReasonCsp},
		"net::ERR_BLOCKED_BY_CLIENT: blocked by a rule of this session":                                 {Failure: "net::ERR_BLOCKED_BY_CLIENT", blocked: network.BlockedReasonInspector},
		"net::ERR_BLOCKED_BY_RESPONSE: blocked by Cross-Origin-Resource-Policy (corp-not-same-site)":    {Failure: "net::ERR_BLOCKED_BY_RESPONSE", blocked: network.BlockedReasonCorpNotSameSite},
		`net::ERR_FAILED: blocked by CORS: the preflight does not allow the request header ("x-a")`:     {Failure: "net::ERR_FAILED", cors: &network.CorsErrorStatus{CorsError: network.CorsErrorHeaderDisallowedByPreflightResponse, FailedParameter: "x-a"}},
		"net::ERR_FAILED: blocked by CORS: the preflight's response has no Access-Control-Allow-Origin": {Failure: "net::ERR_FAILED", cors: &network.CorsErrorStatus{CorsError: network.CorsErrorPreflightMissingAllowOriginHeader}},
		"its page was left": {Failure: "its page was left", Cancelled: true},
	} {
		require.Equal(t, want, r.Explanation())
	}
}

// TestRequestsStayWithinTheirBounds, also with events for what is gone.
func TestRequestsStayWithinTheirBounds(t *testing.T) {
	f := follower()
	long := jsonv2.Value(`{"X-Long":"` + fmt.Sprintf("%064000d", 0) + `"}`)
	for i := range 2 * maxRequests {
		id := fmt.Sprint(i)
		ask(f, id, "http://a/"+id, nil)
		f.sentExtra(sentExtraEvent{network.RequestID(id), long})
		f.sentExtra(sentExtraEvent{network.RequestID("never" + id), long[:20]})
	}
	require.LessOrEqual(t, f.entries.Bytes(), maxRequestBytes)
	require.Greater(t, f.entries.Bytes(), maxRequestBytes/2)
	require.Len(t, f.exchanges, len(f.entries.Entries()))
	require.Len(t, f.early.Entries(), maxEarly)
	for i := range 3 * maxStreamMessages {
		f.eventReceived(network.EventEventSourceMessageReceived{RequestID: network.RequestID(fmt.Sprint(2*maxRequests - 1)), Data: fmt.Sprintf("%020000d", i), Timestamp: cdp.MonotonicTime(i)})
	}
	newest, loss := f.Recent()
	found, ok := f.Find(newest[0].Number)
	require.True(t, ok)
	require.Len(t, found.Messages, maxStreamMessages)
	require.Equal(t, 2*maxStreamMessages, found.Dropped)
	require.Len(t, found.Messages[0].Text, maxStreamText+len("…"))
	require.Equal(t, 20000, found.Messages[0].Length)
	require.Positive(t, loss.Requests)
	require.Equal(t, 2*maxRequests-maxEarly, loss.Headers)
	require.LessOrEqual(t, f.entries.Bytes(), maxRequestBytes)
	require.Positive(t, f.Clear())
	require.Empty(t, f.exchanges)
	require.Zero(t, f.entries.Bytes())
	f.loadingFinished(network.EventLoadingFinished{RequestID: "1"})
}

// TestRequestsAreChargedForWhatTheyHold: a page can make up a method of any
// length, and its server whatever else there is.
func TestRequestsAreChargedForWhatTheyHold(t *testing.T) {
	f := follower()
	long := strings.Repeat("x", 100*maxWord)
	sent := sentEvent{RequestID: "1"}
	sent.Request.Method, sent.Request.URL = long, "http://a/"
	f.sent(sent)
	f.responded(responseEvent{RequestID: "1", Response: response{Status: 200, StatusText: long, MIMEType: long, Protocol: long, CacheName: long}})
	f.loadingFailed(network.EventLoadingFailed{RequestID: "1", ErrorText: long, CorsErrorStatus: &network.CorsErrorStatus{FailedParameter: long}})
	kept, _ := f.Find(1)
	for _, text := range []string{kept.Method, kept.StatusText, kept.MIME, kept.Protocol, kept.from.cacheName, kept.Failure, kept.cors.FailedParameter} {
		require.Len(t, text, maxWord+len("…"))
	}
	require.Equal(t, kept.weight(), f.entries.Bytes())
	require.Greater(t, f.entries.Bytes(), 7*maxWord)
}

// TestEarlyHeadersAreBounded in bytes: the oldest go, and are told as lost.
func TestEarlyHeadersAreBounded(t *testing.T) {
	f := follower()
	long := jsonv2.Value(`{"X-Long":"` + strings.Repeat("x", maxEarlyBytes/4) + `"}`)
	for i := range 8 {
		f.respondedExtra(responseExtraEvent{network.RequestID(fmt.Sprint(i)), long, 200})
	}
	require.LessOrEqual(t, f.early.Bytes(), maxEarlyBytes)
	ask(f, "7", "http://a/", nil)
	newest, loss := f.Recent()
	require.Len(t, newest[0].ReceivedHeaders(), 1)
	require.Equal(t, 5, loss.Headers)
	f.respondedExtra(responseExtraEvent{"7", long, 200}) // of a hop to come
	require.Equal(t, f.find(1).weight(), f.entries.Bytes())
	require.Greater(t, f.entries.Bytes(), 2*len(long))
	f.closed()
	require.Zero(t, f.early.Bytes())
}
