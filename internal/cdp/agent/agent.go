// Package agent is our code inside of pages. It lives in an isolated world of
// every document: it sees the page's elements but none of its scripts' objects,
// so that no page can lie to it. The server calls its functions by name; each
// answers with plain data. Package page installs it.
package agent

import (
	"embed"
	"fmt"
	"strings"
)

// World is the name of the isolated world.
const World = "browser-mcp"

// Binding is the function with which the agent tells a document's title.
const Binding = "agentTells"

//go:embed js/*.js
var files embed.FS

// A part of the script is a file, or several that share names of their own and
// give the rest a function with the name of the first.
type part []string

// parts are in the order in which they build on each other.
var parts = []part{
	{"dom"}, {"roles"}, {"generated"}, {"names"}, {"states"}, {"base"}, {"find"}, {"reach"}, {"edit"}, {"form"}, {"watch"},
	{"outline"}, {"inspect"}, {"extract", "writers"}, {"agent"},
}

// Early runs in every document before the page's own scripts, and is small: it
// hears the events that an action makes, which no page can stop then, and tells
// the title.
var Early = text("early")

// Script installs the agent where Early has run; a second time it does nothing.
// It is sent to a document when it is needed there: in each of them it would cost
// every navigation its compilation.
var Script = assemble()

func assemble() string {
	var script strings.Builder
	script.WriteString("(() => {\nif (globalThis.agent) return;\n")
	for _, p := range parts {
		if len(p) > 1 {
			fmt.Fprintf(&script, "const %s = (() => {\n", p[0])
		}
		for _, file := range p {
			script.WriteString(text(file))
		}
		if len(p) > 1 {
			fmt.Fprintf(&script, "return %s;\n})();\n", p[0])
		}
	}
	script.WriteString("})()")
	return script.String()
}

// text gives a file of the script without its comments and its indentation,
// which every document would read again.
func text(file string) string {
	raw, err := files.ReadFile("js/" + file + ".js")
	if err != nil {
		panic(err) // it is embedded
	}
	var lean strings.Builder
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimLeft(line, " "); line != "\n" && !strings.HasPrefix(line, "//") {
			lean.WriteString(line)
		}
	}
	return lean.String()
}
