// Package agent is our code inside of pages. It lives in an isolated world of
// every document: it sees the page's elements but none of its scripts' objects,
// so that no page can lie to it. The server calls its functions by name; each
// answers with plain data. Package page installs it.
package agent

import (
	"embed"
	"strings"
)

// World is the name of the isolated world.
const World = "browser-mcp"

// Binding is the function with which the agent tells a document's title.
const Binding = "agentTells"

//go:embed js/*.js
var files embed.FS

// parts are the files of the script, in the order in which they build on each other.
var parts = []string{"roles", "generated", "names", "states", "base", "find", "reach", "edit", "form", "watch", "outline", "inspect", "agent"}

// Script installs the agent in a document; a second time it does nothing.
var Script = assemble()

func assemble() string {
	var script strings.Builder
	script.WriteString("(() => {\nif (globalThis.agent) return;\n")
	for _, part := range parts {
		text, err := files.ReadFile("js/" + part + ".js")
		if err != nil {
			panic(err) // it is embedded
		}
		script.Write(text)
	}
	script.WriteString("})()")
	return script.String()
}
