// Package ring keeps the newest of what comes without end, within bounds of
// entries and of bytes, and counts what it drops.
package ring

import "slices"

// A Ring keeps the newest entries within its bounds. Its owner locks it.
type Ring[T any] struct {
	MaxEntries, MaxBytes int
	Size                 func(T) int
	Evicted              func(T) // told of each entry that goes; may be nil

	Dropped int // since the last clear; its owner counts here what never came

	entries []T // oldest first
	bytes   int
	added   int
}

// Entries are those that are kept, oldest first; they are the ring's own.
func (r *Ring[T]) Entries() []T { return r.entries }

// Bytes is what the entries take.
func (r *Ring[T]) Bytes() int { return r.bytes }

// Added is how many entries have ever come: a mark for [Ring.Since].
func (r *Ring[T]) Added() int { return r.added }

// Add keeps an entry, the newest.
func (r *Ring[T]) Add(entry T) {
	r.entries = append(r.entries, entry)
	r.bytes += r.Size(entry)
	r.added++
	r.trim()
}

// Take gives an entry to who keeps it from now on; the ring has not dropped it.
func (r *Ring[T]) Take(i int) T {
	entry := r.entries[i]
	r.entries = slices.Delete(r.entries, i, i+1)
	r.bytes -= r.Size(entry)
	return entry
}

// Grow notes that an entry which the ring holds has become n bytes larger.
func (r *Ring[T]) Grow(n int) {
	r.bytes += n
	r.trim()
}

func (r *Ring[T]) trim() {
	for len(r.entries) > r.MaxEntries || (r.bytes > r.MaxBytes && len(r.entries) > 1) {
		oldest := r.entries[0]
		r.bytes -= r.Size(oldest)
		var zero T
		r.entries[0] = zero // otherwise the backing array holds it
		r.entries = r.entries[1:]
		r.Dropped++
		if r.Evicted != nil {
			r.Evicted(oldest)
		}
	}
}

// Clear empties the ring and gives the number of entries it held.
func (r *Ring[T]) Clear() int {
	n := len(r.entries)
	if r.Evicted != nil {
		for _, entry := range r.entries {
			r.Evicted(entry)
		}
	}
	r.entries, r.bytes, r.Dropped = nil, 0, 0
	return n
}

// Since gives the entries that were added after the ring had seen mark of them.
func (r *Ring[T]) Since(mark int) []T {
	n := min(r.added-mark, len(r.entries))
	return r.entries[len(r.entries)-max(n, 0):]
}
