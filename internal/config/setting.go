package config

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// envPrefix begins every environment variable of ours.
const envPrefix = "BROWSER_MCP_"

// A setting is one field of one section of Config.
type setting struct {
	section, key string
	index        []int // of the field, from Config
	tag          reflect.StructTag
	kind         kind
	oneOf        []string // nil: any value
	min, max     int64
}

// A kind is what the type of a field means to people.
type kind struct{ name, want string }

var kinds = map[reflect.Type]kind{
	reflect.TypeFor[bool]():     {"boolean", "true or false"},
	reflect.TypeFor[int]():      {"integer", "a whole number"},
	reflect.TypeFor[string]():   {"string", "a string"},
	reflect.TypeFor[[]string](): {"list", "a list of strings, none of them empty"},
	reflect.TypeFor[Duration](): {"duration", `a duration such as "15s" or "30m"`},
	reflect.TypeFor[Viewport](): {"size", fmt.Sprintf(`a width and a height from 1 to %d such as "1280x720"`, maxSide)},
}

// sections are the fields of Config, settings those of the sections, both in the order they are written in.
var (
	sections = reflect.VisibleFields(reflect.TypeFor[Config]())
	settings = table()
)

func table() []setting {
	var all []setting
	for _, section := range sections {
		for _, field := range reflect.VisibleFields(section.Type) {
			s := setting{
				section: section.Tag.Get("json"), key: field.Tag.Get("json"),
				index: append(slices.Clone(section.Index), field.Index...),
				tag:   field.Tag, kind: kinds[field.Type],
			}
			if names, ok := field.Tag.Lookup("oneof"); ok {
				s.oneOf = strings.Split(names, ",")
			}
			s.min, s.max = bound(field, "min", math.MinInt64), bound(field, "max", math.MaxInt64)
			all = append(all, s)
		}
	}
	return all
}

// bound reads a limit from a field's tag, in the form of the field's own values.
func bound(field reflect.StructField, name string, otherwise int64) int64 {
	text, ok := field.Tag.Lookup(name)
	if !ok {
		return otherwise
	}
	limit := reflect.New(field.Type)
	if err := parse(limit.Interface(), text); err != nil {
		panic(fmt.Errorf("tag %s of %s: %w", name, field.Name, err)) // a tag in config.go is wrong
	}
	return limit.Elem().Int()
}

func (s setting) path() string { return s.section + "." + s.key }
func (s setting) env() string  { return strings.ToUpper(s.section + "_" + s.key) } // after envPrefix
func (s setting) flag() string { return strings.ReplaceAll(s.section+"-"+s.key, "_", "-") }
func (s setting) doc() string  { return s.tag.Get("doc") }

// of gives the setting's value in cfg.
func (s setting) of(cfg *Config) reflect.Value {
	return reflect.ValueOf(cfg).Elem().FieldByIndex(s.index)
}

// rule says which values of the kind are allowed, "" when all are.
func (s setting) rule() string {
	_, low := s.tag.Lookup("min")
	_, high := s.tag.Lookup("max")
	switch {
	case s.oneOf != nil:
		names := slices.Clone(s.oneOf)
		if i := slices.Index(names, ""); i >= 0 {
			names[i] = `""`
		}
		return "one of " + strings.Join(names, ", ")
	case low && high:
		return "from " + s.tag.Get("min") + " to " + s.tag.Get("max")
	case low:
		return s.tag.Get("min") + " or more"
	default:
		return ""
	}
}

// want says what is right here, for the end of an error.
func (s setting) want() string {
	rule := s.rule()
	switch {
	case s.oneOf != nil:
		return rule
	case rule != "":
		return s.kind.want + ", " + rule
	default:
		return s.kind.want
	}
}

// allows reports whether a value of the right type also keeps the rule.
func (s setting) allows(v reflect.Value) bool {
	switch {
	case s.oneOf != nil:
		return slices.Contains(s.oneOf, v.String())
	case v.CanInt():
		return s.min <= v.Int() && v.Int() <= s.max
	case v.Kind() == reflect.Slice:
		return !slices.Contains(v.Interface().([]string), "")
	default:
		return true
	}
}

// setText takes a value from the environment, a flag or a tag.
func (s setting) setText(cfg *Config, place, text string) error {
	return s.set(cfg, place, strconv.Quote(clip(text)), func(target any) error { return parse(target, text) })
}

// setJSON takes a value from the file.
func (s setting) setJSON(cfg *Config, place string, raw []byte) error {
	return s.set(cfg, place, describe(raw), func(target any) error {
		if string(raw) == "null" {
			return errors.New("null is no value") // otherwise Unmarshal leaves the target as it is
		}
		return json.Unmarshal(raw, target)
	})
}

// set replaces the setting in cfg by what decode gives, or says at which place
// what was found and what is right. Decode's own error says less and is dropped.
func (s setting) set(cfg *Config, place, found string, decode func(target any) error) error {
	value := reflect.New(s.of(cfg).Type())
	if err := decode(value.Interface()); err != nil || !s.allows(value.Elem()) {
		return fault.New(fault.InvalidArgument, "%s: found %s, want %s", place, found, s.want())
	}
	s.of(cfg).Set(value.Elem())
	return nil
}

// parse reads the plain text form of a value. A list is separated by commas, and "" is the empty list.
func parse(target any, text string) (err error) {
	switch p := target.(type) {
	case *string:
		*p = text
	case *bool:
		*p, err = strconv.ParseBool(text)
	case *int:
		*p, err = strconv.Atoi(text)
	case *[]string:
		*p = []string{}
		if strings.TrimSpace(text) == "" {
			break
		}
		for item := range strings.SplitSeq(text, ",") {
			*p = append(*p, strings.TrimSpace(item))
		}
	case encoding.TextUnmarshaler:
		err = p.UnmarshalText([]byte(text))
	default:
		err = fmt.Errorf("no text form of %T", target)
	}
	return err
}
