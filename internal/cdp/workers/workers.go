// Package workers follows the service workers of a browser: registrations,
// their versions, and what went wrong with them, within bounds.
package workers

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/cdproto/target"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/clip"
)

// Bounds of what is kept about service workers.
const (
	maxURL           = 4 << 10 // bytes
	maxRegistrations = 500
	maxRedundant     = 3 // versions of one registration
	maxFailures      = 50
	maxFailure       = 2 << 10 // bytes of one
)

// A Registration is a service worker registration with its versions.
type Registration struct {
	Scope    string
	Deleted  bool      // it goes when the pages that it controls have gone
	Versions []Version // newest first

	id    serviceworker.RegistrationID
	round int // the latest in which it was told of
}

// installed reports whether a version has got through its install.
func (r *Registration) installed() bool {
	return slices.ContainsFunc(r.Versions, func(v Version) bool {
		switch v.Status {
		case serviceworker.VersionStatusInstalled, serviceworker.VersionStatusActivating, serviceworker.VersionStatusActivated:
			return true
		}
		return false
	})
}

// A Version is one script of a registration.
type Version struct {
	Script  string
	Status  serviceworker.VersionStatus
	Running serviceworker.VersionRunningStatus
	Clients []target.ID // that it controls
	Since   time.Time   // when it was seen to take its status

	id    string
	round int
}

// Controls reports whether the version controls the page of the target.
func (v Version) Controls(page target.ID) bool { return slices.Contains(v.Clients, page) }

// A Failure is something that went wrong in a service worker: a script that
// throws, an install that is rejected.
type Failure struct {
	Scope  string // of the registration; "" when unknown
	Text   string
	Source string // URL:line, or the URL of the script
	Count  int    // how many times it was reported
	Time   time.Time

	version string
}

// A Registry follows the registrations of a browser's profile. Every page tells
// of all of them, whatever their origin.
type Registry struct {
	mu            sync.Mutex
	registrations []*Registration // in the order of their coming
	failures      []Failure       // oldest first
	dropped       int

	refreshing chan struct{} // holds a token during Refresh
	round      int           // counts the calls of Refresh
	telling    *cdp.Session  // which is about to tell the whole state; nil when none is
	told       chan struct{} // closed when it has
}

// New makes an empty registry with the bounds above.
func New() *Registry {
	return &Registry{refreshing: make(chan struct{}, 1)}
}

// Watch listens to a page from its setup on; other targets know nothing.
func (w *Registry) Watch(s *cdp.Session) {
	if s.Target.Type != "page" {
		return
	}
	cdp.On(s, serviceworker.WorkerRegistrationUpdated, func(ev serviceworker.EventWorkerRegistrationUpdated) {
		w.update(func() {
			for _, r := range ev.Registrations {
				w.registered(r)
			}
		})
	})
	cdp.On(s, serviceworker.WorkerVersionUpdated, func(ev serviceworker.EventWorkerVersionUpdated) {
		w.update(func() {
			for _, v := range ev.Versions {
				w.changed(v)
			}
			if w.telling == s { // the registrations came before
				close(w.told)
				w.telling = nil
			}
		})
	})
	cdp.On(s, serviceworker.WorkerErrorReported, func(ev serviceworker.EventWorkerErrorReported) {
		w.update(func() { w.failed(ev.ErrorMessage) })
	})
	cdp.Post(s, serviceworker.Enable, cdp.Empty{})
}

