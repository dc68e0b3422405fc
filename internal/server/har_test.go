package server

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/config"
)

// An archive is what of a HAR this test reads.
type archive struct {
	Log struct {
		Version string
		Pages   []struct {
			ID, Title   string
			PageTimings struct{ OnContentLoad, OnLoad float64 }
		}
		Entries []struct {
			Pageref string
			Time    float64
			Request struct {
				Method, URL string
				Headers     []struct{ Name, Value string }
				Cookies     []struct{ Name, Value string }
				QueryString []struct{ Name, Value string }
				PostData    struct{ MimeType, Text string }
			}
			Response struct {
				Status      int
				RedirectURL string
				Cookies     []struct{ Name, Value string }
				Content     struct {
					Size                     int
					MimeType, Text, Encoding string
				}
			}
			Timings   struct{ Blocked, DNS, Connect, Send, Wait, Receive, SSL float64 }
			Initiator struct {
				Type, URL string
				Request   int `json:"_request"`
			} `json:"_initiator"`
			Number   int                           `json:"_number"`
			Source   string                        `json:"_source"`
			Error    string                        `json:"_error"`
			Messages []struct{ Type, Data string } `json:"_webSocketMessages"`
		}
	}
}

func TestArchiveHoldsWhatHappened(t *testing.T) {
	site := servePage(t, `<img src="/dot.png"><script>
onload = async () => {
  await (await fetch('/login?q=a%20b&q=c')).text();
  await (await fetch('/echo', {method: 'POST', body: 'sent <text>', headers: {Authorization: 'Bearer top' + 'sec' + 'ret'}})).text();
  await fetch('/reset').catch(() => {});
  const socket = new WebSocket('ws://' + location.host + '/socket');
  await new Promise((r) => { socket.onopen = () => socket.send('over the wire'); socket.onmessage = r });
  document.title = 'done';
};</script>`)
	p := connect(t, newTestServer(t, func(cfg *config.Config) { cfg.Tools.Sets = []string{"all"} }))
	p.must("browser_navigate", map[string]any{"url": "about:blank"})
	p.must("browser_navigate", map[string]any{"url": site.url + "/redirect/"})
	require.Equal(t, `"done"`, p.eval(`new Promise((r) => setInterval(() => document.title == 'done' && r('done'), 10))`))
	require.NotContains(t, p.readResource(p.call("browser_export_har", `{}`).link()), "sent <text>")
	raw := p.readResource(p.call("browser_export_har", `{"bodies": true}`).link())
	require.NotContains(t, raw, "secret")

	var har archive
	require.NoError(t, json.Unmarshal([]byte(raw), &har))
	log := har.Log
	require.Equal(t, "1.2", log.Version)
	require.Len(t, log.Pages, 1)
	require.Equal(t, site.url+"/", log.Pages[0].Title)
	require.Greater(t, log.Pages[0].PageTimings.OnContentLoad, 0.0)
	require.GreaterOrEqual(t, log.Pages[0].PageTimings.OnLoad, log.Pages[0].PageTimings.OnContentLoad)
	require.Len(t, log.Entries, 7)
	for i, e := range log.Entries {
		require.Equal(t, i+1, e.Number)
		require.Equal(t, log.Pages[0].ID, e.Pageref, "#%d", e.Number)
		sum := e.Timings.Send + e.Timings.Wait + e.Timings.Receive
		for _, part := range []float64{e.Timings.Blocked, e.Timings.DNS, e.Timings.Connect} {
			sum += max(part, 0)
		}
		require.InDelta(t, e.Time, sum, 0.01)
	}
	hop, document, picture, login, echo, reset, socket := log.Entries[0], log.Entries[1], log.Entries[2], log.Entries[3], log.Entries[4], log.Entries[5], log.Entries[6]
	require.Equal(t, 302, hop.Response.Status)
	require.Equal(t, "/", hop.Response.RedirectURL)
	require.Equal(t, "redirect", document.Initiator.Type)
	require.Equal(t, hop.Number, document.Initiator.Request)
	require.Contains(t, document.Response.Content.Text, "<title>Test</title>")
	require.Equal(t, "parser", picture.Initiator.Type)
	require.Equal(t, "base64", picture.Response.Content.Encoding)
	data, err := base64.StdEncoding.DecodeString(picture.Response.Content.Text)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(data), "\x89PNG"))
	require.Equal(t, picture.Response.Content.Size, len(data))
	require.Equal(t, "[{q a b} {q c}]", fmt.Sprint(login.Request.QueryString))
	require.Equal(t, "[{sid [hidden]} {theme [hidden]}]", fmt.Sprint(login.Response.Cookies))
	require.Equal(t, "sent <text>", echo.Request.PostData.Text)
	require.Equal(t, "sent <text>", echo.Response.Content.Text)
	require.Len(t, echo.Request.Cookies, 2)
	require.Contains(t, reset.Error, "net::ERR_EMPTY_RESPONSE")
	require.Equal(t, 101, socket.Response.Status)
	require.Equal(t, "[{send over the wire} {receive over the wire}]", fmt.Sprint(socket.Messages))
}
