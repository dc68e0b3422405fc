package config

import (
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// clipped is how many characters of a foreign name or value an error repeats and a search compares.
const clipped = 60

// clip shortens what somebody else wrote, so that an error stays one line to read.
func clip(text string) string {
	if runes := []rune(text); len(runes) > clipped {
		return string(runes[:clipped]) + "…"
	}
	return text
}

// known gives the names of all settings in one spelling, such as setting.flag.
func known(spelling func(setting) string) []string {
	var names []string
	for _, s := range settings {
		names = append(names, spelling(s))
	}
	return names
}

// nearest gives the known name that name was most likely meant to be, whatever its
// case: the one with the fewest edits, "" when none is near. A right key under a wrong section or under none
// is near too, but a wrong key rather belongs to the section it was put in.
func nearest(name string, known []string) string {
	name = strings.ToLower(clip(name))
	best, least := "", 0
	for _, candidate := range known {
		lower := strings.ToLower(candidate)
		cost := min(fault.Edits(name, lower), 1+2*fault.Edits(keyPart(name), keyPart(lower)))
		if best == "" || cost < least {
			best, least = candidate, cost
		}
	}
	if !fault.Near(least, name, best) {
		return ""
	}
	return best
}

// keyPart cuts a section off a name, be it a path, a flag or a variable.
func keyPart(name string) string {
	for _, section := range sections {
		rest, ok := strings.CutPrefix(name, section.Tag.Get("json"))
		if ok && len(rest) > 1 && strings.ContainsAny(rest[:1], ".-_") {
			return rest[1:]
		}
	}
	return name
}
