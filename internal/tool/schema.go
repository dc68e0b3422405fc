package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Vocabulary gives the meaning of the arguments that several tools have: one
// name, one meaning, one type. The documents and the errors tell it; clients get
// it once, in the server's instructions, and not with every tool.
var Vocabulary = map[string]string{
	"selector": "CSS, text=…, role=button[name=\"…\"], xpath=… or a ref such as e12; >> chains, also into frames",
	"timeout":  "such as 15s",
	"path":     "file path",
	"limit":    "most entries to return",
}

// A Field is one argument of a tool, read off its struct: the json tag gives the
// name, with omitempty for one that can be left out; doc the meaning; note the
// meaning too, but of what a model guesses right, so that only the documents and
// the errors tell it; enum the values, separated by commas; default, min and max
// what they say; empty:"ok" lets a string that must be given be empty; scalar:"ok"
// lets it be written as true or false too; listed:"no" keeps an argument that is
// rarely given out of the schema, where it would cost every client its length.
type Field struct {
	Name     string
	index    []int
	kind     reflect.Type
	doc      string
	note     string
	enum     []string
	fallback string
	min, max string
	required bool
	empty    bool
	scalar   bool
	unlisted bool
}

func fieldsOf(t reflect.Type, index []int) []Field {
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int{}, index...), i)
		if f.Anonymous {
			fields = append(fields, fieldsOf(f.Type, at)...)
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			panic(fmt.Sprintf("tool: %s.%s has no json tag", t, f.Name))
		}
		made := Field{
			Name: name, index: at, kind: f.Type,
			doc: f.Tag.Get("doc"), note: f.Tag.Get("note"), fallback: f.Tag.Get("default"), min: f.Tag.Get("min"), max: f.Tag.Get("max"),
			required: option != "omitempty", empty: f.Tag.Get("empty") == "ok", scalar: f.Tag.Get("scalar") == "ok",
			unlisted: f.Tag.Get("listed") == "no",
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			made.enum = strings.Split(enum, ",")
		}
		fields = append(fields, made)
	}
	return fields
}

// Meaning is the argument's description in documents and errors.
func (f Field) Meaning() string {
	var parts []string
	for _, part := range []string{Vocabulary[f.Name], f.doc, f.note} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// Type is the JSON type that the schema promises; more is accepted where
// the meaning is plain.
func (f Field) Type() string { return typeName(f.kind) }

func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Timeout]():
		return "string"
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem())
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Int:
		return "integer"
	case t.Kind() == reflect.Float64:
		return "number"
	case t.Kind() == reflect.Slice:
		return "array"
	case t.Kind() == reflect.Struct:
		return "object"
	}
	panic(fmt.Sprintf("tool: no JSON type for %s", t))
}

type property struct {
	Type        string     `json:"type"`
	Description string     `json:"description,omitempty"`
	Enum        []string   `json:"enum,omitempty"`
	Default     any        `json:"default,omitempty"`
	Items       *property  `json:"items,omitempty"`
	Properties  properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`
}

// properties keep the order of the struct: a model reads them in that order.
type properties []namedProperty

type namedProperty struct {
	name string
	property
}

// MarshalJSON writes an object in the given order.
func (ps properties) MarshalJSON() ([]byte, error) {
	var out strings.Builder
	out.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			out.WriteByte(',')
		}
		raw, err := json.Marshal(p.property)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%q:%s", p.name, raw)
	}
	out.WriteByte('}')
	return []byte(out.String()), nil
}

func (f Field) property() property {
	p := property{Type: f.Type(), Description: f.doc, Enum: f.enum}
	if f.fallback != "" {
		if p.Type == "string" {
			p.Default = f.fallback
		} else {
			p.Default = json.RawMessage(f.fallback)
		}
	}
	t := f.kind
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Slice:
		p.Items = &property{Type: typeName(t.Elem()), Enum: f.enum}
		p.Enum = nil
		if t.Elem().Kind() == reflect.Struct {
			p.Items.Properties, p.Items.Required = propertiesOf(fieldsOf(t.Elem(), nil))
		}
	case reflect.Struct:
		p.Properties, p.Required = propertiesOf(fieldsOf(t, nil))
	}
	return p
}

func propertiesOf(fields []Field) (ps properties, required []string) {
	for _, f := range fields {
		if f.unlisted {
			continue
		}
		ps = append(ps, namedProperty{f.Name, f.property()})
		if f.required {
			required = append(required, f.Name)
		}
	}
	return ps, required
}

// schemaOf is the JSON schema of a tool's arguments.
func schemaOf(fields []Field) json.RawMessage {
	ps, required := propertiesOf(fields)
	raw, err := json.Marshal(struct {
		Type       string     `json:"type"`
		Properties properties `json:"properties"`
		Required   []string   `json:"required,omitempty"`
	}{"object", ps, required})
	if err != nil {
		panic(err) // the fields are ours
	}
	return raw
}
