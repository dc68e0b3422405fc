package tools

import (
	"context"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/session"
)

var scriptTools = []Tool{
	definePage("browser_eval", Core, Acts, "Evaluate JavaScript in the page.", evaluate),
}

type evaluateArgs struct {
	Expression string `json:"expression" doc:"statements, or a function, which is called"`
	Await      bool   `json:"await,omitempty" default:"true" note:"await a promise"`
	Selector   string `json:"selector,omitempty" note:"it is the function's argument"`
	actionTimeout
}

// resultPreview is how much of a result that is too long stays in the answer.
const resultPreview = 500

func evaluate(ctx context.Context, _ *session.Session, tab *session.Tab, args evaluateArgs) (Reply, error) {
	on, err := element.Own(ctx, tab, args.Selector)
	if err != nil {
		return Reply{}, err
	}
	result, err := tab.Eval(ctx, args.Expression, on, args.Await)
	if err != nil {
		return Reply{}, err
	}
	extension := "json"
	if result.Cut {
		extension = "txt"
	}
	return Textf("<javascript_result>%s</javascript_result>", result.Text).
		spilling(whole{kind: "javascript-result", extension: extension, text: result.Text, preview: resultPreview, cut: result.Cut}), nil
}
