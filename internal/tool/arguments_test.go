package tool

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

type sampleArgs struct {
	Name   string   `json:"name" doc:"what it is called"`
	Kind   string   `json:"kind,omitempty" enum:"a,b" default:"a"`
	On     bool     `json:"on,omitempty" default:"true"`
	Count  int      `json:"count,omitempty" default:"1" min:"1" max:"9"`
	Ratio  float64  `json:"ratio,omitempty"`
	List   []string `json:"list,omitempty" enum:"x,y"`
	At     *point   `json:"at,omitempty"`
	Note   *string  `json:"note,omitempty"`
	Filled string   `json:"filled,omitempty"`
	ActionTimeout
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func sampleTool() Tool {
	return newTool[sampleArgs]("sample", Reads, "A sample.")
}

func decodeSample(t *testing.T, text string) (sampleArgs, error) {
	t.Helper()
	var arguments map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &arguments))
	return decode[sampleArgs](sampleTool(), arguments)
}

func TestDecodeTakesWhatIsPlain(t *testing.T) {
	note := "n"
	base := sampleArgs{Name: "x", Kind: "a", On: true, Count: 1}
	for text, change := range map[string]func(*sampleArgs){
		`{"name": "x"}`:                               func(*sampleArgs) {},
		`{"name": "x", "kind": "b"}`:                  func(a *sampleArgs) { a.Kind = "b" },
		`{"name": "x", "on": false}`:                  func(a *sampleArgs) { a.On = false },
		`{"name": "x", "on": "false"}`:                func(a *sampleArgs) { a.On = false },
		`{"name": 42}`:                                func(a *sampleArgs) { a.Name = "42" },
		`{"name": 1.5}`:                               func(a *sampleArgs) { a.Name = "1.5" },
		`{"name": "x", "count": "4"}`:                 func(a *sampleArgs) { a.Count = 4 },
		`{"name": "x", "count": 4.0}`:                 func(a *sampleArgs) { a.Count = 4 },
		`{"name": "x", "count": null}`:                func(*sampleArgs) {},
		`{"name": "x", "ratio": "0.5"}`:               func(a *sampleArgs) { a.Ratio = 0.5 },
		`{"name": "x", "list": ["x", "y"]}`:           func(a *sampleArgs) { a.List = []string{"x", "y"} },
		`{"name": "x", "list": "x"}`:                  func(a *sampleArgs) { a.List = []string{"x"} },
		`{"name": "x", "list": "[\"x\"]"}`:            func(a *sampleArgs) { a.List = []string{"x"} },
		`{"name": "x", "at": {"x": 1, "y": "2"}}`:     func(a *sampleArgs) { a.At = &point{1, 2} },
		`{"name": "x", "at": "{\"x\": 1, \"y\": 2}"}`: func(a *sampleArgs) { a.At = &point{1, 2} },
		`{"name": "x", "note": "n"}`:                  func(a *sampleArgs) { a.Note = &note },
		`{"name": "x", "filled": ""}`:                 func(*sampleArgs) {},
		`{"name": "x", "timeout": "15s"}`:             func(a *sampleArgs) { a.Timeout = Timeout(15 * time.Second) },
		`{"name": "x", "timeout": 500}`:               func(a *sampleArgs) { a.Timeout = Timeout(500 * time.Millisecond) },
		`{"name": "x", "timeout": "500"}`:             func(a *sampleArgs) { a.Timeout = Timeout(500 * time.Millisecond) },
	} {
		want := base
		change(&want)
		got, err := decodeSample(t, text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func TestDecodeRefusesByName(t *testing.T) {
	for text, said := range map[string]string{
		`{}`:                                            `argument "name" is missing: sample needs a string (what it is called)`,
		`{"name": null}`:                                `argument "name" is missing`,
		`{"name": ""}`:                                  `argument "name" of sample: it is empty`,
		`{"name": ["x"]}`:                               `["x"] is not a string`,
		`{"name": true}`:                                `true is not a string`,
		`{"name": "x", "kind": "c"}`:                    `argument "kind" of sample: "c" is not one of a, b`,
		`{"name": "x", "on": "maybe"}`:                  `"maybe" is not true or false`,
		`{"name": "x", "count": 1.5}`:                   `1.5 is not a whole number`,
		`{"name": "x", "count": 0}`:                     `0 is too small; the least is 1`,
		`{"name": "x", "count": 10}`:                    `10 is too large; the most is 9`,
		`{"name": "x", "count": "many"}`:                `"many" is not a whole number`,
		`{"name": "x", "count": 1e300}`:                 `1e300 is not a whole number`,
		`{"name": "x", "count": {}}`:                    `{} is not a whole number`,
		`{"name": "x", "list": ["z"]}`:                  `"z" is not one of x, y`,
		`{"name": "x", "at": {"x": 1}}`:                 `argument "y" is missing`,
		`{"name": "x", "at": {"x": 1, "y": 2, "z": 3}}`: `at does not know the argument "z"; it takes x, y`,
		`{"name": "x", "at": [1, 2]}`:                   `[1, 2] is not an object`,
		`{"name": "x", "timeout": "soon"}`:              `"soon" is not a duration such as "15s"`,
		`{"name": "x", "timeout": "1ms"}`:               `from 100ms to 5m`,
		`{"name": "x", "timeout": "6m"}`:                `from 100ms to 5m`,
		`{"name": "x", "timeout": -1}`:                  `from 100ms to 5m`,
		`{"name": "x", "timeout": true}`:                `from 100ms to 5m`,
		`{"name": "x", "Name": "y", "other": 1}`:        `sample does not know the argument "Name", "other"; it takes name, kind, on, count, ratio, list, at, note, filled, timeout`,
	} {
		_, err := decodeSample(t, text)
		require.ErrorContains(t, err, said, text)
		require.Equal(t, fault.InvalidArgument, fault.CodeOf(err), text)
	}
}

func TestSchemaOfASample(t *testing.T) {
	require.JSONEq(t, `{"type": "object", "required": ["name"], "properties": {
		"name": {"type": "string", "description": "what it is called"},
		"kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
		"on": {"type": "boolean", "default": true},
		"count": {"type": "integer", "default": 1},
		"ratio": {"type": "number"},
		"list": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
		"at": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x", "y"]},
		"note": {"type": "string"},
		"filled": {"type": "string"},
		"timeout": {"type": "string"}}}`, string(sampleTool().Schema))
}

// FuzzDecode: whatever a client sends, there is a value or a clear fault.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{}`, `{"name": "x"}`, `{"name": 1e999}`, `{"list": "[[["}`, `{"at": "{"}`, `{"timeout": "1e9h"}`, `{"count": "0x10"}`, `{"count": "NaN"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var arguments map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &arguments) != nil {
			return
		}
		args, err := decode[sampleArgs](sampleTool(), arguments)
		if err != nil {
			require.Equal(t, fault.InvalidArgument, fault.CodeOf(err))
			return
		}
		require.NotEmpty(t, args.Name)
		require.True(t, args.Count >= 1 && args.Count <= 9)
	})
}
