package page

import (
	"bytes"

	proto "github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/agent"
)

func (p *Page) frameStartedNavigating(ev page.EventFrameStartedNavigating) {
	switch ev.NavigationType {
	case "sameDocument", "historySameDocument":
		return
	}
	p.updateMain(ev.FrameID, func() { p.coming = &coming{loader: ev.LoaderID, url: ev.URL} })
}

func (p *Page) frameNavigated(ev page.EventFrameNavigated) {
	if ev.Frame.ParentID != "" {
		return
	}
	p.update(func() {
		p.main = ev.Frame.ID
		restored := ev.Type == "BackForwardCacheRestore"
		if restored || p.doc.loader != ev.Frame.LoaderID {
			p.commit(ev.Frame.LoaderID)
		}
		p.doc.url, p.doc.restored = ev.Frame.URL+ev.Frame.URLFragment, restored
		if restored {
			p.coming = nil
		}
	})
}

// commit makes the loader's document the one that the main frame shows; p.mu is
// held.
func (p *Page) commit(loader proto.LoaderID) {
	p.doc = document{loader: loader, url: p.doc.url, reached: map[string]bool{}}
	p.commits++
	p.crashed, p.valueWriter, p.chooser = false, "", nil
	if p.coming != nil && p.coming.loader == loader {
		p.doc.url, p.coming = p.coming.url, nil
	}
}

func (p *Page) navigatedWithinDocument(ev page.EventNavigatedWithinDocument) {
	p.updateMain(ev.FrameID, func() { p.doc.url, p.moves = ev.URL, p.moves+1 })
}

func (p *Page) lifecycleEvent(ev page.EventLifecycleEvent) {
	p.updateMain(ev.FrameID, func() {
		if p.doc.loader != ev.LoaderID {
			if ev.Name != "init" && ev.Name != "commit" && (p.coming == nil || p.coming.loader != ev.LoaderID) {
				return // the last word of a document that has been replaced
			}
			p.commit(ev.LoaderID) // its first lifecycle event can come before the frame's
		}
		p.doc.reached[ev.Name] = true
	})
}

// frameStoppedLoading ends a navigation that came to nothing: a download, a
// 204, one that was stopped.
func (p *Page) frameStoppedLoading(ev page.EventFrameStoppedLoading) {
	p.updateMain(ev.FrameID, func() { p.coming = nil })
}

// agentTold notes the title of the document that has just been loaded.
func (p *Page) agentTold(raw jsonv2.Value) {
	if !bytes.Contains(raw, []byte(agent.Binding)) {
		return // of the many that the console sends, none is decoded here
	}
	if ev, err := cdp.Decode(runtime.BindingCalled, raw); err == nil && ev.Name == agent.Binding {
		p.update(func() { p.doc.title = &ev.Payload })
	}
}

// updateMain changes the page's state if the event is about the main frame.
func (p *Page) updateMain(frame proto.FrameID, change func()) {
	p.update(func() {
		if frame == p.main {
			change()
		}
	})
}

// loadedTo reports whether the document has reached the point and nothing is
// about to replace it; p.mu is held.
func (p *Page) loadedTo(until string) bool {
	return p.coming == nil && (p.doc.restored || p.doc.reached[until])
}

// A position is where the main frame was, to see whether it moved.
type position struct{ commits, moves int }

func (p *Page) position() position {
	p.mu.Lock()
	defer p.mu.Unlock()
	return position{p.commits, p.moves}
}

// arrived reports whether another document than the one at from has reached
// the point; p.mu is held.
func (p *Page) arrived(from position, until string) bool {
	return p.commits != from.commits && p.loadedTo(until)
}

// movedWithin reports whether only the fragment or the history entry changed
// since from; p.mu is held.
func (p *Page) movedWithin(from position) bool {
	return p.commits == from.commits && p.moves != from.moves
}
