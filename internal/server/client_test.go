package server

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience bounds what a test waits for; no test waits that long unless it fails.
const patience = 60 * time.Second

// A peer is the client's end of a conversation with a server, on plain lines.
type peer struct {
	t   *testing.T
	in  *io.PipeWriter
	end func()

	mu     sync.Mutex
	lastID int
	lines  []string // everything that the server sent
	notes  []wire
	wait   map[string]chan wire
	gone   chan struct{}
	served chan error
}

// wire is any message of the server.
type wire struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// An answer is the result of a tool call.
type answer struct {
	Content []struct {
		Type, Text, Data, MIMEType, URI, Name string
		Size                                  int64
	} `json:"content"`
	IsError bool `json:"isError"`
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

// image is the answer's picture, decoded.
func (a answer) image(t *testing.T) (data []byte, mime string) {
	t.Helper()
	for _, c := range a.Content {
		if c.Type == "image" {
			data, err := base64.StdEncoding.DecodeString(c.Data)
			require.NoError(t, err)
			return data, c.MIMEType
		}
	}
	require.Fail(t, "the answer has no image", a.text())
	return nil, ""
}

// link is the URI of the file that the answer links, "" without one.
func (a answer) link() string {
	for _, c := range a.Content {
		if c.Type == "resource_link" {
			return c.URI
		}
	}
	return ""
}

// connect opens a conversation that ends with the test, and says hello.
func connect(t *testing.T, s *Server) *peer {
	t.Helper()
	p := dial(t, s)
	p.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

// dial opens a conversation without a word.
func dial(t *testing.T, s *Server) *peer {
	t.Helper()
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &peer{t: t, in: in, wait: map[string]chan wire{}, gone: make(chan struct{}), served: make(chan error, 1)}
	var wg sync.WaitGroup
	wg.Go(func() {
		p.served <- s.ServeLines(ctx, fromClient, toClient)
		_ = fromClient.Close()
		_ = toClient.Close()
	})
	wg.Go(func() { p.read(out) })
	p.end = func() {
		_ = in.Close()
		cancel()
		wg.Wait()
	}
	t.Cleanup(p.end)
	return p
}

func (p *peer) read(out io.Reader) {
	defer close(p.gone)
	reader := bufio.NewReader(out)
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			return
		}
		var m wire
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			p.t.Errorf("the server sent something that is no message: %q", line)
			return
		}
		p.mu.Lock()
		p.lines = append(p.lines, line)
		waiting := p.wait[string(m.ID)]
		delete(p.wait, string(m.ID))
		if waiting == nil {
			p.notes = append(p.notes, m)
		}
		p.mu.Unlock()
		if waiting != nil {
			waiting <- m
		}
	}
}

// send writes one line.
func (p *peer) send(line string) {
	p.t.Helper()
	_, err := io.WriteString(p.in, line+"\n")
	require.NoError(p.t, err)
}

// expect registers for the answer to an id before the request is sent.
func (p *peer) expect(id string) <-chan wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	ch := make(chan wire, 1)
	p.wait[id] = ch
	return ch
}

// start sends a request and gives its id and the channel of its answer.
func (p *peer) start(method string, params any) (id string, reply <-chan wire) {
	p.t.Helper()
	p.mu.Lock()
	p.lastID++
	id = fmt.Sprint(p.lastID)
	p.mu.Unlock()
	raw, err := json.Marshal(params)
	require.NoError(p.t, err)
	reply = p.expect(id)
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, raw))
	return id, reply
}

func (p *peer) receive(reply <-chan wire) wire {
	p.t.Helper()
	select {
	case m := <-reply:
		return m
	case <-p.gone:
		require.Fail(p.t, "the server hung up")
	case <-time.After(patience):
		require.Fail(p.t, "no answer")
	}
	return wire{}
}

func (p *peer) request(method string, params any) wire {
	p.t.Helper()
	_, reply := p.start(method, params)
	return p.receive(reply)
}

// startCall sends a tool call.
func (p *peer) startCall(tool string, arguments any) (id string, reply <-chan wire) {
	p.t.Helper()
	if text, ok := arguments.(string); ok {
		arguments = json.RawMessage(text)
	}
	return p.start("tools/call", map[string]any{"name": tool, "arguments": arguments})
}

func (p *peer) answer(m wire) answer {
	p.t.Helper()
	require.Nil(p.t, m.Error, "protocol error")
	var a answer
	require.NoError(p.t, json.Unmarshal(m.Result, &a))
	return a
}

// call makes a tool call; arguments are JSON or a value.
func (p *peer) call(tool string, arguments any) answer {
	p.t.Helper()
	_, reply := p.startCall(tool, arguments)
	return p.answer(p.receive(reply))
}

// must makes a call that has to succeed, and gives its text.
func (p *peer) must(tool string, arguments any) string {
	p.t.Helper()
	a := p.call(tool, arguments)
	require.False(p.t, a.IsError, "%s: %s", tool, a.text())
	return a.text()
}

// fails makes a call that has to fail, and gives its text.
func (p *peer) fails(tool string, arguments any) string {
	p.t.Helper()
	a := p.call(tool, arguments)
	require.True(p.t, a.IsError, "%s succeeded: %s", tool, a.text())
	return a.text()
}

// eval gives the JSON value of an expression.
func (p *peer) eval(expression string) string {
	p.t.Helper()
	text := p.must("browser_eval", map[string]any{"expression": expression})
	_, value, _ := strings.Cut(text, "<javascript_result>")
	value, _, _ = strings.Cut(value, "</javascript_result>")
	return value
}
