// Package view tells what a page shows, in words: an outline of its elements with
// refs, the elements that hold a text, the properties of one.
package view

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// SnapshotOptions say what an outline is to show.
type SnapshotOptions struct {
	Selector    string // the part of the page; "" for all of it
	Interactive bool   // only what can be acted on
	Depth       int    // levels; 0 for all
	Offset      *int   // the first line; nil for the page's first, or what is in view when not all fits
	Budget      int    // of the outline, in bytes
}

// outline is the agent's answer.
type outline struct {
	Title, URL          string
	Width, Height       int
	ScrollY, PageHeight int
	From, Total         int
	Above               []string // what the first line stands in
	Lines               []line
}

type line struct {
	Depth      int
	Head, Tail string
	ID         int64 // for a ref; 0 without one
	Frame      bool
}

// Bounds of what an outline shows of the frames in it.
const (
	minFrameBudget = 500 // bytes; with less a frame is only named
	noteRoom       = 150 // bytes for what is said below a frame's outline
	maxFrameDepth  = 6
)

// A sketch is an outline that is being written.
type sketch struct {
	out  strings.Builder
	tab  *page.Page
	opts SnapshotOptions
	bare int // frames that are only named, for want of room
}

// Snapshot gives the page's outline: a line for each element that says something,
// indented by its level, with its role, name, ref, states and value.
func Snapshot(ctx context.Context, tab *page.Page, opts SnapshotOptions) (string, error) {
	var text string
	err := tab.AcrossDocuments(ctx, func() (err error) {
		text, err = snapshot(ctx, tab, opts)
		return err
	})
	return text, err
}

func snapshot(ctx context.Context, tab *page.Page, opts SnapshotOptions) (string, error) {
	at := element.Place{Frame: tab.Main()}
	if opts.Selector != "" {
		found, err := element.Find(ctx, tab, opts.Selector)
		if err != nil {
			return "", err
		}
		at = found.Place
		child, err := at.Frame.Child(ctx, at.Number)
		if err != nil {
			return "", err
		}
		if child != nil {
			at = element.Place{Frame: child}
		}
	}
	s := &sketch{tab: tab, opts: opts}
	if err := s.draw(ctx, at, 0, opts.Budget, opts.Offset); err != nil {
		return "", err
	}
	return strings.TrimRight(s.out.String(), "\n"), nil
}

// draw writes the outline of one document, and of the frames in it as far as
// there is room.
func (s *sketch) draw(ctx context.Context, at element.Place, level, budget int, offset *int) error {
	options := map[string]any{"interactive": s.opts.Interactive, "depth": s.opts.Depth, "budget": budget}
	if offset != nil {
		options["offset"] = *offset
	}
	o, document, err := page.Look[*outline](ctx, at.Frame, "outline", at.Number, options)
	switch {
	case err != nil:
		return err
	case o == nil:
		return fault.New(fault.SelectorNotFound, "the element is no longer in the page; take a new browser_snapshot")
	}
	if level == 0 {
		s.heading(o, offset)
	} else {
		budget -= noteRoom
	}
	start, shown := s.out.Len(), 0
	for ; shown < len(o.Lines); shown++ {
		l, ref := o.Lines[shown], ""
		if l.ID != 0 {
			ref = " " + s.tab.Refs().Name(at.Frame, document, l.ID)
		}
		text := strings.Repeat(" ", level+l.Depth) + l.Head + ref + l.Tail + "\n"
		if room := budget - (s.out.Len() - start); len(text) > room {
			if shown > 0 || level > 0 {
				break
			}
			text = clip.Text(text, room-len("…\n")) + "\n" // else no offset leads past it
		}
		s.out.WriteString(text)
		if l.Frame && !s.opts.Interactive || l.Frame && l.ID != 0 {
			left := budget - (s.out.Len() - start) - rest(o.Lines[shown+1:], level)
			if err := s.frame(ctx, at, l, level+l.Depth+1, left); err != nil {
				return err
			}
		}
	}
	if level == 0 {
		s.ending(o, shown)
	} else if left := o.Total - o.From - shown; left > 0 {
		fmt.Fprintf(&s.out, "%s… %d more lines in this frame: browser_snapshot with its ref as selector\n", strings.Repeat(" ", level), left)
	}
	return nil
}

// rest is what the lines to come need, in bytes.
func rest(lines []line, level int) (n int) {
	const refAndBreak = 10
	for _, l := range lines {
		n += level + l.Depth + len(l.Head) + len(l.Tail) + refAndBreak
	}
	return n
}

// frame writes what a frame's document shows within budget, in bytes; one that
// cannot be read now is only named. The error is what ended the call.
func (s *sketch) frame(ctx context.Context, at element.Place, l line, level, budget int) error {
	if budget < minFrameBudget || level > maxFrameDepth*10 {
		s.bare++
		return nil
	}
	child, err := at.Frame.Child(ctx, l.ID)
	if err == nil && child != nil {
		err = s.draw(ctx, element.Place{Frame: child}, level, budget, nil)
	}
	if cause := context.Cause(ctx); cause != nil && !fault.Is(cause, fault.Timeout) {
		return cause
	}
	if err != nil {
		fmt.Fprintf(&s.out, "%s… its document could not be read now\n", strings.Repeat(" ", level))
	}
	return nil
}

func (s *sketch) heading(o *outline, offset *int) {
	title := strconv.Quote(clip.Text(o.Title, 200))
	fmt.Fprintf(&s.out, "\"%s\" %s", clip.Text(title[1:len(title)-1], 200+len("…")), clip.Text(o.URL, 300))
	if o.PageHeight > o.Height {
		fmt.Fprintf(&s.out, " (viewport %d×%d, scrolled to %d of %d)", o.Width, o.Height, o.ScrollY, o.PageHeight)
	}
	s.out.WriteString("\n")
	switch {
	case o.Total == 0:
		s.out.WriteString("Nothing is seen here")
		if s.opts.Interactive {
			s.out.WriteString(" that can be acted on")
		}
		s.out.WriteString(".\n")
	case o.From >= o.Total:
		fmt.Fprintf(&s.out, "The outline has only %d lines.\n", o.Total)
	case o.From > 0 && offset == nil:
		fmt.Fprintf(&s.out, "… %d lines above what is in view: offset=0\n", o.From)
	}
	if len(o.Above) > 0 {
		fmt.Fprintf(&s.out, "… in %s\n", clip.Text(strings.Join(o.Above, " > "), 200))
	}
}

func (s *sketch) ending(o *outline, shown int) {
	if s.bare > 0 {
		fmt.Fprintf(&s.out, "… the content of %d frame(s) is left out for want of room: browser_snapshot with the ref of one as selector\n", s.bare)
	}
	if next := o.From + shown; next < o.Total {
		fmt.Fprintf(&s.out, "… %d more, continue with offset=%d\n", o.Total-next, next)
	}
}