// Refresh asks a page for the state as it is, and lets go of what has gone
// unnoticed: the browser does not tell that a page has been loaded through a
// worker, nor that a script could not be fetched.
func (w *Registry) Refresh(ctx context.Context, s *cdp.Session) error {
	select {
	case w.refreshing <- struct{}{}:
		defer func() { <-w.refreshing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if _, err := cdp.Call(ctx, s, serviceworker.Disable, cdp.Empty{}); err != nil {
		return err
	}
	told := make(chan struct{})
	w.update(func() {
		w.round++
		w.telling, w.told = s, told
	})
	if _, err := cdp.Call(ctx, s, serviceworker.Enable, cdp.Empty{}); err != nil {
		return err
	}
	select { // the whole state comes some time after the answer
	case <-told:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	w.update(func() {
		w.registrations = slices.DeleteFunc(w.registrations, func(r *Registration) bool {
			r.Versions = slices.DeleteFunc(r.Versions, func(v Version) bool {
				return v.round < w.round && v.Status != serviceworker.VersionStatusRedundant
			})
			return r.round < w.round
		})
	})
	return nil
}

// All gives the registrations, the failures, newest first, and how many
// registrations were dropped because there were too many.
func (w *Registry) All() (registrations []Registration, failures []Failure, dropped int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.registrations {
		whole := *r
		whole.Versions = slices.Clone(r.Versions)
		registrations = append(registrations, whole)
	}
	failures = slices.Clone(w.failures)
	slices.Reverse(failures)
	return registrations, failures, w.dropped
}

func (w *Registry) update(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *Registry) find(id serviceworker.RegistrationID) *Registration {
	for _, r := range w.registrations {
		if r.id == id {
			return r
		}
	}
	return nil
}

func (w *Registry) registered(said *serviceworker.Registration) {
	r := w.find(said.RegistrationID)
	if r == nil && said.IsDeleted {
		return
	}
	if r == nil {
		w.registrations = slices.DeleteFunc(w.registrations, func(other *Registration) bool {
			return other.Scope == clip.Text(said.ScopeURL, maxURL) && !other.installed()
		})
		r = &Registration{id: said.RegistrationID}
		w.registrations = append(w.registrations, r)
		if len(w.registrations) > maxRegistrations {
			w.registrations = slices.Delete(w.registrations, 0, 1)
			w.dropped++
		}
	}
	r.round = w.round
	r.Scope, r.Deleted = clip.Text(said.ScopeURL, maxURL), said.IsDeleted
	w.sweep(r)
}

func (w *Registry) changed(said *serviceworker.Version) {
	r := w.find(said.RegistrationID)
	if r == nil {
		return
	}
	i := slices.IndexFunc(r.Versions, func(v Version) bool { return v.id == said.VersionID })
	if i < 0 {
		r.Versions = slices.Insert(r.Versions, 0, Version{id: said.VersionID})
		i = 0
	}
	v := &r.Versions[i]
	if v.Status != said.Status {
		v.Since = time.Now()
	}
	v.round = w.round
	v.Script, v.Status, v.Running, v.Clients = clip.Text(said.ScriptURL, maxURL), said.Status, said.RunningStatus, said.ControlledClients
	w.sweep(r)
}

// sweep lets go of versions that have been replaced, but for the newest, and of
// a registration without any other: one whose first version fails ends without
// an event of its own.
func (w *Registry) sweep(r *Registration) {
	redundant, live := 0, 0
	r.Versions = slices.DeleteFunc(r.Versions, func(v Version) bool {
		if v.Status != serviceworker.VersionStatusRedundant {
			live++
			return false
		}
		redundant++
		return redundant > maxRedundant
	})
	if live == 0 && (r.Deleted || redundant > 0) {
		w.registrations = slices.DeleteFunc(w.registrations, func(other *Registration) bool { return other == r })
	}
}

// refusal is how the browser reports a registration that came to nothing.
var refusal = regexp.MustCompile(`^Failed to register a ServiceWorker for scope \('.*'\) with script \('(.*)'\): ?(.*)$`)

func (w *Registry) failed(said *serviceworker.ErrorMessage) {
	failure := Failure{Text: said.ErrorMessage, Source: said.SourceURL, Count: 1, Time: time.Now(), version: said.VersionID}
	if parts := refusal.FindStringSubmatch(said.ErrorMessage); parts != nil {
		failure.Source, failure.Text = parts[1], "it was not registered"
		if parts[2] != "" {
			failure.Text += ": " + parts[2]
		}
	} else if said.LineNumber > 0 {
		failure.Source = fmt.Sprintf("%s:%d", said.SourceURL, said.LineNumber) // the column is often missing
	}
	failure.Text, failure.Source = clip.Text(failure.Text, maxFailure), clip.Text(failure.Source, maxURL)
	if r := w.find(said.RegistrationID); r != nil {
		failure.Scope = r.Scope
	}
	for i, known := range w.failures {
		if known.Text == failure.Text && known.Source == failure.Source && known.version == failure.version {
			failure.Count, failure.Scope = known.Count+1, cmp.Or(failure.Scope, known.Scope)
			w.failures = slices.Delete(w.failures, i, i+1)
			break
		}
	}
	w.failures = append(w.failures, failure)
	if len(w.failures) > maxFailures {
		w.failures = slices.Delete(w.failures, 0, 1)
	}
}
