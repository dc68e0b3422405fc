package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A row is one line of the table.
type row struct {
	what, ours, raw, compared, must string
	over                            bool
}

func printTable(w io.Writer, rows []row) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer table.Flush()
	line := func(cells ...string) { fmt.Fprintln(table, strings.Join(cells, "\t")) }
	line("what", "ours", "raw", "compared", "must", "")
	for _, r := range rows {
		verdict := map[bool]string{false: "ok", true: "OVER"}[r.over]
		if r.must == "" {
			verdict = ""
		}
		line(r.what, r.ours, r.raw, r.compared, r.must, verdict)
	}
}

// times are the durations of one measure, in the order of the runs.
type times []time.Duration

func (t times) median() time.Duration {
	sorted := slices.Sorted(slices.Values(t))
	if len(sorted) == 0 {
		return 0
	}
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// alone is the row of a measure without a raw side.
func alone(what string, ours times, limit time.Duration) row {
	return row{
		what: what, ours: milliseconds(ours.median()), compared: "worst " + milliseconds(slices.Max(ours)),
		must: "≤ " + milliseconds(limit), over: ours.median() > limit,
	}
}

// within is the row of a measure that may take longer than raw by some time.
func within(what string, ours, raw times, more time.Duration) row {
	difference := ours.median() - raw.median()
	sign := "+"
	if difference < 0 {
		sign = "-"
	}
	return row{
		what: what, ours: milliseconds(ours.median()), raw: milliseconds(raw.median()), compared: sign + milliseconds(difference.Abs()),
		must: "≤ raw + " + milliseconds(more), over: difference > more,
	}
}

// ratio is the row of a measure that may take a multiple of raw; 0 sets no limit.
func ratio(what string, ours, raw times, factor float64) row {
	quotient := float64(ours.median()) / float64(raw.median())
	r := row{what: what, ours: milliseconds(ours.median()), raw: milliseconds(raw.median()), compared: fmt.Sprintf("×%.2f", quotient)}
	if factor > 0 {
		r.must, r.over = fmt.Sprintf("≤ raw × %.2f", factor), quotient > factor
	}
	return r
}

// milliseconds writes a duration with the digits that a measure has.
func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms == float64(int(ms)):
		return fmt.Sprintf("%.0f ms", ms)
	case ms < 10:
		return fmt.Sprintf("%.2f ms", ms)
	default:
		return fmt.Sprintf("%.1f ms", ms)
	}
}

// inTurn runs both sides n times in turn, so that the machine's noise falls on
// both; who goes first alternates.
func inTurn(n int, ours, raw func() (time.Duration, error)) (o, r times, err error) {
	for i := range n {
		sides := []struct {
			name string
			run  func() (time.Duration, error)
			into *times
		}{{"ours", ours, &o}, {"raw", raw, &r}}
		if i%2 == 1 {
			slices.Reverse(sides)
		}
		for _, side := range sides {
			took, err := side.run()
			if err != nil {
				return nil, nil, fmt.Errorf("%s, run %d: %w", side.name, i+1, err)
			}
			*side.into = append(*side.into, took)
		}
	}
	return o, r, nil
}
