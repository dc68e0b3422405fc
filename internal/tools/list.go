// Package tools is the list of tools: each is a record and a plain function over
// a session. One list, [All], yields what clients are offered, its documents and
// its checks.
package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

// The toolsets.
const (
	Core      tool.Toolset = "core"
	Forms     tool.Toolset = "forms"
	Content   tool.Toolset = "content"
	Tabs      tool.Toolset = "tabs"
	PWA       tool.Toolset = "pwa"
	Recording tool.Toolset = "recording"
)

// lists are the tools of each topic with their toolset, in the order in which
// clients see them.
var lists = []struct {
	set   tool.Toolset
	tools []tool.Tool
}{
	{Core, navigationTools}, {Core, viewTools}, {Core, scriptTools}, {Core, pictureTools}, {Core, actionTools},
	{Forms, formTools}, {Core, waitTools}, {Content, contentTools}, {Content, extractTools}, {Core, consoleTools},
	{Core, networkTools}, {PWA, pwaTools}, {Recording, recordingTools}, {Tabs, tabTools}, {Core, sessionTools},
}

// All is the list of tools, in the order in which clients see them.
func All() (all []tool.Tool) {
	for _, list := range lists {
		for _, t := range list.tools {
			t.Set = list.set
			all = append(all, t)
		}
	}
	return all
}

// defaultSets are on when the configuration says "default".
var defaultSets = []tool.Toolset{Core, Forms, Content, Tabs, PWA}

// Select gives the tools that a configuration offers. Names that no tool or
// toolset has are refused, because a rule that names nothing protects nothing.
func Select(cfg config.Tools) ([]tool.Tool, error) {
	all := All()
	if err := checkNames(cfg, all); err != nil {
		return nil, err
	}
	var offered []tool.Tool
	for _, t := range all {
		chosen := slices.Contains(cfg.Sets, "all") || slices.Contains(cfg.Sets, string(t.Set)) ||
			slices.Contains(cfg.Sets, "default") && slices.Contains(defaultSets, t.Set) ||
			slices.Contains(cfg.Allow, t.Name)
		if chosen && !slices.Contains(cfg.Deny, t.Name) && (t.Effect.ReadOnly || !cfg.ReadOnly) {
			offered = append(offered, t)
		}
	}
	if len(offered) == 0 {
		return nil, fault.New(fault.InvalidArgument, "the configuration offers no tool: look at tools.sets, tools.allow, tools.deny and tools.read_only")
	}
	return offered, nil
}

func checkNames(cfg config.Tools, all []tool.Tool) error {
	sets := []string{"default", "all"}
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
		if !slices.Contains(sets, string(t.Set)) {
			sets = append(sets, string(t.Set))
		}
	}
	for key, rule := range map[string]struct{ given, known []string }{
		"tools.sets": {cfg.Sets, sets}, "tools.allow": {cfg.Allow, names}, "tools.deny": {cfg.Deny, names},
	} {
		for _, name := range rule.given {
			if !slices.Contains(rule.known, name) {
				return fault.New(fault.InvalidArgument, "%s names %q, which does not exist; there are %s", key, name, strings.Join(rule.known, ", "))
			}
		}
	}
	return nil
}

// Find gives the tool of that name among those offered.
func Find(offered []tool.Tool, name string) (tool.Tool, error) {
	for _, t := range offered {
		if t.Name == name {
			return t, nil
		}
	}
	return tool.Tool{}, fmt.Errorf("no tool %q", name)
}
