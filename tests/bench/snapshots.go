package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The bounds of a snapshot: of a page as shops have it, and of the largest that is
// met. Both are cut to the same size.
const (
	largePage, hugePage         = 3400, 60000 // elements
	largeSnapshot, hugeSnapshot = 60 * time.Millisecond, 2 * time.Second
	mostOutline                 = 12000 // bytes
)

// card is one of many on a page; it has cardElements elements.
const (
	card = `<li class="card"><a href="/p"><img src="data:," alt="Tin"><h2>Sencha <small>100 g</small></h2><p><s>12</s> <strong>9</strong></p></a>` +
		`<label>Count <input type="number" value="1"></label><label><input type="checkbox"> Gift</label><button><span>Add</span> <i></i></button><div><span>New</span></div></li>` + "\n"
	cardElements = 17
)

// serveCards answers with a page of about as many elements as its address says.
func serveCards(w http.ResponseWriter, r *http.Request) {
	count, _ := strconv.Atoi(r.PathValue("count"))
	write(w, "text/html; charset=utf-8", []byte("<!doctype html><title>Cards</title><ul>"+strings.Repeat(card, count/cardElements)+"</ul>"))
}

// snapshots measures outlines of large pages, the one of a size that is usual
// beside the browser's own accessibility tree. The small page is opened again.
func (p *pair) snapshots() error {
	if err := p.open(fmt.Sprintf("/cards/%d", largePage)); err != nil {
		return err
	}
	bytes := 0
	snapshot := func() (time.Duration, error) {
		text, took, err := p.server.call("browser_snapshot", map[string]any{})
		bytes = len(text)
		return took, err
	}
	ours, raw, err := p.turns(p.bench.runs, snapshot, clocked(func() error {
		_, err := p.raw.send("Accessibility.getFullAXTree", params{})
		return err
	}))
	if err != nil {
		return err
	}
	large := ratio(fmt.Sprintf("snapshot of %d elements (raw: accessibility tree)", largePage), ours, raw, 0)
	large.compared += fmt.Sprintf(", %d bytes", bytes)
	large.bound(ours, largeSnapshot, bytes)
	if err := p.open(fmt.Sprintf("/cards/%d", hugePage)); err != nil {
		return err
	}
	var many times
	for range p.bench.runs / 4 {
		took, err := snapshot()
		if err != nil {
			return err
		}
		many = append(many, took)
	}
	huge := alone(fmt.Sprintf("snapshot of %d elements", hugePage), many, hugeSnapshot)
	huge.compared += fmt.Sprintf(", %d bytes", bytes)
	huge.bound(many, hugeSnapshot, bytes)
	p.bench.rows = append(p.bench.rows, large, huge)
	return p.open("/")
}

// bound sets what a snapshot may take and hold.
func (r *row) bound(took times, most time.Duration, bytes int) {
	r.must = fmt.Sprintf("≤ %s, ≤ %d bytes", milliseconds(most), mostOutline)
	r.over = took.median() > most || bytes > mostOutline
}

// open shows a page of the site on both sides.
func (p *pair) open(path string) error {
	if _, err := p.server.timed("browser_navigate", map[string]any{"url": p.bench.site + path}); err != nil {
		return err
	}
	return p.raw.navigate(p.bench.site + path)
}
