//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A peer is a client on plain lines. Each line that is no message of the
// protocol fails the test.
type peer struct {
	t       *testing.T
	in, out *os.File
	stderr  string // the file that the server logs into

	reading sync.Mutex  // who holds it stops the client from reading on
	tears   atomic.Bool // the last line may be a part of one

	mu     sync.Mutex
	lastID int
	wait   map[string]chan wire
	gone   chan struct{} // closed when the server's output has ended
}

// wire is any message of the server.
type wire struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// An answer is the result of a tool call.
type answer struct {
	Content []struct{ Type, Text, Data, MIMEType, URI, Description string } `json:"content"`
	IsError bool                                                            `json:"isError"`
	Meta    struct {
		Code string `json:"code"`
	} `json:"_meta"`
}

// text is the answer's text.
func (a answer) text() string {
	for _, c := range a.Content {
		if c.Type == "text" {
			return c.Text
		}
	}
	return ""
}

// link is the address and the path of the file that the answer links.
func (a answer) link() (uri, path string) {
	for _, c := range a.Content {
		if c.Type == "resource_link" {
			return c.URI, c.Description
		}
	}
	return "", ""
}

// picture describes the answer's image: "image/png 1280x720".
func (a answer) picture() string {
	for _, c := range a.Content {
		if c.Type == "image" {
			return describePicture(c.MIMEType, c.Data)
		}
	}
	return "no picture"
}

func describePicture(mime, data string) string {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return err.Error()
	}
	cfg, format, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return err.Error()
	}
	if mime != "image/"+format {
		return fmt.Sprintf("%s called %s", format, mime)
	}
	return fmt.Sprintf("%s %dx%d", mime, cfg.Width, cfg.Height)
}

func newPeer(t *testing.T, in, out *os.File, stderr string) *peer {
	p := &peer{t: t, in: in, out: out, stderr: stderr, wait: map[string]chan wire{}, gone: make(chan struct{})}
	go p.read()
	return p
}

func (p *peer) read() {
	defer close(p.gone)
	reader := bufio.NewReader(p.out)
	for {
		line, err := reader.ReadBytes('\n')
		var m wire
		switch {
		case err != nil && (len(line) == 0 || p.tears.Load()):
			return
		case json.Unmarshal(line, &m) != nil, m.Version != "2.0", m.Method == "" && m.ID == nil:
			p.t.Errorf("the server wrote something that is no message: %q", line)
			continue
		}
		p.reading.Lock()
		p.mu.Lock()
		if waiting := p.wait[string(m.ID)]; waiting != nil {
			delete(p.wait, string(m.ID))
			waiting <- m
		}
		p.mu.Unlock()
		p.reading.Unlock()
	}
}

// hello does the handshake.
func (p *peer) hello() {
	p.t.Helper()
	p.receive(p.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "e2e", "version": "1"}}))
	_, err := io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	require.NoError(p.t, err)
}

// request sends a request and gives the channel of its answer.
func (p *peer) request(method string, params any) <-chan wire {
	p.t.Helper()
	raw, err := json.Marshal(params)
	require.NoError(p.t, err)
	reply := make(chan wire, 1)
	p.mu.Lock()
	p.lastID++
	id := p.lastID
	p.wait[fmt.Sprint(id)] = reply
	p.mu.Unlock()
	_, err = fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, raw)
	require.NoError(p.t, err)
	return reply
}

func (p *peer) receive(reply <-chan wire) wire {
	p.t.Helper()
	select {
	case m := <-reply:
		require.Empty(p.t, string(m.Error), "protocol error")
		return m
	case <-p.gone:
		require.Fail(p.t, "the server hung up", p.log())
	case <-time.After(patience):
		require.Fail(p.t, "no answer", p.log())
	}
	return wire{}
}

// begin sends a tool call.
func (p *peer) begin(tool string, arguments map[string]any) <-chan wire {
	p.t.Helper()
	return p.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
}

// finish waits for the answer to a tool call.
func (p *peer) finish(reply <-chan wire) answer {
	p.t.Helper()
	var a answer
	require.NoError(p.t, json.Unmarshal(p.receive(reply).Result, &a))
	return a
}

func (p *peer) call(tool string, arguments map[string]any) answer {
	p.t.Helper()
	return p.finish(p.begin(tool, arguments))
}

// must makes a call that has to succeed, and gives its text.
func (p *peer) must(tool string, arguments map[string]any) string {
	p.t.Helper()
	a := p.call(tool, arguments)
	require.False(p.t, a.IsError, "%s: %s", tool, a.text())
	return a.text()
}

// log is what the server has logged so far.
func (p *peer) log() string {
	text, _ := os.ReadFile(p.stderr)
	return string(text)
}
