package main

import (
	"fmt"
	"time"
)

// typed has ten characters.
const typed = "benchmarks"

// starts measures spawned servers: without a browser, and up to the first page.
func (b *bench) starts() error {
	var listed times
	var bytes int
	for range b.runs / 2 {
		s, err := spawn(b.binary, b.serverArgs()...)
		if err != nil {
			return err
		}
		list, err := s.request("tools/list", map[string]any{})
		if err != nil {
			s.end()
			return err
		}
		listed = append(listed, list.at.Sub(s.started))
		bytes = len(list.Result)
		if _, err := s.end(); err != nil {
			return err
		}
	}
	const mostBytes = 14000
	b.rows = append(b.rows,
		alone("spawn → tools/list answered", listed, 30*time.Millisecond),
		row{what: "tools/list", ours: fmt.Sprintf("%d bytes", bytes), must: fmt.Sprintf("≤ %d bytes", mostBytes), over: bytes > mostBytes})

	var exits times
	ours, raw, err := inTurn(b.runs/4,
		func() (time.Duration, error) {
			s, err := spawn(b.binary, b.serverArgs()...)
			if err != nil {
				return 0, err
			}
			_, err = s.timed("browser_navigate", map[string]any{"url": b.site})
			took := time.Since(s.started)
			exit, ended := s.end()
			exits = append(exits, exit)
			if err == nil {
				err = ended
			}
			return took, err
		},
		func() (time.Duration, error) {
			began := time.Now()
			r, err := launchRaw(b.browser)
			if err != nil {
				return 0, err
			}
			defer r.process.Stop()
			err = r.navigate(b.site)
			return time.Since(began), err
		})
	if err != nil {
		return err
	}
	first := within("spawn → first page loaded", ours, raw, 60*time.Millisecond)
	first.must += " and < 2 s"
	first.over = first.over || ours.median() >= 2*time.Second
	b.rows = append(b.rows, first, alone("exit after stdin closes, browser running", exits, 500*time.Millisecond))
	return nil
}

// A pair is a server and a raw browser, both warm and on the same page.
type pair struct {
	server *server
	raw    *raw
	bench  *bench
}

// warm measures calls on a browser that runs and a page that is loaded.
func (b *bench) warm() error {
	s, err := spawn(b.binary, b.serverArgs(b.args...)...)
	if err != nil {
		return err
	}
	defer s.end()
	r, err := launchRaw(b.browser)
	if err != nil {
		return err
	}
	defer r.process.Stop()
	// The window's own size can be less than was asked for.
	if _, err := r.send("Emulation.setDeviceMetricsOverride", params{"width": width, "height": height, "deviceScaleFactor": 0, "mobile": false}); err != nil {
		return err
	}
	p := &pair{s, r, b}
	for _, measure := range []func() error{p.navigations, p.evaluations, p.clicks, p.typing, p.screenshots, p.snapshots, p.memory} {
		if err := measure(); err != nil {
			return err
		}
	}
	return nil
}

// turns measures both sides after a few runs that do not count.
func (p *pair) turns(n int, ours, raw func() (time.Duration, error)) (o, r times, err error) {
	if _, _, err := inTurn(4, ours, raw); err != nil {
		return nil, nil, err
	}
	return inTurn(n, ours, raw)
}

// clocked is a piece of raw work with its time.
func clocked(work func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		began := time.Now()
		err := work()
		return time.Since(began), err
	}
}

func (p *pair) navigations() error {
	count := 0
	fresh := func() string { // the same address again would be a reload
		count++
		return fmt.Sprintf("%s/?%d", p.bench.site, count)
	}
	ours, raw, err := p.turns(p.bench.runs,
		func() (time.Duration, error) {
			return p.server.timed("browser_navigate", map[string]any{"url": fresh()})
		},
		clocked(func() error { return p.raw.navigate(fresh()) }))
	p.bench.rows = append(p.bench.rows, ratio("warm navigation", ours, raw, 1.25))
	return err
}

func (p *pair) evaluations() error {
	for _, of := range []struct{ what, expression string }{
		{"warm eval of 1+1", "1+1"},
		{"warm eval of a small object", `({ name: "bench", size: [3, 4, 5], nested: { yes: true, none: null } })`},
	} {
		ours, raw, err := p.turns(10*p.bench.runs,
			func() (time.Duration, error) {
				return p.server.timed("browser_eval", map[string]any{"expression": of.expression})
			},
			clocked(func() error { _, err := p.raw.eval(of.expression); return err }))
		if err != nil {
			return err
		}
		p.bench.rows = append(p.bench.rows, within(of.what, ours, raw, time.Millisecond))
	}
	return nil
}

func (p *pair) clicks() error {
	ours, raw, err := p.turns(p.bench.runs,
		func() (time.Duration, error) {
			return p.server.timed("browser_click", map[string]any{"selector": "#count"})
		},
		clocked(func() error { return p.raw.click("#count") }))
	if err != nil {
		return err
	}
	p.bench.rows = append(p.bench.rows, within("click that changes the page", ours, raw, 40*time.Millisecond))
	return p.same("clicks", fmt.Sprint(len(ours)+4))
}

func (p *pair) typing() error {
	const reset = `document.querySelector("#name").value = ""`
	ours, raw, err := p.turns(p.bench.runs,
		func() (time.Duration, error) {
			if _, err := p.server.eval(reset); err != nil {
				return 0, err
			}
			return p.server.timed("browser_type", map[string]any{"selector": "#name", "text": typed})
		},
		func() (time.Duration, error) {
			if _, err := p.raw.eval(reset); err != nil {
				return 0, err
			}
			return clocked(func() error { return p.raw.typeText("#name", typed) })()
		})
	if err != nil {
		return err
	}
	p.bench.rows = append(p.bench.rows, ratio("type 10 characters", ours, raw, 0))
	return p.same(`document.querySelector("#name").value`, fmt.Sprintf("%q", typed))
}

// same checks that both sides did the work that was measured.
func (p *pair) same(expression, want string) error {
	ours, err := p.server.eval(expression)
	if err != nil {
		return err
	}
	raw, err := p.raw.eval(expression)
	if err == nil && (ours != want || string(raw) != want) {
		err = fmt.Errorf("%s is %s for ours and %s for raw, not %s: the figures would compare different work", expression, ours, raw, want)
	}
	return err
}

func (p *pair) screenshots() error {
	ours, raw, err := p.turns(p.bench.runs,
		func() (time.Duration, error) { return p.server.timed("browser_take_screenshot", map[string]any{}) },
		clocked(func() error {
			_, err := p.raw.send("Page.captureScreenshot", params{"format": "png"})
			return err
		}))
	p.bench.rows = append(p.bench.rows, ratio(fmt.Sprintf("screenshot %d×%d, PNG", width, height), ours, raw, 1.2))
	return err
}

// memory comes last: the server has worked through all of the above by then.
func (p *pair) memory() error {
	before, _ := p.server.memory()
	for range 1000 {
		if _, err := p.server.eval("1+1"); err != nil {
			return err
		}
	}
	after, ok := p.server.memory()
	if !ok {
		return nil
	}
	const most = 40 << 10
	p.bench.rows = append(p.bench.rows, row{
		what: "memory after all that and 1,000 evals", ours: fmt.Sprintf("%.1f MB", float64(after)/1024),
		compared: fmt.Sprintf("%+.1f MB in the 1,000", float64(after-before)/1024), must: "≤ 40 MB", over: after > most,
	})
	return nil
}
