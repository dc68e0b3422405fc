package page

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// Bounds of the look into closed shadow roots, which only explains why nothing
// was found.
const (
	closedTimeout = time.Second
	closedMost    = 10 // matches looked at
)

// Closed reports whether a CSS selector that matches nothing which the agent sees
// matches an element in a closed shadow root of the main frame's process. The
// browser's own search enters those, and takes the selector for a text too.
func (p *Page) Closed(ctx context.Context, css string) bool {
	ctx, cancel := context.WithTimeout(ctx, closedTimeout)
	defer cancel()
	cdp.Post(p.session, dom.Enable, dom.EnableParams{})
	defer cdp.Post(p.session, dom.Disable, cdp.Empty{})
	cdp.Post(p.session, dom.GetDocument, dom.GetDocumentParams{Depth: new(int64(0))}) // else nothing is searched
	found, err := cdp.Call(ctx, p.session, dom.PerformSearch, dom.PerformSearchParams{Query: css})
	if err != nil || found.ResultCount == 0 {
		return false
	}
	nodes, err := cdp.Call(ctx, p.session, dom.GetSearchResults, dom.GetSearchResultsParams{
		SearchID: found.SearchID, ToIndex: min(found.ResultCount, closedMost),
	})
	if err != nil {
		return false
	}
	selector, err := json.Marshal(css)
	if err != nil {
		return false
	}
	for _, id := range nodes.NodeIDs {
		node, err := cdp.Call(ctx, p.session, dom.ResolveNode, dom.ResolveNodeParams{NodeID: id, ObjectGroup: evalObjects})
		if err != nil {
			continue
		}
		hit, err := cdp.Call(ctx, p.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			ObjectID:            node.Object.ObjectID,
			FunctionDeclaration: "function(css) { return this.nodeType === 1 && this.getRootNode().mode === 'closed' && this.matches(css); }",
			Arguments:           []*runtime.CallArgument{{Value: selector}},
			ReturnByValue:       new(true),
		})
		if err == nil && string(hit.Result.Value) == "true" {
			return true
		}
	}
	return false
}
