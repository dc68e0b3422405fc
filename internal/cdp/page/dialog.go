package page

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/page"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A Dialog is an open alert, confirm, prompt or beforeunload: until it is
// answered the page stands still.
type Dialog struct {
	Kind    string
	Message string
	Default string // of a prompt
}

// String is `confirm "Delete it?"`.
func (d Dialog) String() string { return fmt.Sprintf("%s %q", d.Kind, clip.Text(d.Message, 500)) }

// errDialog marks the fault of a dialog that opened while a call was under way.
var errDialog = errors.New("a dialog is open")

func (d Dialog) fault() error {
	return fault.New(fault.DialogOpen, "%w: %s. The page stands still until browser_handle_dialog answers it.", errDialog, d)
}

// OpenedDialog reports whether err says that a dialog interrupted a call.
func OpenedDialog(err error) bool { return errors.Is(err, errDialog) }

func (p *Page) dialogOpening(ev page.EventJavascriptDialogOpening) {
	d := &Dialog{Kind: string(ev.Type), Message: ev.Message, Default: ev.DefaultPrompt}
	if p.opts.Dialogs != "ask" {
		p.opts.Log.Info("dialog answered", "dialog", d.String(), "answer", p.opts.Dialogs)
		go cdp.Post(p.session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{
			Accept: p.opts.Dialogs == "accept", PromptText: d.Default,
		})
		return
	}
	p.update(func() { p.dialog = d })
	p.Interrupt(d.fault()) // before the tab is among those that opts.Dialog knows
	p.opts.Dialog(d.fault())
}

// Dialog gives the open dialog, nil when there is none.
func (p *Page) Dialog() *Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialog
}

// HandleDialog answers the open dialog and waits until it has closed. text
// replaces a prompt's default unless it is nil.
func (p *Page) HandleDialog(ctx context.Context, accept bool, text *string) (Dialog, error) {
	d := p.Dialog()
	if d == nil {
		return Dialog{}, fault.New(fault.NoDialog, "no dialog is open; nothing was done")
	}
	params := page.HandleJavaScriptDialogParams{Accept: accept, PromptText: d.Default}
	if text != nil {
		params.PromptText = *text
	}
	if _, err := cdp.Call(ctx, p.session, page.HandleJavaScriptDialog, params); err != nil {
		if cdp.Refused(err) && p.Dialog() != d {
			return Dialog{}, fault.New(fault.NoDialog, "the dialog %s has closed by itself", d)
		}
		return Dialog{}, err
	}
	return *d, p.await(ctx, func() bool { return p.dialog != d || p.closed })
}
