package server

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/tool"
)

func TestInitializeNegotiates(t *testing.T) {
	s := newTestServer(t, nil)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		p := dial(t, s)
		m := p.request("initialize", map[string]any{"protocolVersion": version, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
		var hello struct {
			ProtocolVersion, Instructions string
			ServerInfo                    struct{ Name string }
		}
		require.NoError(t, json.Unmarshal(m.Result, &hello))
		require.Equal(t, version, hello.ProtocolVersion)
		require.Equal(t, "browser-mcp", hello.ServerInfo.Name)
		require.NotEmpty(t, hello.Instructions)
		require.LessOrEqual(t, len(hello.Instructions), 1200)
	}
}

func TestToolsListFitsItsBudget(t *testing.T) {
	p := connect(t, newTestServer(t, nil))
	m := p.request("tools/list", map[string]any{})
	require.LessOrEqual(t, len(m.Result), 14000)
	t.Logf("tools/list: %d bytes", len(m.Result))
	var list struct {
		Tools []struct {
			Name, Title string
			Annotations map[string]bool
		}
	}
	require.NoError(t, json.Unmarshal(m.Result, &list))
	require.NotEmpty(t, list.Tools)
	for _, tool := range list.Tools {
		require.NotEmpty(t, tool.Title)
		require.Len(t, tool.Annotations, 4, "%s: all four hints", tool.Name)
	}
}

func TestBadLinesEndNothing(t *testing.T) {
	p := connect(t, newTestServer(t, nil))
	for line, said := range map[string]string{
		`{`:          "not valid JSON",
		`nonsense`:   "not valid JSON",
		"\xff\xfe{}": "not valid JSON",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`: "batches are not supported",
		`42`:     "not a JSON-RPC request",
		`"text"`: "not a JSON-RPC request",
	} {
		reply := p.expect("null")
		p.send(line)
		m := p.receive(reply)
		require.NotNil(t, m.Error, line)
		require.Contains(t, m.Error.Message, said, line)
	}
	p.send("")
	p.send("   ")
	p.send(`{"jsonrpc":"2.0","method":"notifications/unknown"}`)
	p.send(`{"jsonrpc":"2.0","id":77,"result":{}}`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}`)
	require.NotNil(t, p.request("no/such/method", map[string]any{}).Error)
	require.NotNil(t, p.request("tools/call", map[string]any{"name": "no_such_tool"}).Error)
	require.NotNil(t, p.request("tools/call", map[string]any{"name": 5}).Error)
	require.NotNil(t, p.request("resources/read", map[string]any{"uri": "browser-mcp://files/none"}).Error)
	require.Contains(t, p.fails("browser_resize", `[1, 2]`), "not an object")
	require.Nil(t, p.request("ping", map[string]any{}).Error)
}

func TestLongLinesEndNothing(t *testing.T) {
	p := connect(t, newTestServer(t, nil))
	long := strings.Repeat("x", 20<<20)
	require.Contains(t, p.fails("read_image", map[string]any{"path": long}), "read")
	reply := p.expect("null")
	p.send(`{"jsonrpc":"2.0","id":5,"method":"` + strings.Repeat("x", maxLine) + `"}`)
	require.Contains(t, p.receive(reply).Error.Message, "at most")
	require.Nil(t, p.request("ping", map[string]any{}).Error)
}

func TestIDsComeBackAsTheyWere(t *testing.T) {
	p := connect(t, newTestServer(t, nil))
	for _, id := range []string{`9007199254740993`, `"text"`, `"<&>"`, `-1`, `1.5`} {
		reply := p.expect(id)
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id))
		require.Nil(t, p.receive(reply).Error, id)
	}
}

func TestPingAndReadsPassALongWait(t *testing.T) {
	site := servePage(t, `<script>console.log('there')</script><button id=b onclick="console.log('clicked')">b</button>`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	id, wait := p.startCall("browser_wait_for_selector", `{"selector": "#never", "timeout": "5m"}`)
	require.Nil(t, p.request("ping", map[string]any{}).Error)
	require.Contains(t, p.must("browser_recent_console_logs", `{}`), "there")
	require.Contains(t, p.must("browser_click", `{"selector": "#b"}`), "Clicked")
	require.Equal(t, "2", p.eval("1 + 1"))
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
	require.Equal(t, "3", p.eval("1 + 2"))
	requireSilent(t, p, wait)
}

// requireSilent checks that a cancelled call was sent no answer: it would have
// come before the answer to a later ping.
func requireSilent(t *testing.T, p *peer, reply <-chan wire) {
	t.Helper()
	require.Nil(t, p.request("ping", map[string]any{}).Error)
	select {
	case m := <-reply:
		require.Fail(t, "a cancelled call was answered", string(m.Result))
	default:
	}
}

func TestCancelLeavesTheTabUsable(t *testing.T) {
	site := servePage(t, `<p id=x>text`)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	for tool, arguments := range map[string]string{
		"browser_eval":     `{"expression": "while (true) {}", "timeout": "5m"}`,
		"browser_navigate": `{"url": "` + site.url + `/hang", "timeout": "5m"}`,
		"browser_click":    `{"selector": "#never", "wait": true, "timeout": "5m"}`,
	} {
		id, running := p.startCall(tool, arguments)
		// queued behind it, and cancelled while it waits there
		queuedID, queued := p.startCall("browser_eval", `{"expression": "window.ran = true"}`)
		for _, cancelled := range []string{queuedID, id} {
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + cancelled + `}}`)
		}
		require.Equal(t, "undefined", p.eval("window.ran"), tool)
		require.Equal(t, `"text"`, p.eval("x.textContent"), tool)
		requireSilent(t, p, running)
		requireSilent(t, p, queued)
	}
}

