// Package output owns the files that answers name: each session has a folder for
// them, and what a caller wants elsewhere stays where callers may write.
package output

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/browser-mcp/browser-mcp/internal/config"
	"github.com/browser-mcp/browser-mcp/internal/fault"
	"github.com/browser-mcp/browser-mcp/internal/tempdir"
)

// A Folder has the files of one session. It comes into being with the first file
// or browser and goes with the session, unless it is kept.
type Folder struct {
	cfg config.Output

	mu    sync.Mutex
	dir   string
	files map[string]File // by name
	last  map[string]int  // the newest number by kind, or by the name that was wanted
}

// A File is a file that an answer names.
type File struct {
	Name string // unique in the session
	Path string
	MIME string
	Size int64
}

// New makes a folder, which does not exist yet.
func New(cfg config.Output) *Folder {
	return &Folder{cfg: cfg, files: map[string]File{}, last: map[string]int{}}
}

// Dir gives the folder, which only its owner can enter.
func (o *Folder) Dir() (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.open()
}

func (o *Folder) open() (string, error) {
	if o.dir != "" {
		if _, err := os.Stat(o.dir); err == nil {
			return o.dir, nil
		}
		o.dir = "" // somebody has cleared it away
	}
	if o.cfg.Dir != "" {
		if err := os.MkdirAll(o.cfg.Dir, 0o700); err != nil {
			return "", fmt.Errorf("making the output folder: %w", err)
		}
	}
	make := func() (string, error) { return tempdir.New(o.cfg.Dir, "output") }
	if o.cfg.Keep {
		// A name without an owner, otherwise the next server would sweep it.
		make = func() (string, error) { return os.MkdirTemp(o.cfg.Dir, "browser-mcp-kept-") }
	}
	dir, err := make()
	if err != nil {
		return "", fmt.Errorf("making the output folder: %w", err)
	}
	o.dir = dir
	return dir, nil
}

// Write keeps data as the next file of a kind: screenshot-3.png.
func (o *Folder) Write(kind, extension string, data []byte) (File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	dir, err := o.open()
	if err != nil {
		return File{}, err
	}
	for {
		o.last[kind]++
		path := filepath.Join(dir, fmt.Sprintf("%s-%d.%s", kind, o.last[kind], extension))
		err := writeNew(path, data)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return File{}, fmt.Errorf("writing %s: %w", path, err)
		}
		return o.register(path)
	}
}

func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// WriteTo keeps data at a path that the caller chose: below the folder that
// the server was started in, to which a relative path belongs, or below the
// output folder. Of what is there it replaces only plain files with the same
// extension, which the path must have.
func (o *Folder) WriteTo(path, extension string, data []byte) (File, error) {
	dir, err := o.Dir()
	if err != nil {
		return File{}, err
	}
	if got := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."); got != extension && !(got == "jpg" && extension == "jpeg") {
		return File{}, fault.New(fault.InvalidArgument, "%s does not end in .%s, as its format does; nothing was written", path, extension)
	}
	bases := []string{dir}
	if work, err := os.Getwd(); err == nil && work != filepath.Dir(work) { // never below the root of a file system
		bases = []string{work, dir}
	}
	for _, base := range bases {
		name := path
		if filepath.IsAbs(path) {
			if name, err = filepath.Rel(base, path); err != nil {
				continue
			}
		}
		if !filepath.IsLocal(name) || name == "." {
			continue
		}
		if err := writeBelow(base, name, data); err != nil {
			return File{}, fault.New(fault.InvalidArgument, "%s cannot be written: %w. Leave path out to have a name chosen.", path, err)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.register(filepath.Join(base, name))
	}
	return File{}, fault.New(fault.Blocked, "%s is outside of the folders that may be written to: %s. Choose a path there, or leave path out.", path, strings.Join(bases, " and "))
}

// writeBelow writes through a root that no symbolic link leads out of. The file
// appears whole, by a rename; what is no plain file stays untouched.
func writeBelow(base, name string, data []byte) error {
	root, err := os.OpenRoot(base)
	if err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return errors.New("something that is no plain file is there")
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	fresh := fmt.Sprintf("%s.%d.tmp", name, rand.Int64())
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(fresh, name)
	}
	if err != nil {
		_ = root.Remove(fresh)
	}
	return err
}

// Adopt renames a file in the output folder to a safe name like the suggested
// one, and keeps it.
func (o *Folder) Adopt(path, suggested string) (File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	name := SafeName(suggested)
	extension := filepath.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	for ; ; o.last[name]++ { // goes on from the last of that name: a page may bring thousands
		target := filepath.Join(filepath.Dir(path), name)
		if n := o.last[name]; n > 0 {
			target = filepath.Join(filepath.Dir(path), fmt.Sprintf("%s-%d%s", stem, n, extension))
		}
		err := os.Link(path, target) // unlike a rename it replaces nothing
		switch {
		case err == nil:
			if err := os.Remove(path); err != nil {
				return File{}, fmt.Errorf("naming a download: %w", err)
			}
			if err := os.Chmod(target, 0o600); err != nil {
				return File{}, fmt.Errorf("naming a download: %w", err)
			}
			return o.register(target)
		case !errors.Is(err, fs.ErrExist):
			return o.register(path) // a file system without links: the browser's own name serves
		}
	}
}

// SafeName makes a file name of what a server suggested.
func SafeName(suggested string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(suggested, "_"))
	name = strings.Trim(name, ". ")
	extension := filepath.Ext(name)
	if len(extension) > 20 {
		extension = ""
	}
	if room := maxName - len(extension); len(name) > maxName {
		name = strings.ToValidUTF8(name[:room], "") + extension
	}
	if name == "" || reserved.MatchString(name) {
		return "download" + extension
	}
	return name
}

// maxName bounds the name of a download, in bytes.
const maxName = 120

// reserved are the names that Windows takes for devices.
var reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`)

func (o *Folder) register(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, fmt.Errorf("reading back %s: %w", path, err)
	}
	kind := mime.TypeByExtension(filepath.Ext(path))
	if filepath.Ext(path) == ".har" {
		kind = "application/json" // which few systems know
	}
	if kind == "" {
		kind = "application/octet-stream"
	}
	f := File{Name: filepath.Base(path), Path: path, MIME: kind, Size: info.Size()}
	for n := 2; ; n++ {
		if known, taken := o.files[f.Name]; !taken || known.Path == path {
			break
		}
		f.Name = fmt.Sprintf("%d-%s", n, filepath.Base(path))
	}
	o.files[f.Name] = f
	return f, nil
}

// File gives a file of the session by its name.
func (o *Folder) File(name string) (File, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, ok := o.files[name]
	return f, ok
}

// Close removes the folder with its files, unless it is kept.
func (o *Folder) Close(log *slog.Logger) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dir == "" || o.cfg.Keep {
		return
	}
	if err := os.RemoveAll(o.dir); err != nil {
		log.Warn("removing the output folder", "error", err)
	}
}
