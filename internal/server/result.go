package server

import (
	"encoding/base64"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

// resultOf is a written reply as the protocol sends it.
func resultOf(w tool.Written) *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(w.Text)}}
	if w.Code != "" {
		result = errorResult(w.Code, w.Text)
	}
	if w.Picture != nil {
		result.Content = append(result.Content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(w.Picture.Data), w.Picture.MIME))
	}
	for _, f := range w.Files {
		link := mcp.NewResourceLink(fileURI(f.Name), f.Name, f.Path, f.MIME)
		link.Size = &f.Size
		result.Content = append(result.Content, link)
	}
	return result
}

// errorResult is an answer that the caller can mend, with its stable code.
func errorResult(code fault.Code, text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Result:  mcp.Result{Meta: &mcp.Meta{AdditionalFields: map[string]any{"code": string(code)}}},
		Content: []mcp.Content{mcp.NewTextContent(text)},
		IsError: true,
	}
}
