package element

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/chromedp/cdproto/dom"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// An Uploaded is what a file field holds after files were given to it.
type Uploaded struct {
	Match
	Files []string // names
}

// Upload gives files to a file field: the one that selector finds, the one behind
// the chooser that a click on it opens, or, without a selector, the one whose
// chooser is open already. paths are absolute.
func Upload(ctx context.Context, tab *page.Page, selector string, paths []string) (Uploaded, error) {
	if err := checkFiles(paths); err != nil {
		return Uploaded{}, err
	}
	if selector == "" {
		chooser := tab.TakeChooser()
		if chooser == nil {
			return Uploaded{}, fault.New(fault.SelectorNotFound, "no file chooser is open; give the selector of the file field, or of the button that opens the chooser")
		}
		return choose(ctx, tab, Match{Element: "the file chooser"}, *chooser, paths)
	}
	at, err := locate(ctx, tab, "fileField", selector, map[string]any{})
	if err != nil {
		return Uploaded{}, err
	}
	if at.Kind == "file" {
		own, err := at.frame.Own(ctx, at.Field)
		if err != nil {
			return Uploaded{}, err
		}
		return choose(ctx, tab, at.match(), page.Chooser{Session: own.Session, Node: own.Node, Multiple: at.Multiple}, paths)
	}
	tab.TakeChooser() // one that was left open is not meant
	match, err := Click(ctx, tab, selector, ClickOptions{Button: "left", Count: 1})
	if err != nil {
		return Uploaded{Match: match}, err
	}
	chooser := tab.TakeChooser()
	if chooser == nil {
		return Uploaded{Match: match}, fault.New(fault.NotActionable, "%s is no file field, and clicking it opened no file chooser; it was clicked", match.Element)
	}
	return choose(ctx, tab, match, *chooser, paths)
}

// choose hands the files over and reads back what the field holds.
func choose(ctx context.Context, tab *page.Page, match Match, to page.Chooser, paths []string) (Uploaded, error) {
	up := Uploaded{Match: match}
	if len(paths) > 1 && !to.Multiple {
		return up, fault.New(fault.InvalidArgument, "%s takes one file, and %d were given", match.Element, len(paths))
	}
	since := tab.Now()
	_, err := cdp.Call(ctx, to.Session, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, BackendNodeID: to.Node})
	switch {
	case page.OpenedDialog(err):
		return up, fault.New(fault.DialogOpen, "%w It opened while the files were handed over: look afterwards whether the field holds them.", err)
	case cdp.Refused(err):
		return up, fault.New(fault.NotActionable, "%s did not take the files: %w", match.Element, err)
	case err != nil:
		return up, err
	}
	if _, err := tab.Settle(ctx, tab.Main(), since); err != nil || tab.Dialog() != nil {
		return up, err
	}
	for _, path := range paths {
		up.Files = append(up.Files, filepath.Base(path))
	}
	if holds, err := to.Files(ctx); err != nil {
		up.Note = "the field is gone now, so that it could not be read back"
	} else if !slices.Equal(holds, up.Files) {
		up.Note = fmt.Sprintf("it was given %d, and the page has changed that since", len(paths))
		up.Files = holds
	}
	return up, nil
}

// checkFiles refuses what the browser would take without a word: files that are
// not there, folders, and relative paths, which crash the page later.
func checkFiles(paths []string) error {
	if len(paths) == 0 {
		return fault.New(fault.InvalidArgument, "paths is empty; give the absolute path of at least one file")
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case !filepath.IsAbs(path):
			return fault.New(fault.InvalidArgument, "%s is not an absolute path; files are given by their absolute paths", path)
		case err != nil:
			return fault.New(fault.FileNotFound, "File not found: %s", path)
		case !info.Mode().IsRegular():
			return fault.New(fault.InvalidArgument, "%s is not a file", path)
		}
	}
	return nil
}
