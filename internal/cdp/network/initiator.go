package network

import (
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/network"

	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// maxCalls bounds the stack of an initiator.
const maxCalls = 8

// An Initiator is what made the browser ask.
type Initiator struct {
	Kind    string // script, parser, preload, preflight, other, …
	URL     string
	Line    int    // from 1; 0 when unknown
	Column  int    // from 1; 0 when unknown
	Calls   []Call // of a script, the innermost first
	Request int    // the request that needed this one, as a preflight; 0 for none

	id network.RequestID
}

// A Call is one line of a script's stack.
type Call struct {
	Function, URL string
	Line, Column  int // from 1
}

func initiatorOf(said *network.Initiator) Initiator {
	if said == nil {
		return Initiator{}
	}
	in := Initiator{Kind: string(said.Type), URL: clip.Text(said.URL, maxURL), id: said.RequestID}
	if said.LineNumber > 0 || said.ColumnNumber > 0 {
		in.Line, in.Column = int(said.LineNumber)+1, int(said.ColumnNumber)+1
	}
	for stack := said.Stack; stack != nil && len(in.Calls) < maxCalls; stack = stack.Parent {
		for _, frame := range stack.CallFrames {
			if len(in.Calls) == maxCalls {
				break
			}
			in.Calls = append(in.Calls, Call{clip.Text(frame.FunctionName, maxURL), clip.Text(frame.URL, maxURL), int(frame.LineNumber) + 1, int(frame.ColumnNumber) + 1})
		}
	}
	if len(in.Calls) > 0 {
		in.URL, in.Line, in.Column = in.Calls[0].URL, in.Calls[0].Line, in.Calls[0].Column
	}
	return in
}

// String tells the initiator with its position: script http://localhost/app.js:10:5.
func (in Initiator) String() string {
	if in.Line == 0 {
		return strings.TrimSpace(in.Kind + " " + in.URL)
	}
	return fmt.Sprintf("%s %s:%d:%d", in.Kind, in.URL, in.Line, in.Column)
}

func (in Initiator) bytes() int {
	n := len(in.URL)
	for _, call := range in.Calls {
		n += len(call.Function) + len(call.URL)
	}
	return n
}
