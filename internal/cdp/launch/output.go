package launch

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"
)

const (
	// tailSize is how much of what a browser prints is kept for Err.
	tailSize = 64 << 10
	// outputGrace is how long a child of an ended browser may hold its output open.
	outputGrace = time.Second
)

// An output drains what a browser prints: to the log, and its end into memory.
// Undrained, a full pipe would stop the browser.
type output struct {
	src  *os.File
	done chan struct{}

	mu   sync.Mutex
	kept []byte // never more than twice tailSize
}

func drain(src *os.File, log *slog.Logger) *output {
	o := &output{src: src, done: make(chan struct{})}
	go func() {
		defer close(o.done)
		defer src.Close()
		lines := bufio.NewReader(src)
		for {
			// A line longer than the reader's buffer comes in pieces, so that none fills the memory.
			line, err := lines.ReadSlice('\n')
			o.keep(line)
			if text := bytes.TrimSpace(line); len(text) > 0 {
				log.Debug("browser says", "line", string(text))
			}
			if err != nil && err != bufio.ErrBufferFull {
				if err != io.EOF {
					log.Debug("browser's output ends", "error", err)
				}
				return
			}
		}
	}()
	return o
}

func (o *output) keep(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, b...)
	if n := len(o.kept); n > 2*tailSize {
		o.kept = append(o.kept[:0], o.kept[n-tailSize:]...)
	}
}

// tail is the end of what was printed so far, at most tailSize bytes.
func (o *output) tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.kept[max(0, len(o.kept)-tailSize):])
}

// finish waits for the rest after the browser ended and closes the pipe on
// whatever child still holds it.
func (o *output) finish() {
	timer := time.NewTimer(outputGrace)
	defer timer.Stop()
	select {
	case <-o.done:
	case <-timer.C:
		o.src.Close()
		<-o.done
	}
}
