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

// Script installs the agent in a document; a second time it does nothing.
var Script = assemble()

func assemble() string {
	var script strings.Builder
	script.WriteString("(() => {\nif (globalThis.agent) return;\n")
	for _, p := range parts {
		if len(p) > 1 {
			fmt.Fprintf(&script, "const %s = (() => {\n", p[0])
		}
		for _, file := range p {
			text, err := files.ReadFile("js/" + file + ".js")
			if err != nil {
				panic(err) // it is embedded
			}
			script.Write(text)
		}
		if len(p) > 1 {
			fmt.Fprintf(&script, "return %s;\n})();\n", p[0])
		}
	}
	script.WriteString("})()")
	return script.String()
}
