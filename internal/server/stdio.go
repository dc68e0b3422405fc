package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tools"
)

// Bounds of a conversation over lines.
const (
	maxLine   = 64 << 20                // bytes of one message
	maxOutbox = 1000                    // messages that a client has not read yet
	maxUnread = 64 << 20                // bytes of them; one more message may pass
	drain     = 1500 * time.Millisecond // for calls under way when the client closes its end
)

// errCancelled ends a call that the client has cancelled.
var errCancelled = fault.New(fault.Cancelled, "the client cancelled the call")

// errHungUp ends the calls of a client that has gone.
var errHungUp = errors.New("the client has gone")

var lastConversation atomic.Int64

// ServeLines speaks with one client over newline-delimited messages until in
// ends, out breaks, or ctx ends. Every request has a goroutine of its own, so
// that none delays another; the calls that drive the browser stand in one line
// per session, in the order in which they arrived. It returns when the client's
// session is gone.
func (s *Server) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	id := fmt.Sprintf("client-%d", lastConversation.Add(1))
	ctx, hangUp := context.WithCancelCause(ctx)
	defer hangUp(errHungUp)
	c := &conversation{
		server: s, client: newClient(id), out: out, outbox: make(chan []byte, maxOutbox), hangUp: hangUp,
		session: s.sessions.Open(id), calls: map[string]*call{},
	}
	defer s.sessions.Close(id)
	if err := s.mcp.RegisterSession(ctx, c.client); err != nil {
		return fmt.Errorf("registering the client: %w", err)
	}
	defer s.mcp.UnregisterSession(ctx, id)

	ended := make(chan error, 1)
	go func() { ended <- c.read(withSession(s.mcp.WithContext(ctx, c.client), c.session), in) }()
	go c.notify(ctx)
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.write()
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		if err = context.Cause(ctx); errors.Is(err, context.Canceled) {
			err = nil // the process was told to end
		}
	}
	c.finish(ctx)
	c.flush(written)
	return err
}

// flush lets what has been answered go out, to a client that reads it.
func (c *conversation) flush(written <-chan struct{}) {
	c.mu.Lock()
	c.closed = true
	close(c.outbox)
	c.mu.Unlock()
	select {
	case <-written:
	case <-time.After(drain / 3):
	}
}

// A conversation is one client at the other end of two streams.
type conversation struct {
	server  *Server
	client  *client
	session *session.Session
	hangUp  context.CancelCauseFunc

	out    io.Writer
	outbox chan []byte
	unread atomic.Int64 // bytes in the outbox

	mu     sync.Mutex
	calls  map[string]*call // under way, by the JSON of their id
	work   sync.WaitGroup
	ending bool // no request is begun any more
	closed bool // nothing is sent any more
}

// A call is a request that has not been answered.
type call struct {
	cancel    context.CancelCauseFunc
	cancelled bool // by the client: no answer is sent
}

// finish lets the calls under way end by themselves for a moment, then ends them.
func (c *conversation) finish(ctx context.Context) {
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
	done := make(chan struct{})
	go func() {
		c.work.Wait()
		close(done)
	}()
	select {
	case <-done:
		return
	case <-ctx.Done():
	case <-time.After(drain):
	}
	c.hangUp(errHungUp)
	select {
	case <-done:
	case <-time.After(drain / 3): // a call that does not obey must not keep the server
	}
}

func (c *conversation) read(ctx context.Context, in io.Reader) error {
	reader := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(reader)
		switch {
		case errors.Is(err, errLineTooLong):
			c.refuse(nil, mcp.INVALID_REQUEST, err.Error())
			continue
		case len(bytes.TrimSpace(line)) > 0:
			c.receive(ctx, line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading from the client: %w", err)
		}
	}
}

var errLineTooLong = fmt.Errorf("a message may have at most %d bytes", maxLine)

// readLine gives the next line without bound on the reader's buffer; one that
// is too long is read past.
func readLine(r *bufio.Reader) (line []byte, err error) {
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && err == nil:
			return nil, errLineTooLong
		default:
			return line, err
		}
	}
}

// An envelope is what the loop itself must know of a message.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			ProgressToken json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

// receive routes a message. It does nothing that could hold up the next one.
func (c *conversation) receive(ctx context.Context, line []byte) {
	var e envelope
	switch err := json.Unmarshal(line, &e); {
	case !json.Valid(line):
		c.refuse(nil, mcp.PARSE_ERROR, "the message is not valid JSON")
		return
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")):
		c.refuse(nil, mcp.INVALID_REQUEST, "batches are not supported; send one message a line")
		return
	case err != nil && e.ID == nil && e.Method == "":
		c.refuse(nil, mcp.INVALID_REQUEST, "the message is not a JSON-RPC request")
		return
	}
	isRequest := len(e.ID) > 0 && string(e.ID) != "null"
	if isRequest && (e.ID[0] == '{' || e.ID[0] == '[' || !utf8.Valid(e.ID)) {
		c.refuse(nil, mcp.INVALID_REQUEST, "an id is a number or a string")
		return
	}
	switch {
	case e.Method == "notifications/cancelled":
		c.cancel(string(e.Params.RequestID))
	case !isRequest:
		c.server.mcp.HandleMessage(ctx, line)
	case e.Method == "":
		// an answer to a request of ours that nobody waits for any more
	case e.Method == string(mcp.MethodInitialize):
		c.answer(ctx, e, line, func() {}) // in order: what follows relies on it
	default:
		c.begin(ctx, e, line)
	}
}

