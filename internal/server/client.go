package server

import (
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
)

// A client is what the protocol library keeps about the other end.
type client struct {
	id            string
	notifications chan mcp.JSONRPCNotification
	initialized   atomic.Bool
	info          atomic.Pointer[mcp.Implementation]
	capabilities  atomic.Pointer[mcp.ClientCapabilities]
	version       atomic.Pointer[string]
}

func newClient(id string) *client {
	return &client{id: id, notifications: make(chan mcp.JSONRPCNotification, 100)}
}

func (c *client) SessionID() string                                   { return c.id }
func (c *client) NotificationChannel() chan<- mcp.JSONRPCNotification { return c.notifications }
func (c *client) Initialize()                                         { c.initialized.Store(true) }
func (c *client) Initialized() bool                                   { return c.initialized.Load() }

func (c *client) SetClientInfo(info mcp.Implementation)            { c.info.Store(&info) }
func (c *client) SetClientCapabilities(has mcp.ClientCapabilities) { c.capabilities.Store(&has) }
func (c *client) SetProtocolVersion(version string)                { c.version.Store(&version) }

func (c *client) GetClientInfo() mcp.Implementation             { return valueOf(&c.info) }
func (c *client) GetClientCapabilities() mcp.ClientCapabilities { return valueOf(&c.capabilities) }
func (c *client) ProtocolVersion() string                       { return valueOf(&c.version) }

func valueOf[T any](p *atomic.Pointer[T]) (value T) {
	if stored := p.Load(); stored != nil {
		value = *stored
	}
	return value
}
