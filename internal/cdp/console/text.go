package console

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"
)

// describe gives the text of each argument of a console call: the one that the
// wrapper kept, or else what the protocol's preview shows. preview is true when
// a preview stands in for a value that it does not show whole.
func describe(args []*runtime.RemoteObject, kept map[int]string) (values []value, preview bool) {
	for i, arg := range args {
		text, isText := kept[i]
		if !isText {
			var whole bool
			text, whole = objectText(arg)
			preview = preview || !whole
		}
		values = append(values, value{text: text, kind: string(arg.Type)})
	}
	return values, preview
}

// A value is one console argument as text, with its JavaScript type.
type value struct{ text, kind string }

// format joins the arguments of a console call as a browser's console does:
// the specifiers of a first string take the arguments that follow.
func format(values []value) string {
	if len(values) == 0 {
		return ""
	}
	rest := values[1:]
	var out strings.Builder
	if first := values[0]; first.kind != "string" || len(rest) == 0 {
		out.WriteString(first.text)
	} else {
		rest = specifiers(&out, first.text, rest)
	}
	for _, v := range rest {
		out.WriteByte(' ')
		out.WriteString(v.text)
	}
	return out.String()
}

func specifiers(out *strings.Builder, template string, args []value) (rest []value) {
	for i := 0; i < len(template); i++ {
		if template[i] != '%' || i+1 == len(template) {
			out.WriteByte(template[i])
			continue
		}
		verb := template[i+1]
		switch {
		case verb == '%':
			out.WriteByte('%')
		case len(args) == 0 || !strings.ContainsRune("sdifoOc", rune(verb)):
			out.WriteByte('%')
			continue
		default:
			out.WriteString(specified(verb, args[0]))
			args = args[1:]
		}
		i++
	}
	return args
}

func specified(verb byte, v value) string {
	switch verb {
	case 'c':
		return "" // a style
	case 'd', 'i', 'f':
		n, err := strconv.ParseFloat(strings.TrimSuffix(v.text, "n"), 64)
		if err != nil || (v.kind != "number" && v.kind != "string" && v.kind != "bigint") {
			return "NaN"
		}
		if verb != 'f' {
			n = math.Trunc(n)
		}
		return strconv.FormatFloat(n, 'f', -1, 64)
	default:
		return v.text
	}
}

// objectText is the text of a remote object from what travelled in the event:
// primitives are whole, objects as far as their preview goes.
func objectText(o *runtime.RemoteObject) (text string, whole bool) {
	if o.UnserializableValue != "" {
		return string(o.UnserializableValue), true
	}
	if o.Type == "undefined" {
		return "undefined", true
	}
	if len(o.Value) > 0 {
		var s string
		if json.Unmarshal(o.Value, &s) == nil && o.Type == "string" {
			return s, true
		}
		return string(o.Value), true
	}
	switch {
	case o.Type == "function":
		name, _, _ := strings.Cut(o.Description, "{")
		return strings.TrimSpace(name), true
	case o.Type == "symbol":
		return o.Description, true
	case o.Preview == nil || o.Subtype == "error":
		return o.Description, o.Subtype == "error"
	}
	return previewText(o.Preview)
}

// previewText shows a preview as `{a: 1, b: "x", …}` or `[1, 2, …]`, with … exactly
// where something was left out.
func previewText(p *runtime.ObjectPreview) (text string, whole bool) {
	whole = !p.Overflow
	var parts []string
	array := p.Subtype == "array" || p.Subtype == "typedarray"
	for _, property := range p.Properties {
		shown, all := propertyText(property)
		whole = whole && all
		if !array {
			shown = property.Name + ": " + shown
		}
		parts = append(parts, shown)
	}
	for _, entry := range p.Entries {
		shown, all := previewText(entry.Value)
		if entry.Key != nil {
			key, keyAll := previewText(entry.Key)
			shown, all = key+" => "+shown, all && keyAll
		}
		whole = whole && all
		parts = append(parts, shown)
	}
	if p.Type != "object" {
		if p.Type == "string" {
			return strconv.Quote(p.Description), whole
		}
		return p.Description, whole
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	body := strings.Join(parts, ", ")
	switch {
	case array:
		return "[" + body + "]", whole
	case p.Description == "" || p.Description == "Object":
		return "{" + body + "}", whole
	default:
		return p.Description + " {" + body + "}", whole
	}
}

func propertyText(p *runtime.PropertyPreview) (text string, whole bool) {
	switch {
	case p.ValuePreview != nil:
		return previewText(p.ValuePreview)
	case p.Type == "string":
		return strconv.Quote(p.Value), !strings.Contains(p.Value, "…")
	case p.Type == "accessor":
		return "[Getter]", true
	case p.Type == "object" && p.Subtype != "null":
		if strings.HasPrefix(p.Value, "Array(") {
			return "[…]", false
		}
		return "{…}", false
	case p.Type == "function":
		return "ƒ", true
	default:
		return p.Value, true
	}
}

// exceptionText is «Uncaught TypeError: … at …» as a console shows it; whole is
// false when what was thrown is an object that is shown in part.
func exceptionText(d *runtime.ExceptionDetails) (text string, whole bool) {
	if d.Exception == nil {
		return d.Text, true
	}
	thrown, whole := objectText(d.Exception)
	return strings.TrimSpace(d.Text + " " + thrown), whole
}

func sourceOf(stack *runtime.StackTrace) string {
	for ; stack != nil; stack = stack.Parent {
		for _, frame := range stack.CallFrames {
			if frame.URL != wrapperSource {
				return position(frame.URL, frame.LineNumber, frame.ColumnNumber)
			}
		}
	}
	return ""
}

func stackText(stack *runtime.StackTrace) string {
	var out strings.Builder
	for ; stack != nil; stack = stack.Parent {
		for _, frame := range stack.CallFrames {
			if frame.URL != wrapperSource {
				name := frame.FunctionName
				if name == "" {
					name = "(anonymous)"
				}
				fmt.Fprintf(&out, "\n    at %s (%s)", name, position(frame.URL, frame.LineNumber, frame.ColumnNumber))
			}
		}
	}
	return out.String()
}

// position makes the protocol's zero-based line and column one-based.
func position(url string, line, column int64) string {
	if url == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", url, line+1, column+1)
}

func timeOf(t runtime.Timestamp) time.Time { return time.UnixMicro(int64(t.Float64() * 1000)) }
