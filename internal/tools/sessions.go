package tools

import (
	"context"

	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var sessionTools = []tool.Tool{
	tool.New("browser_close", tool.Sets, "Close the browser; the next call starts a fresh one.", closeBrowser).Holding(),
}

type closeBrowserArgs struct{}

func closeBrowser(ctx context.Context, s *session.Session, _ closeBrowserArgs) (tool.Reply, error) {
	if err := session.AwaitTurn(ctx); err != nil {
		return tool.Reply{}, err
	}
	if !s.CloseBrowser("browser_close was called") {
		return tool.Text("No browser was running."), nil
	}
	return tool.Text("The browser is closed; its page, cookies and storage are gone."), nil
}
