package main

import (
	"fmt"
	"time"
)

// sessions is how many are side by side; all but one of them wait.
const sessions = 8

// The wait that must hold up nobody, and what a call beside it may take: far
// less than the wait, more than a noisy machine adds.
const (
	longWait = 2 * time.Second
	beside   = 50 * time.Millisecond
)

// sideBySide measures calls while the other sessions wait: in one that does not, and
// in one that does a call that only reads.
func (b *bench) sideBySide() error {
	var open []*server
	defer func() {
		for _, s := range open {
			s.end()
		}
	}()
	for range sessions {
		s, err := spawn(b.binary, b.serverArgs()...)
		if err != nil {
			return err
		}
		open = append(open, s)
		if _, err := s.timed("browser_navigate", map[string]any{"url": b.site}); err != nil {
			return err
		}
	}
	waiting, other := open[0], open[sessions-1]
	began := time.Now()
	var ended <-chan reply // of the first, which ends first
	for i, s := range open[:sessions-1] {
		wait, err := s.start("tools/call", map[string]any{"name": "browser_wait_for_selector", "arguments": map[string]any{
			"selector": "#never", "timeout": longWait.String(),
		}})
		if err != nil {
			return err
		}
		if i == 0 {
			ended = wait
		}
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
		alone(fmt.Sprintf("eval in one session while %d others wait", sessions-1), evals, beside),
		alone("console read in a session that waits", reads, beside))
	return nil
}
