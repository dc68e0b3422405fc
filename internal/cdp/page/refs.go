package page

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// Refs give elements of a session's pages short names, e12, that stay theirs as
// long as their document is there. A name is never given twice.
type Refs struct {
	mu     sync.Mutex
	last   int
	names  map[string]map[int64]int // by document and the agent's number in it
	things map[int]Ref
}

// maxRefs bounds the names of a document: a page that draws itself anew all the
// time would have ever more.
const maxRefs = 20000

// A Ref is the element behind a name.
type Ref struct {
	Frame    *Frame
	Number   int64  // the agent's, in the frame's document
	document string // in which it was named
}

// NewRefs makes the names of a session.
func NewRefs() *Refs { return &Refs{names: map[string]map[int64]int{}, things: map[int]Ref{}} }

// Name gives the element its name; document is the one that the number belongs to.
func (r *Refs) Name(f *Frame, document string, number int64) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := r.names[document]
	if names == nil {
		names = map[int64]int{}
		r.names[document] = names
	}
	n, known := names[number]
	if !known {
		if len(names) >= maxRefs {
			r.dropOldest(names)
		}
		r.last++
		n = r.last
		names[number] = n
		r.things[n] = Ref{Frame: f, Number: number, document: document}
	}
	return fmt.Sprintf("e%d", n)
}

// Find gives the element of a name for a call on the tab.
func (r *Refs) Find(tab *Page, name string) (Ref, error) {
	var n int
	_, _ = fmt.Sscanf(name, "e%d", &n) // the parser of selectors lets nothing else through
	r.mu.Lock()
	ref, alive := r.things[n]
	last := r.last
	r.mu.Unlock()
	switch {
	case n > last:
		return ref, fault.New(fault.SelectorNotFound, "there is no ref %s; refs come from browser_snapshot and browser_find", name)
	case !alive:
		return ref, errDeadRef(name)
	case ref.Frame.page != tab:
		return ref, fault.New(fault.SelectorNotFound, "ref %s belongs to another tab; select that with browser_tabs", name)
	case ref.Frame.Document() != ref.document:
		return ref, errDeadRef(name)
	}
	return ref, nil
}

func errDeadRef(name string) error {
	return fault.New(fault.SelectorNotFound, "ref %s is dead, because its page is gone; take a new browser_snapshot", name)
}

// dropOldest forgets the older half of a document's names; r.mu is held.
func (r *Refs) dropOldest(names map[int64]int) {
	order := slices.Sorted(maps.Values(names))
	for number, n := range names {
		if n <= order[len(order)/2] {
			delete(names, number)
			delete(r.things, n)
		}
	}
}

// end forgets the names of a document that is gone.
func (r *Refs) end(document string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.names[document] {
		delete(r.things, n)
	}
	delete(r.names, document)
}
