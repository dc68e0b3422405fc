// Package server is the edge to the clients: it offers the tools over the
// protocol, gives each client its session, and turns replies into results. Only
// it (and the demo's client) imports mcp-go.
package server

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
	"github.com/browser-mcp/browser-mcp/internal/tools"
)

// A Server offers the tools to clients. One Server serves any number of them.
type Server struct {
	cfg      config.Tools
	log      *slog.Logger
	sessions *session.Manager
	offered  []tool.Tool
	mcp      *mcpserver.MCPServer
}

// New makes a server for a configuration; it starts no browser.
func New(cfg config.Config, version string, log *slog.Logger) (*Server, error) {
	offered, err := tools.Select(cfg.Tools)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg.Tools, log: log, sessions: session.NewManager(cfg, log), offered: offered}
	s.mcp = mcpserver.NewMCPServer("browser-mcp", version,
		mcpserver.WithTitle("Browser"),
		mcpserver.WithInstructions(instructions(cfg, offered)),
		mcpserver.WithToolCapabilities(false),
		mcpserver.WithResourceCapabilities(false, false),
	)
	for _, t := range offered {
		s.mcp.AddTool(describe(t), s.handler(t))
	}
	s.addFiles()
	return s, nil
}

// Close ends every session with its browser.
func (s *Server) Close() { s.sessions.CloseAll() }

// describe is a tool as the protocol lists it.
func describe(t tool.Tool) mcp.Tool {
	return mcp.Tool{
		Name:           t.Name,
		Title:          t.Title,
		Description:    t.Doc,
		RawInputSchema: t.Schema,
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint:    &t.Effect.ReadOnly,
			DestructiveHint: &t.Effect.Destructive,
			IdempotentHint:  &t.Effect.Idempotent,
			OpenWorldHint:   &t.Effect.OpenWorld,
		},
	}
}

type sessionKey struct{}

func withSession(ctx context.Context, s *session.Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// handler carries out the calls of one tool.
func (s *Server) handler(t tool.Tool) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
		own, ok := ctx.Value(sessionKey{}).(*session.Session)
		if !ok {
			return nil, fmt.Errorf("call of %s without a session", t.Name)
		}
		defer own.Begin()()
		defer report(ctx, t.Name)()
		started := time.Now()
		defer func() {
			if p := recover(); p != nil {
				s.log.Error("panic in a tool", "tool", t.Name, "panic", p, "stack", string(debug.Stack()))
				result, err = errorResult(fault.Internal, fmt.Sprintf("%s failed by a fault of the server, which has logged it; other calls go on working", t.Name)), nil
			}
			s.log.Debug("call", "tool", t.Name, "duration", time.Since(started), "error", result != nil && result.IsError)
		}()
		arguments, err := rawArguments(ctx, request.Params.Arguments)
		if err != nil {
			return errorResult(fault.InvalidArgument, err.Error()), nil
		}
		return resultOf(t.Call(ctx, own, arguments).Write(own)), nil
	}
}

type argumentsKey struct{}

// rawArguments gives the arguments one by one, still encoded: as the client
// wrote them where the transport kept that, because a number can lose digits.
func rawArguments(ctx context.Context, given any) (raw map[string]json.RawMessage, err error) {
	written, ok := ctx.Value(argumentsKey{}).(json.RawMessage)
	if !ok {
		if written, err = json.Marshal(given); err != nil {
			return nil, fmt.Errorf("the arguments cannot be read: %w", err)
		}
	}
	if len(written) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(written, &raw); err != nil {
		return nil, fmt.Errorf("the arguments are not an object")
	}
	return raw, nil
}

// turnFor takes the call's place in line, in the order of arrival; nil for a
// call that needs none.
func (s *Server) turnFor(own *session.Session, name string) *session.Turn {
	t, ok := tools.Find(s.offered, name)
	if !ok || t.Standing == tool.Passes {
		return nil
	}
	return own.Turn(t.Standing == tool.Holds)
}
