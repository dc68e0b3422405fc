//go:build linux

package e2e

import (
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

//go:embed testdata/app.html
var appPage []byte

// An app is the site that the tests browse: a page of tasks with a form, a list
// that comes later, and a console that says something.
type app struct {
	url  string
	seen chan string // the queries of /seen, by which a page tells how far it is
}

func newApp(t *testing.T) *app {
	t.Helper()
	a := &app{seen: make(chan string, 100)}
	closing := make(chan struct{}) // ends what hangs: a browser that is still there asks again
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(appPage)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /tasks", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(200 * time.Millisecond) // what a client has to wait for
		_ = json.NewEncoder(w).Encode([]string{"Buy coffee", "Bake a pie"})
	})
	mux.HandleFunc("POST /tasks", func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	mux.HandleFunc("GET /seen", func(_ http.ResponseWriter, r *http.Request) { a.seen <- r.URL.RawQuery })
	mux.HandleFunc("GET /hang", func(_ http.ResponseWriter, r *http.Request) {
		a.seen <- "hang"
		select {
		case <-r.Context().Done():
		case <-closing:
		}
	})
	site := httptest.NewServer(mux)
	t.Cleanup(func() {
		close(closing)
		site.CloseClientConnections() // a browser's open connections would keep Close waiting
		site.Close()
	})
	a.url = site.URL + "/"
	return a
}
