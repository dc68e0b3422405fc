package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// patience bounds every wait; only a broken run waits that long.
const patience = 30 * time.Second

// A server is a spawned browser-mcp with us as its client, on plain lines.
type server struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	started time.Time
	gone    chan struct{} // closed when the server has closed its output

	mu     sync.Mutex
	lastID int64
	wait   map[int64]chan<- reply
}

// A reply is an answer and when its line was complete, before we decoded it.
type reply struct {
	at     time.Time
	ID     int64           `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// spawn starts a server and says hello. Its complaints go to our standard error.
func spawn(binary string, args ...string) (*server, error) {
	s := &server{cmd: exec.Command(binary, args...), gone: make(chan struct{}), wait: map[int64]chan<- reply{}}
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.started = in, time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(out)
	_, err = s.request("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"},
	})
	if err == nil {
		_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

func (s *server) read(out io.Reader) {
	defer close(s.gone)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		r := reply{at: time.Now()}
		if json.Unmarshal(line, &r) != nil {
			fmt.Fprintf(os.Stderr, "bench: the server sent something that is no message: %.200q\n", line)
			return
		}
		s.mu.Lock()
		waiting := s.wait[r.ID]
		delete(s.wait, r.ID)
		s.mu.Unlock()
		if waiting != nil {
			waiting <- r
		}
	}
}

// start sends a request and returns before it is answered.
func (s *server) start(method string, params any) (<-chan reply, error) {
	answered := make(chan reply, 1)
	s.mu.Lock()
	s.lastID++
	id := s.lastID
	s.wait[id] = answered
	s.mu.Unlock()
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	_, err = s.in.Write(append(line, '\n'))
	return answered, err
}

func (s *server) request(method string, params any) (reply, error) {
	answered, err := s.start(method, params)
	if err != nil {
		return reply{}, fmt.Errorf("%s: %w", method, err)
	}
	select {
	case r := <-answered:
		if r.Error != nil {
			return r, fmt.Errorf("%s: %s", method, r.Error)
		}
		return r, nil
	case <-s.gone:
		return reply{}, fmt.Errorf("%s: the server hung up", method)
	case <-time.After(patience):
		return reply{}, fmt.Errorf("%s: no answer within %s", method, patience)
	}
}

// call makes a tool call that has to succeed, and gives the text of its answer
// and the time it took.
func (s *server) call(tool string, arguments map[string]any) (text string, took time.Duration, err error) {
	began := time.Now()
	r, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w", tool, err)
	}
	took = r.at.Sub(began)
	var answer struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	if err := json.Unmarshal(r.Result, &answer); err != nil {
		return "", 0, fmt.Errorf("%s: %w", tool, err)
	}
	for _, c := range answer.Content {
		text += c.Text
	}
	if answer.IsError {
		return "", 0, fmt.Errorf("%s: %s", tool, text)
	}
	return text, took, nil
}

// timed is a call for its time alone.
func (s *server) timed(tool string, arguments map[string]any) (time.Duration, error) {
	_, took, err := s.call(tool, arguments)
	return took, err
}

// eval gives the JSON value of an expression in the page.
func (s *server) eval(expression string) (string, error) {
	text, _, err := s.call("browser_eval", map[string]any{"expression": expression})
	_, value, _ := strings.Cut(text, "<javascript_result>")
	value, _, _ = strings.Cut(value, "</javascript_result>")
	return value, err
}

// end closes the server's standard input and waits until its process is gone.
func (s *server) end() (time.Duration, error) {
	began := time.Now()
	s.in.Close()
	killed := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	<-s.gone // Wait would close the output under the reader
	err := s.cmd.Wait()
	took := time.Since(began)
	if !killed.Stop() {
		return took, errors.Join(fmt.Errorf("the server did not end within %s", patience), err)
	}
	return took, err
}

// memory is the server's resident memory in kB, of its process alone; only
// Linux tells.
func (s *server) memory() (int, bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if size, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kB, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(size), " kB"))
			return kB, err == nil
		}
	}
	return 0, false
}
