package page

import (
	"context"
	"time"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// closedTimeout bounds the look into closed shadow roots, which only explains why
// nothing was found.
const closedTimeout = time.Second

// Closed reports whether a CSS selector that matches nothing which the agent sees
// matches an element in a closed shadow root of the main frame's process. It asks
// for the whole tree, because the browser's own search enters no closed root.
func (p *Page) Closed(ctx context.Context, css string) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closedTimeout)
	defer cancel()
	cdp.Post(p.session, dom.Enable, dom.EnableParams{})
	defer cdp.Post(p.session, dom.Disable, cdp.Empty{})
	document, err := cdp.Call(ctx, p.session, dom.GetDocument, dom.GetDocumentParams{Depth: new(int64(-1)), Pierce: new(true)})
	if err != nil {
		return false
	}
	for _, root := range closedRoots(document.Root) {
		found, err := cdp.Call(ctx, p.session, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root, Selector: css})
		if err == nil && found.NodeID != 0 {
			return true
		}
	}
	return false
}

// closedRoots gives the closed shadow roots of a tree.
func closedRoots(top *proto.Node) (roots []proto.NodeID) {
	nodes := []*proto.Node{top}
	for len(nodes) > 0 {
		node := nodes[len(nodes)-1]
		nodes = append(nodes[:len(nodes)-1], node.Children...)
		if node.ContentDocument != nil {
			nodes = append(nodes, node.ContentDocument)
		}
		for _, root := range node.ShadowRoots {
			if root.ShadowRootType == proto.ShadowRootTypeClosed {
				roots = append(roots, root.NodeID)
			}
			nodes = append(nodes, root)
		}
	}
	return roots
}
