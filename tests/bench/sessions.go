package main

import (
	"fmt"
	"time"
)

// The wait that must hold up nobody, and what a call beside it may take: far
// less than the wait, more than a noisy machine adds.
const (
	longWait = 2 * time.Second
	beside   = 50 * time.Millisecond
)

// sideBySide measures calls while another one waits: in another session, and in
// the same one a call that only reads.
func (b *bench) sideBySide() error {
	var open []*server
	defer func() {
		for _, s := range open {
			s.end()
		}
	}()
	for range 2 {
		s, err := spawn(b.binary, b.serverArgs()...)
		if err != nil {
			return err
		}
		open = append(open, s)
		if _, err := s.timed("browser_navigate", map[string]any{"url": b.site}); err != nil {
			return err
		}
	}
	waiting, other := open[0], open[1]
	began := time.Now()
	ended, err := waiting.start("tools/call", map[string]any{"name": "browser_wait_for_selector", "arguments": map[string]any{
		"selector": "#never", "timeout": longWait.String(),
	}})
	if err != nil {
		return err
	}
	var evals, reads times
	for time.Since(began) < longWait*3/4 {
		took, err := other.timed("browser_eval", map[string]any{"expression": "1+1"})
		if err != nil {
			return err
		}
		evals = append(evals, took)
		if took, err = waiting.timed("browser_recent_console_logs", map[string]any{}); err != nil {
			return err
		}
		reads = append(reads, took)
		time.Sleep(20 * time.Millisecond)
	}
	last := time.Now()
	select {
	case r := <-ended:
		if r.at.Before(last) {
			return fmt.Errorf("the wait ended after %s, before the calls beside it: %s", r.at.Sub(began), r.Result)
		}
	case <-time.After(patience):
		return fmt.Errorf("the wait of %s did not end", longWait)
	}
	b.rows = append(b.rows,
		alone("eval in B while A waits", evals, beside),
		alone("console read in A while A waits", reads, beside))
	return nil
}
