package tools

import (
	"context"
	"fmt"

	"github.com/browser-mcp/browser-mcp/internal/cdp/element"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/images"
	"github.com/browser-mcp/browser-mcp/internal/output"
	"github.com/browser-mcp/browser-mcp/internal/session"
	"github.com/browser-mcp/browser-mcp/internal/tool"
)

var pictureTools = []tool.Tool{
	tool.OnPage("browser_take_screenshot", tool.Looks, "Picture of the viewport, an element or the whole page; shown, and saved to a file.", takeScreenshot).Holding(), // it scrolls
	tool.New("read_image", tool.Reads, "Show an image file: PNG, JPEG, GIF or WebP.", readImage),
}

type screenshotArgs struct {
	Selector string `json:"selector,omitempty"`
	FullPage bool   `json:"full_page,omitempty"`
	Format   string `json:"format,omitempty" enum:"png,jpeg,webp" default:"png"`
	Quality  int    `json:"quality,omitempty" default:"80" min:"1" max:"100" note:"of jpeg and webp"`
	Path     string `json:"path,omitempty" note:"where to save; chosen if left out"`
	tool.ActionTimeout
}

func takeScreenshot(ctx context.Context, s *session.Session, tab *session.Tab, args screenshotArgs) (tool.Reply, error) {
	if err := mayWrite(s, args.Path); err != nil {
		return tool.Reply{}, err
	}
	if args.Selector != "" && args.FullPage {
		return tool.Reply{}, fault.New(fault.InvalidArgument, "selector and full_page exclude each other; give one of them")
	}
	shot := page.Shot{FullPage: args.FullPage, Format: args.Format, Quality: args.Quality, MaxSide: s.Config.Images.MaxDimension}
	hidden := ""
	if args.Selector != "" {
		box, why, err := element.Box(ctx, tab, args.Selector)
		if err != nil {
			return tool.Reply{}, err
		}
		shot.Box, hidden = &box, why
	}
	taken, err := tab.Screenshot(ctx, shot)
	if err != nil {
		return tool.Reply{}, err
	}
	shown, err := images.BoundOwn(taken.Data, limits(s.Config.Images))
	if err != nil {
		return tool.Reply{}, fmt.Errorf("reading the picture of the browser: %w", err)
	}
	file, err := save(s, args.Path, "screenshot", args.Format, taken.Data)
	if err != nil {
		return tool.Reply{}, err
	}
	text := fmt.Sprintf("Screenshot of %s, %d×%d CSS pixels, saved as %s", subject(args), taken.Width, taken.Height, file.Path)
	if scale := taken.Scale * shown.Scale(); scale < 1 {
		text += fmt.Sprintf("; shown at %.0f %% (%d×%d)", scale*100, shown.Width, shown.Height)
	}
	if taken.Cut {
		text += "; the page is longer than a picture can be, and the rest is cut off"
	}
	if hidden != "" {
		text += "; " + hidden
	}
	return tool.Picture(text, shown).Linking(file), nil
}

func subject(args screenshotArgs) string {
	switch {
	case args.Selector != "":
		return "'" + args.Selector + "'"
	case args.FullPage:
		return "the whole page"
	default:
		return "the viewport"
	}
}

// mayWrite refuses a path of the caller's choice on a server that is read-only.
func mayWrite(s *session.Session, path string) error {
	if path != "" && s.Config.Tools.ReadOnly {
		return fault.New(fault.Blocked, "this server is read-only (tools.read_only), so path cannot be given; without it the file goes to the session's own folder")
	}
	return nil
}

// save keeps a file at the path that the caller chose, or under a name of ours.
func save(s *session.Session, path, kind, extension string, data []byte) (output.File, error) {
	if path != "" {
		return s.Output.WriteTo(path, extension, data)
	}
	return s.Output.Write(kind, extension, data)
}

type readImageArgs struct {
	Path string `json:"path"`
	tool.ActionTimeout
}

func readImage(ctx context.Context, s *session.Session, args readImageArgs) (tool.Reply, error) {
	picture, err := images.Read(ctx, args.Path, limits(s.Config.Images))
	if err != nil {
		return tool.Reply{}, err
	}
	text := fmt.Sprintf("Image from %s (type: %s, %d×%d)", args.Path, picture.SourceMIME, picture.SourceWidth, picture.SourceHeight)
	if picture.Scaled() {
		text += fmt.Sprintf("; shown at %.0f %% (%d×%d)", picture.Scale()*100, picture.Width, picture.Height)
	}
	return tool.Picture(text, picture), nil
}

func limits(cfg config.Images) images.Limits {
	return images.Limits{MaxDimension: cfg.MaxDimension, MaxBytes: cfg.MaxBytes}
}
