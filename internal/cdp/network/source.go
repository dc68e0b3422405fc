package network

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/network"

	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// The sources that a response can come from.
const (
	SourceNetwork       = "network"
	SourceMemoryCache   = "memory cache"
	sourceRevalidated   = "network (304 revalidated)"
	sourceDiskCache     = "disk cache"
	sourcePrefetch      = "prefetch cache"
	sourceServiceWorker = "service worker" // with its own source: service worker (cache-storage "v1")
	sourceInline        = "inline"         // data: and blob: addresses
)

// An origin is what the browser tells about where a response came from.
type origin struct {
	memory, prefetch, worker, disk bool
	workerSource                   network.ServiceWorkerResponseSource
	cacheName                      string
}

func (o *origin) read(resp *response) {
	o.prefetch, o.worker, o.disk = resp.Prefetch, resp.Worker, resp.DiskCache
	o.workerSource, o.cacheName = resp.WorkerSource, clip.Text(resp.CacheName, maxWord)
}

// Source is where the response came from; "" without a response. The order of
// the tests matters: what the memory cache gives repeats the marks of the first
// time, and what comes by a service worker or a prefetch may also bear the mark
// of the disk cache.
func (r *Request) Source() string {
	switch {
	case r.Status == 0:
		return ""
	case strings.HasPrefix(r.URL, "data:") || strings.HasPrefix(r.URL, "blob:"):
		return sourceInline
	case r.from.memory:
		return SourceMemoryCache
	case r.from.prefetch:
		return sourcePrefetch
	case r.from.worker && r.from.cacheName != "":
		return fmt.Sprintf("%s (%s %q)", sourceServiceWorker, r.from.workerSource, r.from.cacheName)
	case r.from.worker && r.from.workerSource != "":
		return fmt.Sprintf("%s (%s)", sourceServiceWorker, r.from.workerSource)
	case r.from.worker:
		return sourceServiceWorker
	case r.from.disk:
		return sourceDiskCache
	case r.WireStatus == http.StatusNotModified && r.Status != r.WireStatus:
		return sourceRevalidated
	default:
		return SourceNetwork
	}
}
