// Package downloads follows what a browser fetches for its user: files that come
// into the folder of the session under names that cannot collide.
package downloads

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"sync"

	browserdomain "github.com/chromedp/cdproto/browser"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/output"
)

// The states of a download.
const (
	underWay  = "inProgress"
	completed = "completed"
	canceled  = "canceled"
)

// maxDownloads bounds how many downloads are remembered.
const maxDownloads = 500

// A Download is a file that the browser fetched, or is fetching.
type Download struct {
	URL      string
	Name     string      // as the server suggested
	File     output.File // once complete
	Received int64
	Total    int64 // 0 when unknown
	State    string
	Err      error

	endedAs int // its number among those that ended; 0 while it is under way
}

// Complete reports whether the file is there.
func (d Download) Complete() bool { return d.State == completed && d.Err == nil }

// UnderWay reports whether the file is still coming.
func (d Download) UnderWay() bool { return d.State == underWay }

// String is the line of an answer.
func (d Download) String() string {
	switch {
	case d.Err != nil:
		return fmt.Sprintf("%s could not be kept: %s", d.Name, d.Err)
	case d.State == completed:
		return fmt.Sprintf("%s (%d bytes) saved as %s", d.Name, d.File.Size, d.File.Path)
	case d.State == canceled:
		return fmt.Sprintf("%s was cancelled after %d bytes", d.Name, d.Received)
	case d.Total > 0:
		return fmt.Sprintf("%s is under way (%d of %d bytes)", d.Name, d.Received, d.Total)
	default:
		return fmt.Sprintf("%s is under way (%d bytes so far)", d.Name, d.Received)
	}
}

// A List follows the downloads of a browser, of every tab.
type List struct {
	folder *output.Folder
	log    *slog.Logger

	mu      sync.Mutex
	changed chan struct{}
	began   int // ever
	ended   int // ever
	list    []*Download
	open    map[string]*Download // by guid
}

// New makes an empty list of what comes into the folder.
func New(folder *output.Folder, log *slog.Logger) *List {
	return &List{folder: folder, log: log, changed: make(chan struct{}), open: map[string]*Download{}}
}

// Watch lets files be saved under names that cannot collide, and follows them.
func (d *List) Watch(s *cdp.Session) {
	cdp.On(s, browserdomain.DownloadWillBegin, func(ev browserdomain.EventDownloadWillBegin) {
		d.update(func() {
			download := &Download{URL: ev.URL, Name: output.SafeName(ev.SuggestedFilename), State: underWay}
			d.open[ev.GUID] = download
			d.list = append(d.list, download)
			d.began++
			if len(d.list) > maxDownloads {
				d.list = d.list[1:]
			}
		})
	})
	cdp.On(s, browserdomain.DownloadProgress, d.progress)
	dir, err := d.folder.Dir()
	if err != nil {
		d.log.Warn("downloads cannot be kept", "error", err)
		return
	}
	cdp.Post(s, browserdomain.SetDownloadBehavior, browserdomain.SetDownloadBehaviorParams{
		Behavior: "allowAndName", DownloadPath: dir, EventsEnabled: new(true),
	})
}

func (d *List) progress(ev browserdomain.EventDownloadProgress) {
	d.mu.Lock()
	download := d.open[ev.GUID]
	d.mu.Unlock()
	if download == nil {
		return
	}
	state := string(ev.State)
	if state == completed {
		// A rename, not a round trip: it holds up no event for long.
		file, err := d.name(ev, download.Name)
		d.update(func() { download.File, download.Err = file, err })
	}
	d.update(func() {
		download.Received, download.Total, download.State = int64(ev.ReceivedBytes), int64(ev.TotalBytes), state
		if state != underWay {
			delete(d.open, ev.GUID)
			d.ended++
			download.endedAs = d.ended
		}
	})
}

func (d *List) name(ev browserdomain.EventDownloadProgress, suggested string) (output.File, error) {
	path := ev.FilePath
	if path == "" {
		dir, err := d.folder.Dir()
		if err != nil {
			return output.File{}, err
		}
		path = filepath.Join(dir, ev.GUID)
	}
	return d.folder.Adopt(path, suggested)
}

func (d *List) update(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
	close(d.changed)
	d.changed = make(chan struct{})
}

// A Mark is a point in time.
type Mark struct{ began, ended int }

// Mark is now, for the methods that look at what came after it.
func (d *List) Mark() Mark {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Mark{d.began, d.ended}
}

// Since gives the downloads that began or ended after the mark, oldest first.
func (d *List) Since(mark Mark) []Download {
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
func (d *List) Wait(ctx context.Context, mark Mark) (Download, error) {
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
