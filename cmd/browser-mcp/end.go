package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// parentPoll is how often the parent process is looked for.
const parentPoll = 500 * time.Millisecond

// untilToldToEnd gives a context that ends with SIGINT, SIGTERM or SIGHUP, and
// when the process that started this one has died: standard input alone does
// not tell that if another process holds its other end.
func untilToldToEnd() (context.Context, context.CancelFunc) {
	// Otherwise a client that closes its end kills this process in the middle
	// of a write, and the browser's profile stays.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		parent := os.Getppid()
		ticker := time.NewTicker(parentPoll)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if os.Getppid() != parent {
					cancel()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { cancel(); stop() }
}
