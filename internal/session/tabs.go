package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

// A TabInfo is a tab as a list shows it.
type TabInfo struct {
	URL, Title string
	Active     bool // calls act on it
	Dialog     string
}

// titleTimeout bounds the wait for the title of a tab that may be busy.
const titleTimeout = 500 * time.Millisecond

// Tabs lists the tabs in the order of their opening; none when no browser runs.
func (s *Session) Tabs(ctx context.Context) []TabInfo {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil {
		return nil
	}
	tabs, active := b.inOrder()
	infos := make([]TabInfo, len(tabs))
	for i, tab := range tabs {
		infos[i] = infoOf(ctx, tab, tab == active)
	}
	return infos
}

func infoOf(ctx context.Context, tab *Tab, active bool) TabInfo {
	info := TabInfo{URL: tab.URL(), Active: active}
	if d := tab.Dialog(); d != nil {
		info.Dialog = d.String()
		return info
	}
	brief, cancel := context.WithTimeout(ctx, titleTimeout)
	defer cancel()
	info.Title = tab.Title(brief)
	return info
}

// NewTab opens an empty tab; calls act on it from now on.
func (s *Session) NewTab(ctx context.Context) (*Tab, error) {
	b, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	made, err := cdp.Call(ctx, b.conn.Browser(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		return nil, b.explain(err)
	}
	tab, err := b.awaitTab(ctx, func() *Tab {
		for _, tab := range b.tabs {
			if tab.Session().Target.TargetID == made.TargetID {
				return tab
			}
		}
		return nil
	})
	if err != nil {
		return nil, b.explain(err)
	}
	b.update(func() { b.active = tab })
	return tab, nil
}

// SelectTab makes calls act on the tab with that index.
func (s *Session) SelectTab(ctx context.Context, index int) (TabInfo, error) {
	b, tab, err := s.tabAt(index)
	if err != nil {
		return TabInfo{}, err
	}
	b.update(func() { b.active = tab })
	cdp.Post(tab.Session(), page.BringToFront, cdp.Empty{})
	return infoOf(ctx, tab, true), nil
}

// CloseTab closes the tab with that index and returns when it is gone. A page
// that asks before it is left opens a dialog, which is a fault.
func (s *Session) CloseTab(ctx context.Context, index int) error {
	b, tab, err := s.tabAt(index)
	if err != nil {
		return err
	}
	guarded, release, err := tab.Guard(ctx)
	if err != nil {
		return err
	}
	defer release()
	// Unlike the browser's own order to close a target, this one asks the page.
	if _, err := cdp.Call(guarded, tab.Session(), page.Close, cdp.Empty{}); err != nil && !errors.Is(err, cdp.ErrDetached) && !fault.Is(err, fault.TabClosed) {
		return b.explain(err)
	}
	gone := func() *Tab {
		if !slices.Contains(b.tabs, tab) {
			return tab
		}
		return nil
	}
	if _, err = b.awaitTab(guarded, gone); fault.Is(err, fault.TabClosed) { // said a moment before it leaves the list
		_, err = b.awaitTab(ctx, gone)
	}
	return b.explain(err)
}

func (s *Session) tabAt(index int) (*browser, *Tab, error) {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil {
		return nil, nil, fault.New(fault.TabClosed, "no browser is running, so there is no tab; browser_navigate starts one")
	}
	tabs, _ := b.inOrder()
	if index < 0 || index >= len(tabs) {
		return nil, nil, fault.New(fault.InvalidArgument, "there is no tab %d; there are %d, from 0 to %d", index, len(tabs), len(tabs)-1)
	}
	return b, tabs[index], nil
}

// inOrder gives the tabs in the order of their opening, and the active one.
func (b *browser) inOrder() ([]*Tab, *Tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.tabs), b.active
}