// begin carries out a request on a goroutine of its own. Its turn is taken
// here, in the order of arrival.
func (c *conversation) begin(ctx context.Context, e envelope, line []byte) {
	id := string(e.ID)
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	if c.ending {
		c.mu.Unlock()
		cancel(nil)
		return
	}
	_, taken := c.calls[id]
	if !taken {
		c.calls[id] = &call{cancel: cancel}
		c.work.Add(1)
	}
	c.mu.Unlock()
	if taken {
		cancel(nil)
		c.refuse(e.ID, mcp.INVALID_REQUEST, "a request with this id is under way")
		return
	}
	over := func() {}
	if e.Method == string(mcp.MethodToolsCall) {
		ctx = context.WithValue(ctx, argumentsKey{}, e.Params.Arguments)
		if turn := c.server.turnFor(c.session, e.Params.Name); turn != nil {
			ctx, over = session.WithTurn(ctx, turn), turn.Done
		}
	}
	go func() {
		defer c.work.Done()
		defer cancel(nil)
		c.answer(ctx, e, line, over)
	}()
}

// cancel ends a call, whether it runs or is still queued.
func (c *conversation) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if under := c.calls[id]; under != nil {
		under.cancelled = true
		under.cancel(errCancelled)
	}
}

// answer carries out a request and sends its answer, unless it was cancelled.
// over is called between the two: a client that reads slowly holds up no tab.
func (c *conversation) answer(ctx context.Context, e envelope, line []byte, over func()) {
	if len(e.Params.Meta.ProgressToken) > 0 {
		ctx = withProgress(ctx, func(seconds float64, message string) {
			c.send(progressMessage(e.Params.Meta.ProgressToken, seconds, message))
		})
	}
	response := c.handle(ctx, e, line)
	over()
	c.mu.Lock()
	under := c.calls[string(e.ID)]
	delete(c.calls, string(e.ID))
	c.mu.Unlock()
	if under != nil && under.cancelled {
		return
	}
	switch r := response.(type) {
	case mcp.JSONRPCResponse:
		c.send(message{Version: r.JSONRPC, ID: e.ID, Result: r.Result})
	case mcp.JSONRPCError:
		c.send(message{Version: r.JSONRPC, ID: e.ID, Error: r.Error})
	case nil:
	default:
		c.send(r)
	}
}

func (c *conversation) handle(ctx context.Context, e envelope, line []byte) (response mcp.JSONRPCMessage) {
	defer func() {
		if p := recover(); p != nil {
			c.server.log.Error("panic in a request", "method", e.Method, "panic", p)
			response = refusal(mcp.INTERNAL_ERROR, "the server failed at this request and has logged it")
		}
	}()
	if name := e.Params.Name; e.Method == string(mcp.MethodToolsCall) && name != "" {
		if _, ok := tools.Find(c.server.offered, name); !ok {
			return refusal(mcp.INVALID_PARAMS, tools.NotOffered(c.server.cfg, c.server.offered, name).Error())
		}
	}
	return c.server.mcp.HandleMessage(ctx, line)
}

// refusal is the protocol's error.
func refusal(code int, text string) mcp.JSONRPCError {
	return mcp.JSONRPCError{JSONRPC: mcp.JSONRPC_VERSION, Error: mcp.JSONRPCErrorDetails{Code: code, Message: text}}
}

// A message is an answer with the id as the client wrote it: as a number it
// could lose digits.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

func (c *conversation) refuse(id json.RawMessage, code int, text string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	r := refusal(code, text)
	c.send(message{Version: r.JSONRPC, ID: id, Error: r.Error})
}

// send queues one message as one line. A client that reads nothing for so long
// that the queue is full is taken for gone: the reader must never wait for it.
func (c *conversation) send(m any) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // otherwise an id would come back changed
	if err := encoder.Encode(m); err != nil {
		c.server.log.Error("encoding a message", "error", err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	if c.unread.Load() < maxUnread {
		select {
		case c.outbox <- line.Bytes():
			c.unread.Add(int64(line.Len()))
			return
		default:
		}
	}
	c.server.log.Warn("the client reads no answers; it is taken for gone")
	c.hangUp(context.Canceled)
}

// write is the only writer.
func (c *conversation) write() {
	for line := range c.outbox {
		c.unread.Add(-int64(len(line)))
		if _, err := c.out.Write(line); err != nil {
			c.server.log.Info("the client has closed its end", "error", err)
			c.hangUp(context.Canceled)
			for range c.outbox { // nobody will read the rest
			}
			return
		}
	}
}

// notify sends what the protocol library has to tell the client by itself.
func (c *conversation) notify(ctx context.Context) {
	for {
		select {
		case n := <-c.client.notifications:
			c.send(n)
		case <-ctx.Done():
			return
		}
	}
}
