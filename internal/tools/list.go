// Package tools is the list of tools: each is a record and a plain function over
// a session. One list, [All], yields what clients are offered, its documents and
// its checks.
package tools

import (
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/clip"
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

// OnByDefault reports whether a configuration that says nothing offers the toolset.
func OnByDefault(set tool.Toolset) bool { return slices.Contains(defaultSets, set) }

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
			slices.Contains(cfg.Sets, "default") && OnByDefault(t.Set) ||
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
func Find(offered []tool.Tool, name string) (found tool.Tool, ok bool) {
	i := slices.IndexFunc(offered, func(t tool.Tool) bool { return t.Name == name })
	if i < 0 {
		return tool.Tool{}, false
	}
	return offered[i], true
}

// NotOffered is the error for a call of a tool that a configuration does not
// offer, with what would offer it, or with the name that was meant.
func NotOffered(cfg config.Tools, offered []tool.Tool, name string) error {
	name = clip.Text(name, maxName)
	t, exists := Find(All(), name)
	switch {
	case !exists:
		var names []string
		for _, t := range offered {
			names = append(names, t.Name)
		}
		next := "tools/list has those there are"
		if meant := fault.Nearest(name, names); meant != "" {
			next = "did you mean " + meant + "?"
		}
		return fault.New(fault.InvalidArgument, "there is no tool %s; %s", name, next)
	case slices.Contains(cfg.Deny, name):
		return fault.New(fault.InvalidArgument, "%s is not offered: the configuration denies it by tools.deny", name)
	case cfg.ReadOnly && !t.Effect.ReadOnly:
		return fault.New(fault.InvalidArgument, "%s is not offered: the configuration offers only tools that change nothing, by tools.read_only", name)
	default:
		sets := append(slices.Clone(cfg.Sets), string(t.Set))
		return fault.New(fault.InvalidArgument, "%s is in the toolset %s, which is off; the server offers it with --tools-sets=%s", name, t.Set, strings.Join(sets, ","))
	}
}

// maxName bounds the name of a tool that does not exist, in bytes.
const maxName = 60
