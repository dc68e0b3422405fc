package main

import (
	"bytes"
	_ "embed"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"net"
	"net/http"
)

//go:embed page.html
var pageHTML []byte

// serveSite serves a page with a script and a picture, and large ones, from
// memory, so that what is measured is not the site. Its Addr is where it listens;
// the caller closes it.
func serveSite() (*http.Server, error) {
	photo, err := photograph(320, 240)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { write(w, "text/html; charset=utf-8", pageHTML) })
	mux.HandleFunc("/cards/{count}", serveCards)
	mux.HandleFunc("/photo.png", func(w http.ResponseWriter, _ *http.Request) { write(w, "image/png", photo) })
	mux.HandleFunc("/page.js", func(w http.ResponseWriter, _ *http.Request) {
		write(w, "text/javascript", []byte(`let clicks = 0; document.querySelector("#count").onclick = (e) => { e.target.textContent = "Clicked " + ++clicks; };`))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	site := &http.Server{Addr: listener.Addr().String(), Handler: mux}
	go func() { _ = site.Serve(listener) }() // ends with Close
	return site, nil
}

func write(w http.ResponseWriter, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // the browser may hang up
}

// photograph is a picture with the noise of a camera: it costs an encoder what
// a photo does. It is the same in every run.
func photograph(w, h int) ([]byte, error) {
	grain := rand.New(rand.NewPCG(1, 2))
	photo := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			n := grain.IntN(16)
			photo.SetNRGBA(x, y, color.NRGBA{R: uint8(x*200/w + n), G: uint8(y*200/h + n), B: uint8((x+y)*100/(w+h) + n), A: 255})
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, photo)
	return out.Bytes(), err
}
