package tools

import (
	"context"

	"github.com/browser-mcp/browser-mcp/internal/session"
)

var sessionTools = []Tool{
	define("browser_close", Core, Sets, "Close the browser; the next call starts a fresh one.", closeBrowser).holding(),
}

type closeBrowserArgs struct{}

func closeBrowser(ctx context.Context, s *session.Session, _ closeBrowserArgs) (Reply, error) {
	if err := session.AwaitTurn(ctx); err != nil {
		return Reply{}, err
	}
	if !s.CloseBrowser("browser_close was called") {
		return Text("No browser was running."), nil
	}
	return Text("The browser is closed; its page, cookies and storage are gone."), nil
}
