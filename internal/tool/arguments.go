package tool

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Bounds of a timeout argument.
const (
	minTimeout = 100 * time.Millisecond
	maxTimeout = 5 * time.Minute
)

// decode reads the arguments of a call into their struct. Unknown, missing and
// mistyped ones are refused by name, with what would be right. "42" is taken for
// 42, and 42 for "42".
func decode[A any](t Tool, arguments map[string]json.RawMessage) (args A, err error) {
	err = decodeFields(t.Name, t.Fields, arguments, reflect.ValueOf(&args).Elem())
	return args, err
}

func decodeFields(owner string, fields []Field, arguments map[string]json.RawMessage, into reflect.Value) error {
	if err := refuseUnknown(owner, fields, arguments); err != nil {
		return err
	}
	for _, f := range fields {
		raw, given := arguments[f.Name]
		if given && string(raw) == "null" {
			given = false // how some clients leave an argument out
		}
		switch {
		case given:
		case f.required:
			return fault.New(fault.InvalidArgument, "argument %q is missing: %s needs %s", f.Name, owner, f.expected())
		case f.fallback != "":
			raw = json.RawMessage(f.fallback)
			if f.Type() == "string" {
				raw = json.RawMessage(strconv.Quote(f.fallback))
			}
		default:
			continue
		}
		value, err := f.convert(f.kind, raw)
		if err != nil {
			return fault.New(fault.InvalidArgument, "argument %q of %s: %w", f.Name, owner, err)
		}
		into.FieldByIndex(f.index).Set(value)
	}
	return nil
}

func refuseUnknown(owner string, fields []Field, arguments map[string]json.RawMessage) error {
	var known []string
	for _, f := range fields {
		known = append(known, f.Name)
	}
	var unknown []string
	for name := range arguments {
		if !slices.Contains(known, name) {
			unknown = append(unknown, strconv.Quote(name))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	takes := "it takes no arguments"
	if len(known) > 0 {
		takes = "it takes " + strings.Join(known, ", ")
	}
	return fault.New(fault.InvalidArgument, "%s does not know the argument %s; %s", owner, strings.Join(unknown, ", "), takes)
}

// expected says what the argument takes.
func (f Field) expected() string {
	what := map[string]string{"string": "a string", "boolean": "true or false", "integer": "a whole number", "number": "a number", "array": "a list", "object": "an object"}[f.Type()]
	if len(f.enum) > 0 {
		what = "one of " + strings.Join(f.enum, ", ")
	}
	if f.kind == reflect.TypeFor[Timeout]() {
		what = `a duration such as "15s" or "500ms", or a number of milliseconds, from 100ms to 5m`
	}
	if meaning := f.Meaning(); meaning != "" && len(f.enum) == 0 && f.kind != reflect.TypeFor[Timeout]() {
		what += " (" + meaning + ")"
	}
	return what
}

// wrong is the error for a value that the argument does not take.
func (f Field) wrong(raw json.RawMessage) error {
	shown := string(raw)
	if len(shown) > 60 {
		shown = strings.ToValidUTF8(shown[:60], "") + "…"
	}
	return fmt.Errorf("%s is not %s", shown, f.expected())
}

func (f Field) convert(t reflect.Type, raw json.RawMessage) (reflect.Value, error) {
	value := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[Timeout]():
		d, err := f.duration(raw)
		value.SetInt(int64(d))
		return value, err
	case t.Kind() == reflect.Pointer:
		inner, err := f.convert(t.Elem(), raw)
		if err == nil {
			value.Set(reflect.New(t.Elem()))
			value.Elem().Set(inner)
		}
		return value, err
	}
	switch t.Kind() {
	case reflect.String:
		s, err := f.text(raw)
		value.SetString(s)
		return value, err
	case reflect.Bool:
		switch strings.ToLower(strings.Trim(string(raw), `"`)) {
		case "true":
			value.SetBool(true)
		case "false":
		default:
			return value, f.wrong(raw)
		}
		return value, nil
	case reflect.Int:
		n, err := f.number(raw)
		if err == nil && n != math.Trunc(n) {
			err = f.wrong(raw)
		}
		value.SetInt(int64(n))
		return value, err
	case reflect.Float64:
		n, err := f.number(raw)
		value.SetFloat(n)
		return value, err
	case reflect.Slice:
		return f.list(t, raw)
	default:
		return f.object(t, raw)
	}
}

func (f Field) text(raw json.RawMessage) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		var n json.Number
		switch plain := string(raw); {
		case f.scalar && (plain == "true" || plain == "false"):
			s = plain
		case json.Unmarshal(raw, &n) == nil:
			s = n.String()
		default:
			return "", f.wrong(raw)
		}
	}
	switch {
	case s == "" && f.required && !f.empty:
		return "", fmt.Errorf("it is empty; give %s", f.expected())
	case len(f.enum) > 0 && !slices.Contains(f.enum, s):
		return "", f.wrong(raw)
	}
	return s, nil
}

func (f Field) number(raw json.RawMessage) (float64, error) {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || math.Abs(n) > 1<<53 {
		return 0, f.wrong(raw)
	}
	if low, err := strconv.ParseFloat(f.min, 64); err == nil && n < low {
		return 0, fmt.Errorf("%v is too small; the least is %s", n, f.min)
	}
	if high, err := strconv.ParseFloat(f.max, 64); err == nil && n > high {
		return 0, fmt.Errorf("%v is too large; the most is %s", n, f.max)
	}
	return n, nil
}

func (f Field) duration(raw json.RawMessage) (time.Duration, error) {
	text := strings.Trim(string(raw), `"`)
	d, err := time.ParseDuration(text)
	if err != nil {
		ms, failed := strconv.ParseFloat(text, 64)
		if failed != nil || !(ms >= 0 && ms < 1e9) {
			return 0, f.wrong(raw)
		}
		d = time.Duration(ms * float64(time.Millisecond))
	}
	if d < minTimeout || d > maxTimeout {
		return 0, f.wrong(raw)
	}
	return d, nil
}

// list also takes a lone value, and a list that a client wrote as a string.
func (f Field) list(t reflect.Type, raw json.RawMessage) (reflect.Value, error) {
	value := reflect.New(t).Elem()
	var items []json.RawMessage
	if err := json.Unmarshal(unquoted(raw, '['), &items); err != nil {
		items = []json.RawMessage{raw}
	}
	one := f
	one.kind, one.required = t.Elem(), true
	for _, item := range items {
		one, err := one.convert(t.Elem(), item)
		if err != nil {
			return value, err
		}
		value.Set(reflect.Append(value, one))
	}
	return value, nil
}

func (f Field) object(t reflect.Type, raw json.RawMessage) (reflect.Value, error) {
	value := reflect.New(t).Elem()
	var inner map[string]json.RawMessage
	if err := json.Unmarshal(unquoted(raw, '{'), &inner); err != nil || inner == nil {
		return value, f.wrong(raw)
	}
	return value, decodeFields(f.Name, fieldsOf(t, nil), inner, value)
}

// unquoted gives the JSON inside a string, if that is what raw holds.
func unquoted(raw json.RawMessage, open byte) json.RawMessage {
	var s string
	if json.Unmarshal(raw, &s) == nil && strings.HasPrefix(strings.TrimSpace(s), string(open)) {
		return json.RawMessage(s)
	}
	return raw
}
