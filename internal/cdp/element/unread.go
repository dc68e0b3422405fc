package element

import (
	"context"
	"fmt"
	"strings"

	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// Unread are the frames that a look left out, because they did not answer, moved
// on or were not reached in time: the selector of each.
type Unread []string

const (
	maxUnreadNamed = 3
	maxUnreadName  = 100 // bytes
)

// String is «2 frame(s) could not be read: #pay, #ad >> iframe», "" when all were read.
func (u Unread) String() string {
	if len(u) == 0 {
		return ""
	}
	named := make([]string, 0, maxUnreadNamed+1)
	for _, selector := range u[:min(len(u), maxUnreadNamed)] {
		named = append(named, clip.Text(selector, maxUnreadName))
	}
	if len(u) > maxUnreadNamed {
		named = append(named, "…")
	}
	return fmt.Sprintf("%d frame(s) could not be read: %s", len(u), strings.Join(named, ", "))
}

// Each looks at every frame that an element of f's document shows; inside is f's
// own selector, "" for the main frame's. A frame whose look fails is noted, and so
// is what is left when the time of ctx is over.
func (u *Unread) Each(ctx context.Context, f *page.Frame, frames []FrameElement, inside string, look func(child *page.Frame, selector string) error) {
	for _, one := range frames {
		selector := strings.TrimPrefix(inside+" >> "+one.Selector, " >> ")
		err := ctx.Err()
		if err == nil {
			var child *page.Frame
			if child, err = f.Child(ctx, one.ID); err == nil && child != nil {
				err = look(child, selector)
			}
		}
		if err != nil {
			*u = append(*u, selector)
		}
	}
}
