package server

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// progressEvery is how often a call that lasts tells that it goes on, so that a
// client with a time limit of its own does not give up.
const progressEvery = 5 * time.Second

type progressKey struct{}

type progressFunc func(seconds float64, message string)

func withProgress(ctx context.Context, f progressFunc) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// report sends progress from time to time until the function that it gives is
// called; when that returns, none is sent any more. Without a client that asked
// for it, it does nothing.
func report(ctx context.Context, tool string) (stop func()) {
	send, ok := ctx.Value(progressKey{}).(progressFunc)
	if !ok {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		started := time.Now()
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				elapsed := time.Since(started).Round(time.Second)
				send(elapsed.Seconds(), tool+" is under way for "+elapsed.String())
			case <-done:
				return
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

type notification struct {
	Version string         `json:"jsonrpc"`
	Method  string         `json:"method"`
	Params  progressParams `json:"params"`
}

type progressParams struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress float64         `json:"progress"`
	Message  string          `json:"message"`
}

func progressMessage(token json.RawMessage, seconds float64, text string) notification {
	return notification{Version: mcp.JSONRPC_VERSION, Method: "notifications/progress", Params: progressParams{token, seconds, text}}
}
