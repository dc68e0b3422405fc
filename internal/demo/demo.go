// Package demo runs a real session of a real client against a built-in page
// and prints what both sides say: it shows a newcomer what the server does, and
// that it works on this machine.
package demo

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

//go:embed page.html
var page []byte

// limit bounds the whole demonstration.
const limit = 2 * time.Minute

// A step is one call of the demonstration.
type step struct {
	tool      string
	arguments map[string]any
	refused   bool // it shows an error
}

// Run starts this program as a server, plays the steps over its standard
// streams, and prints the transcript. args are the server's flags. It ends with
// an error at the first step that goes otherwise than it should.
func Run(ctx context.Context, out io.Writer, args []string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	address, stop, err := shop()
	if err != nil {
		return err
	}
	defer stop()
	own, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	folder, err := os.MkdirTemp("", "browser-mcp-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the screenshot: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(folder)
		}
	}()
	// The files stay, so that the screenshot can be looked at afterwards.
	args = append([]string{"--output-dir=" + folder, "--output-keep", "--log-level=warn"}, args...)
	c, err := client.NewStdioMCPClient(own, os.Environ(), args...)
	if err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	defer c.Close()
	go func() { _, _ = io.Copy(os.Stderr, stderrOf(c)) }()

	started := time.Now()
	hello, err := c.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "demo", Version: "1"},
	}})
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return fmt.Errorf("tools/list: %w", err)
	}
	fmt.Fprintf(out, "%s %s is up after %s with %d tools.\n\n", hello.ServerInfo.Name, hello.ServerInfo.Version, time.Since(started).Round(time.Millisecond), len(list.Tools))
	screenshot := ""
	for _, s := range steps(address) {
		answer, err := play(ctx, out, c, s)
		if err != nil {
			return err
		}
		if name, ok := savedAs(answer); ok {
			screenshot = name
		}
	}
	fmt.Fprintf(out, "Screenshot: %s\n", screenshot)
	return nil
}

func steps(address string) []step {
	return []step{
		{tool: "browser_navigate", arguments: map[string]any{"url": address}},
		{tool: "browser_wait_for_selector", arguments: map[string]any{"selector": "#orders li", "visible": true}},
		{tool: "browser_snapshot", arguments: map[string]any{}},
		{tool: "browser_type", arguments: map[string]any{"selector": "#item", "text": "Crème brûlée, 2×"}},
		{tool: "browser_click", arguments: map[string]any{"selector": "#place"}},
		{tool: "browser_assert", arguments: map[string]any{"selector": "li.placed", "text": "Crème brûlée, 2×"}},
		{tool: "browser_eval", arguments: map[string]any{"expression": "[...document.querySelectorAll('#orders li')].map((li) => li.textContent)"}},
		{tool: "browser_click", arguments: map[string]any{"selector": "#place-order"}, refused: true},
		{tool: "browser_recent_network_requests", arguments: map[string]any{"failed": true}},
		{tool: "browser_recent_console_logs", arguments: map[string]any{"limit": 10}},
		{tool: "browser_take_screenshot", arguments: map[string]any{}},
		{tool: "browser_close", arguments: map[string]any{}},
	}
}

func play(ctx context.Context, out io.Writer, c *client.Client, s step) (*mcp.CallToolResult, error) {
	arguments, err := json.Marshal(s.arguments)
	if err != nil {
		return nil, fmt.Errorf("encoding the arguments: %w", err)
	}
	fmt.Fprintf(out, "→ %s %s\n", s.tool, arguments)
	started := time.Now()
	answer, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: s.tool, Arguments: s.arguments}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.tool, err)
	}
	mark := "←"
	if answer.IsError {
		mark = "✗"
	}
	for _, content := range answer.Content {
		switch content := content.(type) {
		case mcp.TextContent:
			fmt.Fprintf(out, "%s %s\n", mark, strings.ReplaceAll(content.Text, "\n", "\n  "))
		case mcp.ImageContent:
			fmt.Fprintf(out, "%s [%s, %d bytes of base64]\n", mark, content.MIMEType, len(content.Data))
		case mcp.ResourceLink:
			fmt.Fprintf(out, "%s [resource %s]\n", mark, content.URI)
		}
	}
	fmt.Fprintf(out, "  %s\n\n", time.Since(started).Round(time.Millisecond))
	if answer.IsError != s.refused {
		return nil, fmt.Errorf("the demo stopped: %s did not answer as it should", s.tool)
	}
	return answer, nil
}

// savedAs gives the path of the file that an answer links, which the link
// carries as its description.
func savedAs(answer *mcp.CallToolResult) (string, bool) {
	for _, content := range answer.Content {
		if link, ok := content.(mcp.ResourceLink); ok {
			return link.Description, true
		}
	}
	return "", false
}

func stderrOf(c *client.Client) io.Reader {
	if stderr, ok := client.GetStderr(c); ok {
		return stderr
	}
	return strings.NewReader("")
}

// shop serves the page and its small API on a free port.
func shop() (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("serving the demo page: %w", err)
	}
	server := &http.Server{Handler: handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/", func() { _ = server.Close() }, nil
}

type order struct {
	ID   int    `json:"id"`
	Item string `json:"item"`
}

func handler() http.Handler {
	var mu sync.Mutex
	orders := []order{{1, "Espresso"}, {2, "Apple pie"}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	})
	mux.HandleFunc("GET /api/orders", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(orders)
	})
	mux.HandleFunc("POST /api/orders", func(w http.ResponseWriter, r *http.Request) {
		var placed order
		if err := json.NewDecoder(r.Body).Decode(&placed); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		placed.ID = len(orders) + 1
		orders = append(orders, placed)
		w.WriteHeader(http.StatusCreated)
	})
	return mux
}
