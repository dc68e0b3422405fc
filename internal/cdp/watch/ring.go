// Package watch keeps what the targets of a browser say and ask for: the
// console and the requests of pages, frames and workers, in rings that are
// bounded in entries and in bytes and that tell how much they dropped.
package watch

import "slices"

// A ring keeps the newest entries within its bounds. Its owner locks it.
type ring[T any] struct {
	maxEntries, maxBytes int
	size                 func(T) int
	evicted              func(T) // told of each entry that goes; may be nil

	entries []T // oldest first
	bytes   int
	dropped int // since the last clear
	added   int // ever
}

func (r *ring[T]) add(entry T) {
	r.entries = append(r.entries, entry)
	r.bytes += r.size(entry)
	r.added++
	r.trim()
}

// take gives an entry to who keeps it from now on; the ring has not dropped it.
func (r *ring[T]) take(i int) T {
	entry := r.entries[i]
	r.entries = slices.Delete(r.entries, i, i+1)
	r.bytes -= r.size(entry)
	return entry
}

// grow notes that an entry which the ring holds has become n bytes larger.
func (r *ring[T]) grow(n int) {
	r.bytes += n
	r.trim()
}

func (r *ring[T]) trim() {
	for len(r.entries) > r.maxEntries || (r.bytes > r.maxBytes && len(r.entries) > 1) {
		oldest := r.entries[0]
		r.bytes -= r.size(oldest)
		var zero T
		r.entries[0] = zero // otherwise the backing array holds it
		r.entries = r.entries[1:]
		r.dropped++
		if r.evicted != nil {
			r.evicted(oldest)
		}
	}
}

// clear empties the ring and gives the number of entries it held.
func (r *ring[T]) clear() int {
	n := len(r.entries)
	if r.evicted != nil {
		for _, entry := range r.entries {
			r.evicted(entry)
		}
	}
	r.entries, r.bytes, r.dropped = nil, 0, 0
	return n
}

// since gives the entries that were added after the ring had seen mark of them.
func (r *ring[T]) since(mark int) []T {
	n := min(r.added-mark, len(r.entries))
	return r.entries[len(r.entries)-max(n, 0):]
}
