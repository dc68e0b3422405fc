package tools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var pwaTools = []tool.Tool{
	tool.New("browser_get_network_sources", tool.Reads, "Where each response came from: network, caches, service worker.", networkSources),
	tool.OnPage("browser_get_service_workers", tool.Looks, "Service workers and caches; why none controls the page.", getServiceWorkers),
	tool.New("browser_set_offline", tool.Sets, "Go offline, or online again.", setOffline).Holding(),
}

type setOfflineArgs struct {
	Offline bool `json:"offline"`
}

func setOffline(ctx context.Context, s *session.Session, args setOfflineArgs) (tool.Reply, error) {
	if err := session.AwaitTurn(ctx); err != nil {
		return tool.Reply{}, err
	}
	reach := s.SetOffline(ctx, args.Offline)
	said := "Online: "
	if args.Offline {
		said = "Offline: "
	}
	kinds := reached(reach.Targets)
	switch {
	case kinds != "":
		said += kinds + "."
	case reach.Stopped+reach.Silent > 0:
		said += "no page has it in force yet."
	default:
		said += "no page is open; it holds for the next one."
	}
	if reach.Stopped > 0 {
		said += fmt.Sprintf(" %d stopped service worker(s) get it when they start.", reach.Stopped)
	}
	if reach.Silent > 0 {
		said += fmt.Sprintf(" %d busy target(s) get it as soon as they answer.", reach.Silent)
	}
	if args.Offline {
		said += ` It holds for new tabs and workers, until {"offline": false}. Caches go on answering; navigator.onLine is false; connections that are open already may stay.`
	}
	return tool.Text(said), nil
}

// reached is `2 page(s), 1 service worker(s)`.
func reached(targets map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(targets)) {
		parts = append(parts, fmt.Sprintf("%d %s(s)", targets[kind], kind))
	}
	return strings.Join(parts, ", ")
}
