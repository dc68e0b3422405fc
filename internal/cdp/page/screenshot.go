package page

import (
	"context"
	"math"

	"github.com/chromedp/cdproto/page"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// maxShotSide is what a browser can paint into one picture, in CSS pixels.
const maxShotSide = 16384

// A Shot says what to take a picture of, and how.
type Shot struct {
	Box      *Box // of an element; nil for the viewport
	FullPage bool
	Format   string // png, jpeg, webp
	Quality  int    // 1 to 100, for jpeg and webp
	MaxSide  int    // the picture is taken smaller when its longer side were longer, in pixels
}

// A Box is a part of the tab's document, in CSS pixels from its corner.
type Box struct{ X, Y, Width, Height float64 }

// A Picture is an encoded picture and the CSS pixels that it shows.
type Picture struct {
	Data          []byte
	Width, Height int     // of what it shows, CSS pixels
	Scale         float64 // picture pixels per CSS pixel
	Cut           bool    // the page is longer than a picture can be
}

// Screenshot takes a picture; the browser scales it, so that a large page never
// travels whole.
func (p *Page) Screenshot(ctx context.Context, shot Shot) (Picture, error) {
	p.mu.Lock()
	view := page.Viewport{Width: float64(p.size[0]), Height: float64(p.size[1])}
	p.mu.Unlock()
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormat(shot.Format), OptimizeForSpeed: new(false)}
	if shot.Format != "png" {
		params.Quality = new(int64(shot.Quality))
	}
	picture := Picture{Scale: 1}
	scaled := shot.MaxSide > 0 && max(view.Width, view.Height) > float64(shot.MaxSide)
	switch {
	case shot.Box != nil:
		view = page.Viewport{X: shot.Box.X, Y: shot.Box.Y, Width: shot.Box.Width, Height: shot.Box.Height}
	case shot.FullPage, scaled:
		layout, err := cdp.Call(ctx, p.session, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return picture, err
		}
		if shot.FullPage {
			view.Width, view.Height = layout.CSSContentSize.Width, layout.CSSContentSize.Height
		} else { // a clip counts from the document's corner
			view.X, view.Y = layout.CSSVisualViewport.PageX, layout.CSSVisualViewport.PageY
		}
	}
	if view.Width > maxShotSide || view.Height > maxShotSide {
		view.Width, view.Height = min(view.Width, maxShotSide), min(view.Height, maxShotSide)
		picture.Cut = true
	}
	if side := max(view.Width, view.Height); shot.MaxSide > 0 && side > float64(shot.MaxSide) {
		picture.Scale = float64(shot.MaxSide) / side
	}
	if shot.Box != nil || shot.FullPage || picture.Scale != 1 {
		view.Scale = picture.Scale
		params.Clip, params.CaptureBeyondViewport = &view, new(shot.Box != nil || shot.FullPage)
	}
	picture.Width, picture.Height = int(math.Round(view.Width)), int(math.Round(view.Height))
	reply, err := cdp.Call(ctx, p.session, page.CaptureScreenshot, params)
	if cdp.Refused(err) {
		return picture, fault.New(fault.Internal, "the browser could not take the picture (%w); a smaller viewport or an element may work", err)
	}
	picture.Data = reply.Data
	return picture, err
}
