package session

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"sync"

	browserdomain "github.com/chromedp/cdproto/browser"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
)

// The states of a download.
const (
	downloading       = "inProgress"
	downloadCompleted = "completed"
	downloadCanceled  = "canceled"
)

// maxDownloads bounds how many downloads are remembered.
const maxDownloads = 500

// A Download is a file that the browser fetched, or is fetching.
type Download struct {
	URL      string
	Name     string // as the server suggested
	File     File   // once complete
	Received int64
	Total    int64 // 0 when unknown
	State    string
	Err      error

	endedAs int // its number among those that ended; 0 while it is under way
}

// Complete reports whether the file is there.
func (d Download) Complete() bool { return d.State == downloadCompleted && d.Err == nil }

// UnderWay reports whether the file is still coming.
func (d Download) UnderWay() bool { return d.State == downloading }

// String is the line of an answer.
func (d Download) String() string {
	switch {
	case d.Err != nil:
		return fmt.Sprintf("%s could not be kept: %s", d.Name, d.Err)
	case d.State == downloadCompleted:
		return fmt.Sprintf("%s (%d bytes) saved as %s", d.Name, d.File.Size, d.File.Path)
	case d.State == downloadCanceled:
		return fmt.Sprintf("%s was cancelled after %d bytes", d.Name, d.Received)
	case d.Total > 0:
		return fmt.Sprintf("%s is under way (%d of %d bytes)", d.Name, d.Received, d.Total)
	default:
		return fmt.Sprintf("%s is under way (%d bytes so far)", d.Name, d.Received)
	}
}

// Downloads follows the downloads of a browser, of every tab.
type Downloads struct {
	output *Output
	log    *slog.Logger

	mu      sync.Mutex
	changed chan struct{}
	began   int // ever
	ended   int // ever
	list    []*Download
	open    map[string]*Download // by guid
}

func newDownloads(output *Output, log *slog.Logger) *Downloads {
	return &Downloads{output: output, log: log, changed: make(chan struct{}), open: map[string]*Download{}}
}

// watch lets files be saved under names that cannot collide, and follows them.
func (d *Downloads) watch(s *cdp.Session) {
	cdp.On(s, browserdomain.DownloadWillBegin, func(ev browserdomain.EventDownloadWillBegin) {
		d.update(func() {
			download := &Download{URL: ev.URL, Name: safeName(ev.SuggestedFilename), State: downloading}
			d.open[ev.GUID] = download
			d.list = append(d.list, download)
			d.began++
			if len(d.list) > maxDownloads {
				d.list = d.list[1:]
			}
		})
	})
	cdp.On(s, browserdomain.DownloadProgress, d.progress)
	dir, err := d.output.Dir()
	if err != nil {
		d.log.Warn("downloads cannot be kept", "error", err)
		return
	}
	cdp.Post(s, browserdomain.SetDownloadBehavior, browserdomain.SetDownloadBehaviorParams{
		Behavior: "allowAndName", DownloadPath: dir, EventsEnabled: new(true),
	})
}

func (d *Downloads) progress(ev browserdomain.EventDownloadProgress) {
	d.mu.Lock()
	download := d.open[ev.GUID]
	d.mu.Unlock()
	if download == nil {
		return
	}
	state := string(ev.State)
	if state == downloadCompleted {
		// A rename, not a round trip: it holds up no event for long.
		file, err := d.name(ev, download.Name)
		d.update(func() { download.File, download.Err = file, err })
	}
	d.update(func() {
		download.Received, download.Total, download.State = int64(ev.ReceivedBytes), int64(ev.TotalBytes), state
		if state != downloading {
			delete(d.open, ev.GUID)
			d.ended++
			download.endedAs = d.ended
		}
	})
}

func (d *Downloads) name(ev browserdomain.EventDownloadProgress, suggested string) (File, error) {
	path := ev.FilePath
	if path == "" {
		dir, err := d.output.Dir()
		if err != nil {
			return File{}, err
		}
		path = filepath.Join(dir, ev.GUID)
	}
	return d.output.adopt(path, suggested)
}

func (d *Downloads) update(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
	close(d.changed)
	d.changed = make(chan struct{})
}

// A DownloadMark is a point in time.
type DownloadMark struct{ began, ended int }

// Mark is now, for the methods that look at what came after it.
func (d *Downloads) Mark() DownloadMark {
	d.mu.Lock()
	defer d.mu.Unlock()
	return DownloadMark{d.began, d.ended}
}

// Since gives the downloads that began or ended after the mark, oldest first.
func (d *Downloads) Since(mark DownloadMark) []Download {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []Download
	oldest := len(d.list) - (d.began - mark.began)
	for i, download := range d.list {
		if i >= oldest || download.endedAs > mark.ended {
			list = append(list, *download)
		}
	}
	return list
}

// Wait waits until a download has begun after the mark and has ended. When ctx
// ends first it gives the download as far as it came.
func (d *Downloads) Wait(ctx context.Context, mark DownloadMark) (Download, error) {
	mark.ended = math.MaxInt // only what begins
	for {
		d.mu.Lock()
		changed := d.changed
		d.mu.Unlock()
		since := d.Since(mark)
		if len(since) > 0 && !since[0].UnderWay() {
			return since[0], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if len(since) > 0 {
				return since[0], nil
			}
			return Download{}, context.Cause(ctx)
		}
	}
}
