package server

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/browser-mcp/browser-mcp/internal/session"
)

const filePrefix = "browser-mcp://files/"

// maxResource bounds a file that travels through the protocol, in bytes.
const maxResource = 32 << 20

func fileURI(name string) string { return filePrefix + url.PathEscape(name) }

// addFiles lets a client read the files that its own session's answers name.
func (s *Server) addFiles() {
	template := mcp.NewResourceTemplate(filePrefix+"{name}", "Files of this session",
		mcp.WithTemplateDescription("Screenshots, downloads and long answers, as the answers link them."))
	s.mcp.AddResourceTemplate(template, mcpserver.ResourceTemplateHandlerFunc(readFile))
}

func readFile(ctx context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	uri := request.Params.URI
	name, err := url.PathUnescape(strings.TrimPrefix(uri, filePrefix))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", uri, err)
	}
	own, ok := ctx.Value(sessionKey{}).(*session.Session)
	if !ok {
		return nil, fmt.Errorf("%s: %w", uri, mcpserver.ErrResourceNotFound)
	}
	defer own.Begin()()
	file, ok := own.Output.File(name)
	if !ok {
		return nil, fmt.Errorf("this session has no file %q: %w", name, mcpserver.ErrResourceNotFound)
	}
	info, err := os.Stat(file.Path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case info.Size() > maxResource:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that can be sent; read it at %s", name, info.Size(), maxResource, file.Path)
	}
	data, err := os.ReadFile(file.Path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if strings.HasPrefix(file.MIME, "text/") || strings.HasPrefix(file.MIME, "application/json") {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: file.MIME, Text: string(data)}}, nil
	}
	return []mcp.ResourceContents{mcp.BlobResourceContents{URI: uri, MIMEType: file.MIME, Blob: base64.StdEncoding.EncodeToString(data)}}, nil
}
