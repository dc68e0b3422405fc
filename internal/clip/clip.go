// Package clip shortens texts of any length to what is worth keeping or telling.
package clip

import "strings"

// Text shortens a text to n bytes, never in the middle of a letter, and shows
// that it did. What it gives does not hold on to the whole.
func Text(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
