package page

import (
	"context"
	"encoding/json"
	"fmt"

	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// A Chooser is a file chooser that the page has opened. Nobody sees it: the files
// are handed to the field behind it.
type Chooser struct {
	Session  *cdp.Session
	Node     proto.BackendNodeID // of the field
	Multiple bool
}

// Files are the names of the files that the field holds.
func (c Chooser) Files(ctx context.Context) ([]string, error) {
	field, err := cdp.Call(ctx, c.Session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: c.Node, ObjectGroup: evalObjects})
	if err != nil {
		return nil, err
	}
	held, err := cdp.Call(ctx, c.Session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: field.Object.ObjectID, ReturnByValue: new(true),
		FunctionDeclaration: "function() { return this.isConnected ? Array.from(this.files, (file) => file.name) : null; }",
	})
	if err := outcome(err, held.ExceptionDetails); err != nil {
		return nil, err
	}
	var names []string
	if err := json.Unmarshal(held.Result.Value, &names); err != nil || names == nil {
		return nil, fmt.Errorf("%w: the field cannot be read", ErrMoved)
	}
	return names, nil
}

// followChoosers keeps the browser from opening its own window for files, and
// notes for which field it would have been. Setup only, before Page is enabled.
func (p *Page) followChoosers(s *cdp.Session) {
	cdp.On(s, page.FileChooserOpened, func(ev page.EventFileChooserOpened) {
		p.update(func() { p.chooser = &Chooser{s, ev.BackendNodeID, ev.Mode == page.FileChooserOpenedModeSelectMultiple} })
	})
	cdp.Post(s, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
}

// TakeChooser gives the open file chooser, which is closed by that; nil without one.
func (p *Page) TakeChooser() *Chooser {
	p.mu.Lock()
	defer p.mu.Unlock()
	chooser := p.chooser
	p.chooser = nil
	return chooser
}

// Choosing reports whether a file chooser is open.
func (p *Page) Choosing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.chooser != nil
}
