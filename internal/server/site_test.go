package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// A site serves the pages of a test, and some answers that pages do not give.
type site struct {
	url   string // http://127.0.0.1:PORT
	other string // the same server as another origin
}

func serve(t *testing.T, files []txtar.File) site {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		for _, f := range files {
			if "/"+f.Name == r.URL.Path || r.URL.Path == "/" && f.Name == "index.html" {
				w.Header().Set("Content-Type", contentType(f.Name))
				_, _ = w.Write(f.Data)
				return
			}
		}
		http.NotFound(w, r)
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
		fmt.Fprintf(w, "<title>Status %d</title><p>The body of %d", code, code)
	})
	mux.HandleFunc("/empty/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.WriteHeader(code)
	})
	closing := make(chan struct{}) // ends what hangs: a browser that is still there asks again
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-closing:
		}
	})
	mux.HandleFunc("/late/{ms}", func(w http.ResponseWriter, r *http.Request) {
		ms, _ := strconv.Atoi(r.PathValue("ms"))
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Late</title><p>late")
	})
	mux.HandleFunc("/download/{name...}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s"`, r.PathValue("name")))
		fmt.Fprint(w, "downloaded content")
	})
	partial := func(name string, wait bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", "attachment; filename="+name)
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(make([]byte, 1000))
			_ = http.NewResponseController(w).Flush()
			if wait {
				<-r.Context().Done()
			}
			panic(http.ErrAbortHandler) // breaks the connection off
		}
	}
	mux.HandleFunc("/broken-download", partial("broken.bin", false))
	mux.HandleFunc("/slow-download", partial("slow.bin", true))
	mux.HandleFunc("/redirect/{to...}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/"+r.PathValue("to"), http.StatusFound)
	})
	mux.HandleFunc("/reset", func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close()
		}
	})
	networkRoutes(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		close(closing)
		server.CloseClientConnections() // a browser's open connections would keep Close waiting
		server.Close()
	})
	return site{url: server.URL, other: strings.Replace(server.URL, "127.0.0.1", "localhost", 1)}
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript"
	case ".json":
		return "application/json"
	default:
		return "text/plain; charset=utf-8"
	}
}

// page serves one page and gives its site.
func servePage(t *testing.T, html string) site {
	t.Helper()
	return serve(t, []txtar.File{{Name: "index.html", Data: []byte("<!doctype html><meta charset=utf-8><link rel=icon href=\"data:,\"><title>Test</title>" + html)}})
}