func TestPipelinedActionsKeepTheirOrder(t *testing.T) {
	site := servePage(t, `<title>Order</title>`)
	p := connect(t, newTestServer(t, nil))
	_, first := p.startCall("browser_navigate", map[string]any{"url": site.url})
	var replies []<-chan wire
	const n = 30
	for i := range n {
		_, reply := p.startCall("browser_eval", map[string]any{"expression": fmt.Sprintf("(window.order ??= []).push(%d)", i)})
		replies = append(replies, reply)
	}
	_, look := p.startCall("browser_take_screenshot", `{}`)
	require.False(t, p.answer(p.receive(first)).IsError)
	for i, reply := range replies {
		require.Contains(t, p.answer(p.receive(reply)).text(), fmt.Sprintf(">%d<", i+1))
	}
	require.False(t, p.answer(p.receive(look)).IsError)
}

func TestProgressComesBeforeTheResult(t *testing.T) {
	site := servePage(t, ``)
	p := connect(t, newTestServer(t, nil))
	p.must("browser_navigate", map[string]any{"url": site.url})
	_, reply := p.start("tools/call", map[string]any{
		"name": "browser_wait_for_selector", "arguments": map[string]any{"selector": "#never", "timeout": "5500ms"},
		"_meta": map[string]any{"progressToken": "token-1"},
	})
	result := p.receive(reply)
	require.True(t, p.answer(result).IsError)
	p.mu.Lock()
	defer p.mu.Unlock()
	require.Len(t, p.notes, 1)
	require.Equal(t, "notifications/progress", p.notes[0].Method)
	require.Contains(t, string(p.notes[0].Params), `"progressToken":"token-1"`)
	require.Contains(t, p.lines[len(p.lines)-1], "Timeout after", "the result is the last line")
}

func TestTwoClientsHaveTwoBrowsers(t *testing.T) {
	site := servePage(t, ``)
	s := newTestServer(t, nil)
	one, two := connect(t, s), connect(t, s)
	one.must("browser_navigate", map[string]any{"url": site.url})
	two.must("browser_navigate", map[string]any{"url": site.url})
	one.eval(`document.cookie = "who=one; max-age=100"`)
	require.Equal(t, `""`, two.eval("document.cookie"))
	// a loop in one holds up nothing in the other
	_, loop := one.startCall("browser_eval", `{"expression": "while (true) {}", "timeout": "3s"}`)
	started := time.Now()
	require.Equal(t, "2", two.eval("1 + 1"))
	require.Less(t, time.Since(started), 2*time.Second)
	require.True(t, one.answer(one.receive(loop)).IsError)
}

func TestFilesAreTheSessionsOwn(t *testing.T) {
	site := servePage(t, ``)
	s := newTestServer(t, nil)
	one, two := connect(t, s), connect(t, s)
	one.must("browser_navigate", map[string]any{"url": site.url})
	shot := one.call("browser_take_screenshot", `{}`)
	require.NotEmpty(t, one.readResource(shot.link()))
	m := two.request("resources/read", map[string]any{"uri": shot.link()})
	require.NotNil(t, m.Error, "another client's file")
	require.NotNil(t, one.request("resources/read", map[string]any{"uri": filePrefix + "..%2F..%2Fetc%2Fpasswd"}).Error)
}

// TestListIsTheGoldens: what the golden files show is what clients are told.
func TestListIsTheGoldens(t *testing.T) {
	p := connect(t, newTestServer(t, nil))
	m := p.request("tools/list", map[string]any{})
	var list struct{ Tools []json.RawMessage }
	require.NoError(t, json.Unmarshal(m.Result, &list))
	for _, raw := range list.Tools {
		var tool struct{ Name string }
		require.NoError(t, json.Unmarshal(raw, &tool))
		golden, err := os.ReadFile("../tools/testdata/schemas/" + tool.Name + ".json")
		require.NoError(t, err)
		require.JSONEq(t, string(golden), string(raw))
	}
}

func TestPanicInAToolIsAnError(t *testing.T) {
	s := newTestServer(t, nil)
	broken := s.handler(tool.Tool{Name: "broken"}) // without a function
	result, err := broken(withSession(t.Context(), s.sessions.Open("x")), mcp.CallToolRequest{})
	require.NoError(t, err)
	require.True(t, result.IsError)
	require.Equal(t, "ERR_INTERNAL", result.Meta.AdditionalFields["code"])
}

func TestClientThatReadsNothingHoldsUpNobody(t *testing.T) {
	s := newTestServer(t, nil)
	in, client := io.Pipe()
	out, end := io.Pipe() // nobody reads what is written until it ends
	ended := make(chan error, 1)
	go func() { ended <- s.ServeLines(t.Context(), in, writeOnly{out}) }()
	for range 3 * maxOutbox {
		if _, err := io.WriteString(client, "{bad\n"); err != nil {
			break // it has hung up
		}
	}
	_ = client.Close()
	select {
	case <-ended:
	case <-time.After(patience):
		require.Fail(t, "the server waits for a client that reads nothing")
	}
	_ = in.Close()
	_ = end.Close()
}

// writeOnly blocks every write until the test has ended.
type writeOnly struct{ *io.PipeReader }

func (w writeOnly) Write([]byte) (int, error) {
	_, err := w.Read(make([]byte, 1))
	return 0, err
}
