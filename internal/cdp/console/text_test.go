package console

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/stretchr/testify/require"
)

func object(t *testing.T, text string) *runtime.RemoteObject {
	t.Helper()
	var o runtime.RemoteObject
	require.NoError(t, json.Unmarshal([]byte(text), &o))
	return &o
}

func TestFormat(t *testing.T) {
	text := func(s string) value { return value{text: s, kind: "string"} }
	number := func(s string) value { return value{text: s, kind: "number"} }
	for want, values := range map[string][]value{
		"":                    nil,
		"a b":                 {text("a"), text("b")},
		"1 a":                 {number("1"), text("a")},
		"x is 5":              {text("%s is %d"), text("x"), number("5.9")},
		"5.5 NaN":             {text("%f %d"), number("5.5"), text("no")},
		"100%":                {text("100%")},
		"100% a":              {text("100%"), text("a")},
		"50% done":            {text("%d%% done"), number("50")},
		"red text":            {text("%cred%c text"), text("color: red"), text("")},
		"{a: 1} more":         {text("%o"), {text: "{a: 1}", kind: "object"}, text("more")},
		"%s":                  {text("%s")},
		"%x 1":                {text("%x"), number("1")},
		"{a: 1} is no format": {{text: "{a: 1}", kind: "object"}, text("is no format")},
	} {
		require.Equal(t, want, format(values))
	}
}

func TestObjectText(t *testing.T) {
	for given, want := range map[string]struct {
		text  string
		whole bool
	}{
		`{"type": "string", "value": "plain"}`:                                     {"plain", true},
		`{"type": "number", "value": 5}`:                                           {"5", true},
		`{"type": "number", "unserializableValue": "-0"}`:                          {"-0", true},
		`{"type": "undefined"}`:                                                    {"undefined", true},
		`{"type": "object", "subtype": "null", "value": null}`:                     {"null", true},
		`{"type": "function", "description": "function f(a) { return a }"}`:        {"function f(a)", true},
		`{"type": "object", "subtype": "error", "description": "Error: x\n at y"}`: {"Error: x\n at y", true},
		`{"type": "object", "description": "Object", "preview": {"type": "object", "description": "Object", "overflow": true, "properties": [
			{"name": "a", "type": "number", "value": "1"}, {"name": "s", "type": "string", "value": "x"}]}}`: {`{a: 1, s: "x", …}`, false},
		`{"type": "object", "description": "Array(2)", "preview": {"type": "object", "subtype": "array", "description": "Array(2)", "overflow": false, "properties": [
			{"name": "0", "type": "number", "value": "1"}, {"name": "1", "type": "number", "value": "2"}]}}`: {`[1, 2]`, true},
		`{"type": "object", "description": "Object", "preview": {"type": "object", "description": "Object", "overflow": false, "properties": [
			{"name": "o", "type": "object", "value": "Object"}]}}`: {`{o: {…}}`, false},
		`{"type": "object", "description": "Map(1)", "preview": {"type": "object", "subtype": "map", "description": "Map(1)", "overflow": false, "properties": [], "entries": [
			{"key": {"type": "string", "description": "k", "overflow": false, "properties": []}, "value": {"type": "number", "description": "1", "overflow": false, "properties": []}}]}}`: {`Map(1) {"k" => 1}`, true},
	} {
		text, whole := objectText(object(t, given))
		require.Equal(t, want.text, text)
		require.Equal(t, want.whole, whole, given)
	}
}
