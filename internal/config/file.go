package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A document is the file's text under its name.
type document struct {
	name string
	text []byte
}

// applyJSON sets in cfg what the text of a configuration file says.
func applyJSON(cfg *Config, name string, text []byte) error {
	doc := document{name, bytes.TrimPrefix(text, []byte("\uFEFF"))}
	if !utf8.Valid(doc.text) {
		return fault.New(fault.InvalidArgument, "%s: not UTF-8, save it in that encoding", name)
	}
	var root json.RawMessage
	if err := json.Unmarshal(doc.text, &root); err != nil {
		at := 0
		if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = max(0, int(wrong.Offset)-1) // Offset counts the wrong byte too
		}
		return fault.New(fault.InvalidArgument, "%s: not JSON: %w", doc.place(at), err)
	}
	return doc.members("", root, bytes.Index(doc.text, root), func(section member) error {
		if !slices.ContainsFunc(settings, func(s setting) bool { return s.section == section.name }) {
			return doc.unknown(section.name, section)
		}
		return doc.members(section.name, section.raw, section.rawAt, func(m member) error {
			path := section.name + "." + m.name
			i := slices.IndexFunc(settings, func(s setting) bool { return s.section == section.name && s.key == m.name })
			if i < 0 {
				return doc.unknown(path, m)
			}
			return settings[i].setJSON(cfg, doc.place(m.rawAt)+": "+path, m.raw)
		})
	})
}

// A member is a name and a value of an object, each with the byte of the document it starts at.
type member struct {
	name          string
	raw           []byte
	nameAt, rawAt int
}

// members calls visit for each member of the object raw, which is valid JSON, starts
// at a byte of the document and is the value of path ("" for the whole document).
func (d document) members(path string, raw []byte, start int, visit func(member) error) error {
	if raw[0] != '{' {
		if path == "" {
			path = "the whole file"
		}
		return fault.New(fault.InvalidArgument, "%s: %s: found %s, want an object { … }", d.place(start), path, describe(raw))
	}
	seen := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil { // the brace
		return err
	}
	for dec.More() {
		gap := raw[dec.InputOffset():]
		m := member{nameAt: start + len(raw) - len(bytes.TrimLeft(gap, " \t\r\n,"))}
		name, err := dec.Token()
		if err != nil {
			return err
		}
		m.name, _ = name.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		m.raw, m.rawAt = value, start+int(dec.InputOffset())-len(value)
		if seen[m.name] {
			return fault.New(fault.InvalidArgument, "%s: key %q a second time, keep one of them", d.place(m.nameAt), clip(m.name))
		}
		seen[m.name] = true
		if err := visit(m); err != nil {
			return err
		}
	}
	return nil
}

// unknown refuses a member that no setting answers to. A name outside every
// section may be a setting's that was put there without one.
func (d document) unknown(path string, m member) error {
	names := known(setting.path)
	var here []string // what may stand where the member does
	if path == m.name {
		for _, section := range sections {
			here = append(here, section.Tag.Get("json"))
		}
		names = append(names, here...)
	} else {
		for _, s := range settings {
			if s.path() == strings.TrimSuffix(path, m.name)+s.key {
				here = append(here, s.key)
			}
		}
	}
	next := "there are " + strings.Join(here, ", ")
	switch section, key, inside := strings.Cut(nearest(path, names), "."); {
	case inside:
		next = fmt.Sprintf("did you mean %q in %q?", key, section)
	case section != "":
		next = fmt.Sprintf("did you mean %q?", section)
	}
	return fault.New(fault.InvalidArgument, "%s: no such key %q, %s", d.place(m.nameAt), clip(path), next)
}

// place gives name:line:column of a byte, counted from 1, the column in characters.
func (d document) place(at int) string {
	before := d.text[:at]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%s:%d:%d", d.name, line, column)
}

// describe says what a JSON value is, for an error.
func describe(raw []byte) string {
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return "no JSON"
	}
	text := clip(line.String())
	switch raw[0] {
	case '"':
		return "the string " + text
	case '[':
		return "the list " + text
	case '{':
		return "the object " + text
	case 't', 'f', 'n':
		return text
	default:
		return "the number " + text
	}
}
