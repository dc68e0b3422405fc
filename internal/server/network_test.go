package server

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUntrustedCertificateIsTold: the certificate of the site is its own.
func TestUntrustedCertificateIsTold(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	p.must("browser_eval", map[string]any{"expression": "fetch('" + secure.URL + "/').catch(() => {})"})
	require.Contains(t, p.must("browser_recent_network_requests", `{"failed": true}`),
		"net::ERR_CERT_AUTHORITY_INVALID: the certificate of "+strings.TrimPrefix(secure.URL, "https://")+" is not trusted")
}

// TestBodiesCostNoPageToAnswer: a dialog or a script that runs on keeps nobody
// from reading what has arrived.
func TestBodiesCostNoPageToAnswer(t *testing.T) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	for range 2 { // the very first document can come before the browser keeps bodies
		p.must("browser_navigate", map[string]any{"url": site.url})
	}
	p.must("browser_eval", `{"expression": "(await fetch('/cached/it.js')).text()"}`)
	p.fails("browser_eval", `{"expression": "alert('stop')"}`)
	require.Contains(t, p.must("browser_network_request", `{"id": 3, "part": "response"}`), "/* cached it.js */")
	p.must("browser_handle_dialog", `{"accept": true}`)
	_, busy := p.startCall("browser_eval", `{"expression": "for (;;);", "timeout": "3s"}`)
	require.Contains(t, p.must("browser_network_request", `{"id": 3, "part": "response"}`), "/* cached it.js */")
	require.True(t, p.answer(p.receive(busy)).IsError)
}

// TestLargeBodyIsRefused instead of being carried through the server.
func TestLargeBodyIsRefused(t *testing.T) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	require.Equal(t, "20000000", p.eval("(await (await fetch('/gzip/20000000')).text()).length"))
	a := p.call("browser_network_request", `{"id": 2, "part": "response"}`)
	require.Equal(t, "ERR_NOT_KEPT", a.Meta.Code)
	require.Contains(t, a.text(), "#2 has 20000000 bytes, more than the 10485760 that are fetched")
}

// TestManyMessagesKeepTheNewest of a connection, and tell of the others.
func TestManyMessagesKeepTheNewest(t *testing.T) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	p.eval(`await new Promise((done) => {
		const socket = new WebSocket('ws://' + location.host + '/socket');
		socket.onopen = () => { for (let i = 1; i <= 1000; i++) socket.send('message ' + i) };
		socket.onmessage = (m) => m.data == 'message 1000' && done();
	})`)
	a := p.call("browser_network_request", `{"id": 2, "part": "response"}`)
	require.Regexp(t, `200 message\(s\), newest first\. 1800 older ones were dropped\.`, p.readResource(a.link()))
	require.LessOrEqual(t, len(a.text()), 4096)
	require.Contains(t, a.text(), "received text, 12 B: message 1000")
}

// TestLeftPageLeavesNothingOpen, be it thrown away or kept for coming back.
func TestLeftPageLeavesNothingOpen(t *testing.T) {
	site := servePage(t, `<script>fetch('/hang?' + location.search).catch(() => {})</script>`)
	p := connect(t, newTestServer(t, nil))
	for _, url := range []string{site.url + "/?1", site.url + "/?2", site.other + "/?3", "about:blank"} {
		p.must("browser_navigate", map[string]any{"url": url, "wait_until": "domcontentloaded"})
		p.eval("await new Promise((r) => setTimeout(r)); 1")
	}
	p.must("browser_history", `{"action": "back"}`)
	p.must("browser_navigate", `{"url": "about:blank"}`)
	p.must("browser_navigate", map[string]any{"url": site.url + "/?4", "wait_until": "domcontentloaded"})
	p.eval(`await new Promise((r) => {
		const worker = new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/hang?worker'); postMessage(1)"])));
		worker.onmessage = () => { worker.terminate(); r() };
	})`)
	p.must("browser_navigate", `{"url": "about:blank"}`)
	text := p.must("browser_recent_network_requests", `{"url": "/hang"}`)
	require.Contains(t, text, "/hang?worker (worker)")
	require.NotContains(t, text, "pending")
	require.Contains(t, text, "GET cancelled Fetch")
	require.Contains(t, p.must("browser_recent_network_requests", `{"failed": true}`), "None of the")
}
