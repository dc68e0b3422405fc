package tools

import (
	"encoding/json"
	"slices"

	"github.com/browser-mcp/browser-mcp/internal/tool"
)

// AutoApproval is the list of the tools' names as an mcp.json takes it under
// autoApprove or alwaysAllow.
func AutoApproval(offered []tool.Tool) string {
	var names []string
	for _, t := range offered {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	raw, err := json.MarshalIndent(names, "", "  ")
	if err != nil {
		panic(err) // strings only
	}
	return string(raw)
}
