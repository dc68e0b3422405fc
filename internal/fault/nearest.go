package fault

import "unicode/utf8"

// Nearest gives the known name with the fewest edits to name, the first of equals,
// for an error to propose; "" when none is near. The caller bounds name's length.
func Nearest(name string, known []string) string {
	best, least := "", 0
	for _, candidate := range known {
		if edits := Edits(name, candidate); best == "" || edits < least {
			best, least = candidate, edits
		}
	}
	if !Near(least, name, best) {
		return ""
	}
	return best
}

// Near reports whether so many edits may be slips: up to a third of the longer name.
func Near(edits int, name, meant string) bool {
	return edits <= (max(utf8.RuneCountInString(name), utf8.RuneCountInString(meant))+2)/3
}

// Edits counts the characters to insert, remove or replace that make b of a (Levenshtein).
func Edits(a, b string) int {
	target := []rune(b)
	row := make([]int, len(target)+1)
	for j := range row {
		row[j] = j
	}
	for i, from := range []rune(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j, to := range target {
			replace := diagonal
			if from != to {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(target)]
}
