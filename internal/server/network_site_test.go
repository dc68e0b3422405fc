package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// networkRoutes are answers that differ in how they come and in what they hold.
func networkRoutes(mux *http.ServeMux) {
	mux.HandleFunc("/cached/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		w.Header().Set("Content-Type", contentType(r.PathValue("name")))
		fmt.Fprintf(w, "/* cached %s */", r.PathValue("name"))
	})
	mux.HandleFunc("/etag/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		w.Header().Set("Cache-Control", "no-cache")
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, "tagged")
	})
	mux.HandleFunc("/cors/{header}/{value...}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(r.PathValue("header"), r.PathValue("value"))
		fmt.Fprint(w, "answered")
	})
	mux.HandleFunc("/gzip/{bytes}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("bytes"))
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/plain")
		packed := gzip.NewWriter(w)
		_, _ = io.WriteString(packed, strings.Repeat("gzipped ", n/8))
		_ = packed.Close()
	})
	mux.HandleFunc("/dot.png", func(w http.ResponseWriter, _ *http.Request) {
		var data bytes.Buffer
		_ = png.Encode(&data, image.NewGray(image.Rect(0, 0, 3, 2)))
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Cache-Control", "max-age=3600")
		_, _ = w.Write(data.Bytes())
	})
	mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "topsecret", Path: "/", HttpOnly: true})
		http.SetCookie(w, &http.Cookie{Name: "theme", Value: "darksecret", Path: "/"})
		fmt.Fprint(w, "welcome")
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		_, _ = io.Copy(w, r.Body)
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: first event\n\nevent: news\nid: 7\ndata: second event\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/socket", echoSocket)
}

// echoSocket is a WebSocket server that sends back what it gets, in short
// messages, until it gets one that says close.
func echoSocket(w http.ResponseWriter, r *http.Request) {
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	conn, both, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(both, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	for both.Flush() == nil {
		var head [2]byte
		if _, err := io.ReadFull(both, head[:]); err != nil {
			return
		}
		body := make([]byte, 4+int(head[1]&0x7f)) // the mask, and less than 126 bytes
		if _, err := io.ReadFull(both, body); err != nil {
			return
		}
		mask, data := body[:4], body[4:]
		for i := range data {
			data[i] ^= mask[i%4]
		}
		opcode := head[0] & 0x0f
		if opcode == 8 || string(data) == "close" {
			_, _ = both.Write([]byte{0x88, 0})
			_ = both.Flush()
			return
		}
		_, _ = both.Write(append([]byte{0x80 | opcode, byte(len(data))}, data...))
	}
}
