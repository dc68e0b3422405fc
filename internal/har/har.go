// Package har writes captured requests down as an HTTP Archive, version 1.2,
// with the additions that browsers' own archives have. It asks nobody: bodies
// come from a function of the caller.
package har

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/chromedp/cdproto/har"

	"github.com/browser-mcp/browser-mcp/internal/cdp/network"
)

// Options say what goes into an archive besides the requests.
type Options struct {
	Version     string // of this program
	ShowSecrets bool   // the values of credentials and cookies

	// Bodies gives the bodies of a request and its response; nil stands for one
	// that is not there.
	Bodies func(network.Request) (request, response *network.Body)
}

// file, entryLog and entry are the protocol's own types with what browsers add.
type file struct {
	Log entryLog `json:"log"`
}

type entryLog struct {
	*har.Log
	Entries []entry `json:"entries"`
}

// Encode gives the archive of the requests, which are oldest first.
func Encode(requests []network.Request, o Options) ([]byte, error) {
	pages := pagesOf(requests)
	log := entryLog{
		Log:     &har.Log{Version: "1.2", Creator: &har.Creator{Name: "browser-mcp", Version: o.Version}},
		Entries: []entry{},
	}
	for _, p := range pages {
		log.Pages = append(log.Pages, p.har())
	}
	for _, r := range requests {
		log.Entries = append(log.Entries, o.entry(r, pages))
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(file{log})
	return out.Bytes(), err
}

// A page is a document with the first hop that led to it.
type page struct{ first, document network.Request }

// pagesOf finds the documents of tabs.
func pagesOf(requests []network.Request) (pages []page) {
	for _, document := range requests {
		if document.Page != document.Number {
			continue
		}
		first := slices.IndexFunc(requests, func(r network.Request) bool { return r.Page == document.Number })
		pages = append(pages, page{requests[first], document})
	}
	return pages
}

func (p page) har() *har.Page {
	before := p.document.Started.Sub(p.first.Started)
	reached := func(after time.Duration) *float64 {
		if after <= 0 {
			return new(-1.0)
		}
		return new(milliseconds(before + after))
	}
	return &har.Page{
		ID: p.id(), Title: p.document.URL, StartedDateTime: moment(p.first.Started),
		PageTimings: &har.PageTimings{OnContentLoad: reached(p.document.DOMContentLoaded), OnLoad: reached(p.document.Load)},
	}
}

// moment is a time of day as archives write it.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
