package tools

import (
	"context"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var scriptTools = []tool.Tool{
	tool.OnPage("browser_eval", tool.Acts, "Evaluate JavaScript in the page.", evaluate),
}

type evaluateArgs struct {
	Expression string `json:"expression" doc:"statements, or a function, which is called"`
	Await      bool   `json:"await,omitempty" default:"true" note:"await a promise"`
	Selector   string `json:"selector,omitempty" note:"it is the function's argument"`
	tool.ActionTimeout
}

// resultPreview is how much of a result that is too long stays in the answer.
const resultPreview = 500

func evaluate(ctx context.Context, _ *session.Session, tab *session.Tab, args evaluateArgs) (tool.Reply, error) {
	on, err := element.Own(ctx, tab, args.Selector)
	if err != nil {
		return tool.Reply{}, err
	}
	result, err := tab.Eval(ctx, args.Expression, on, args.Await)
	if err != nil {
		return tool.Reply{}, err
	}
	extension := "json"
	if result.Cut {
		extension = "txt"
	}
	return tool.Textf("<javascript_result>%s</javascript_result>", result.Text).
		Spilling(tool.Whole{Kind: "javascript-result", Extension: extension, Text: result.Text, Preview: resultPreview, Cut: result.Cut}), nil
}
