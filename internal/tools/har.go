package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/browser-mcp/browser-mcp/internal/build"
	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
	"github.com/browser-mcp/browser-mcp/internal/har"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var recordingTools = []tool.Tool{
	tool.New("browser_export_har", tool.Reads, "Save the captured network requests as an HTTP Archive (HAR 1.2).", exportHAR),
}

// Bounds of the bodies in an archive, in bytes, and of the time for each.
const (
	maxArchivedBody   = 4 << 20
	maxArchivedBodies = 16 << 20
	bodyPatience      = 2 * time.Second
)

type exportHARArgs struct {
	Path   string `json:"path,omitempty" note:"where to save; chosen if left out"`
	Bodies bool   `json:"bodies,omitempty" doc:"with request and response bodies"`
	tool.ActionTimeout
}

func exportHAR(ctx context.Context, s *session.Session, args exportHARArgs) (tool.Reply, error) {
	if err := mayWrite(s, args.Path); err != nil {
		return tool.Reply{}, err
	}
	newest, loss := s.Requests.Recent()
	newest = slices.DeleteFunc(newest, func(r network.Request) bool { return strings.HasPrefix(r.URL, "data:") }) // which ask nobody
	if len(newest) == 0 {
		return tool.Text("No network requests, so there is nothing to export. Open a page first."), nil
	}
	slices.Reverse(newest)
	pages := 0
	for i, r := range newest {
		if r.Page == r.Number {
			pages++
		}
		if whole, ok := s.Requests.Find(r.Number); ok {
			newest[i] = whole // with its messages
		}
	}
	bodies := archivedBodies{ctx: ctx, requests: s.Requests, wanted: args.Bodies}
	data, err := har.Encode(newest, har.Options{Version: build.Version(), ShowSecrets: s.Config.Secrets.ShowHeaders, Bodies: bodies.of})
	if err != nil {
		return tool.Reply{}, fmt.Errorf("encoding the archive: %w", err)
	}
	file, err := save(s, args.Path, "network", "har", data)
	if err != nil {
		return tool.Reply{}, err
	}
	text := fmt.Sprintf("Saved %d network requests of %d page(s) to %s (%s).", len(newest), pages, file.Path, byteSize(file.Size))
	if args.Bodies {
		text += fmt.Sprintf(" %d bodies are in it.", bodies.kept)
		if bodies.missing > 0 {
			text += fmt.Sprintf(" %d are not: the browser does not have them any more or does not answer, or they are too large.", bodies.missing)
		}
	}
	if loss.Requests > 0 {
		text += fmt.Sprintf(" %d older requests were dropped before.", loss.Requests)
	}
	return tool.Text(text).Linking(file), nil
}

// archivedBodies gives the bodies for an archive within the bounds.
type archivedBodies struct {
	ctx           context.Context
	requests      *network.Requests
	wanted        bool
	size          int
	kept, missing int
	stuck         bool // the browser did not answer in time, and is not asked again
}

func (b *archivedBodies) of(r network.Request) (request, response *network.Body) {
	if !b.wanted {
		return nil, nil
	}
	if r.HasBody() {
		request = b.keep(func(ctx context.Context) (network.Body, error) {
			body, _, err := b.requests.RequestBody(ctx, r)
			return body, err
		})
	}
	stream := r.Type == "WebSocket" || r.Type == "EventSource"
	if stream || r.Status == 0 || r.Next != 0 || r.Decoded == 0 && r.Source() != network.SourceMemoryCache || r.Failure != "" {
		return request, nil
	}
	response = b.keep(func(ctx context.Context) (network.Body, error) {
		if r.Decoded > maxArchivedBody {
			return network.Body{}, errTooLarge
		}
		return b.requests.ResponseBody(ctx, r)
	})
	return request, response
}

var errTooLarge = errors.New("too large for an archive")

// keep gets a body and counts it; nil stands for one that is missing.
func (b *archivedBodies) keep(get func(context.Context) (network.Body, error)) *network.Body {
	if !b.stuck {
		ctx, cancel := session.WithLimit(b.ctx, bodyPatience)
		defer cancel()
		body, err := get(ctx)
		b.stuck = ctx.Err() != nil
		if err == nil && b.fits(body) {
			b.kept++
			return &body
		}
	}
	b.missing++
	return nil
}

func (b *archivedBodies) fits(body network.Body) bool {
	if len(body.Data) > maxArchivedBody || b.size+len(body.Data) > maxArchivedBodies {
		return false
	}
	b.size += len(body.Data)
	return true
}
