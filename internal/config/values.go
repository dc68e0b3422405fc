package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Duration is a time.Duration, never negative, that reads and writes as "15s".
type Duration time.Duration

// String gives the shortest form that Go reads: "30m", not "30m0s".
func (d Duration) String() string {
	text := time.Duration(d).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// MarshalText writes the form of String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what time.ParseDuration reads, and refuses what is negative.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return err
	}
	if parsed < 0 {
		return fmt.Errorf("duration %s is negative", parsed)
	}
	*d = Duration(parsed)
	return nil
}

// maxSide is the largest width or height of a Viewport.
const maxSide = 10000

// A Viewport is the size of a tab in CSS pixels. It reads and writes as "1280x720".
type Viewport struct{ Width, Height int }

// String gives the form "1280x720".
func (v Viewport) String() string { return fmt.Sprintf("%dx%d", v.Width, v.Height) }

// MarshalText writes the form of String.
func (v Viewport) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads "1280x720" or "1280×720", each side from 1 to 10000.
func (v *Viewport) UnmarshalText(text []byte) error {
	width, height, _ := strings.Cut(strings.Replace(string(text), "×", "x", 1), "x")
	parsed := Viewport{side(width), side(height)}
	if parsed.Width == 0 || parsed.Height == 0 {
		return fmt.Errorf("viewport %q is no width and height from 1 to %d such as 1280x720", text, maxSide)
	}
	*v = parsed
	return nil
}

// side gives the number of pixels that text names in plain digits, 0 when it names none in range.
func side(text string) int {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n > maxSide {
		return 0
	}
	return int(n)
}
