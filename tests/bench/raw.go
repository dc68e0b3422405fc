package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/target"

	"github.com/browser-mcp/browser-mcp/internal/cdp/launch"
)

// The viewport of both sides, CSS pixels.
const width, height = 1280, 720

// A raw is a browser at the end of a debugging pipe, spoken to with plain
// commands, each awaited, and nothing else: the physical limit.
type raw struct {
	process *launch.Process
	pipe    interface {
		Read(context.Context, *cdproto.Message) error
		Write(context.Context, *cdproto.Message) error
	}
	lastID  int64
	session target.SessionID
	page    target.ID // the first page that was announced
	shown   bool      // a document has been committed since the last navigation was sent
	loaded  bool      // and has loaded
}

// params are a command's.
type params map[string]any

// launchRaw starts a browser as the server does and attaches to its first page.
func launchRaw(browser string) (*raw, error) {
	process, err := launch.Start(launch.Options{Executable: browser, Headless: true, Width: width, Height: height})
	if err != nil {
		return nil, err
	}
	r := &raw{process: process, pipe: process.Transport()}
	if err := r.attach(); err != nil {
		process.Stop()
		return nil, err
	}
	return r, nil
}

func (r *raw) attach() error {
	if _, err := r.send("Target.setDiscoverTargets", params{"discover": true}); err != nil {
		return err
	}
	if err := r.await(func() bool { return r.page != "" }); err != nil {
		return err
	}
	attached, err := r.send("Target.attachToTarget", params{"targetId": r.page, "flatten": true})
	if err != nil {
		return err
	}
	var answer struct{ SessionID target.SessionID }
	if err := json.Unmarshal(attached, &answer); err != nil {
		return err
	}
	r.session = answer.SessionID
	_, err = r.send("Page.enable", params{})
	return err
}

// send sends a command, to the page once there is one, and waits for its answer.
func (r *raw) send(method string, p params) (result []byte, err error) {
	defer r.bound()()
	encoded, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	r.lastID++
	command := &cdproto.Message{ID: r.lastID, SessionID: r.session, Method: cdproto.MethodType(method), Params: encoded}
	if err := r.pipe.Write(context.Background(), command); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	for {
		message, err := r.read()
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", method, err)
		case message.ID != r.lastID:
			continue
		case message.Error != nil:
			return nil, fmt.Errorf("%s: %w", method, message.Error)
		}
		return message.Result, nil
	}
}

// await reads until the condition holds.
func (r *raw) await(condition func() bool) error {
	defer r.bound()()
	for !condition() {
		if _, err := r.read(); err != nil {
			return err
		}
	}
	return nil
}

// bound ends the browser when a wait takes too long: a read has no deadline.
func (r *raw) bound() (done func()) {
	timer := time.AfterFunc(patience, r.process.Stop)
	return func() { timer.Stop() }
}

// read takes the next message and notes what it tells of the page.
func (r *raw) read() (*cdproto.Message, error) {
	message := new(cdproto.Message)
	if err := r.pipe.Read(context.Background(), message); err != nil {
		return nil, err
	}
	switch message.Method {
	case "Target.targetCreated":
		var created struct{ TargetInfo target.Info }
		if err := json.Unmarshal(message.Params, &created); err != nil {
			return nil, err
		}
		if r.page == "" && created.TargetInfo.Type == "page" {
			r.page = created.TargetInfo.TargetID
		}
	case "Page.frameNavigated":
		r.shown = true
	case "Page.loadEventFired":
		r.loaded = r.shown // otherwise it is the event of the document before
	}
	return message, nil
}

// navigate opens a page and waits for its load event.
func (r *raw) navigate(url string) error {
	r.shown, r.loaded = false, false
	if _, err := r.send("Page.navigate", params{"url": url}); err != nil {
		return err
	}
	return r.await(func() bool { return r.loaded })
}

// eval gives the JSON value of an expression in the page.
func (r *raw) eval(expression string) (json.RawMessage, error) {
	result, err := r.send("Runtime.evaluate", params{"expression": expression, "returnByValue": true})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result struct{ Value json.RawMessage }
	}
	err = json.Unmarshal(result, &answer)
	return answer.Result.Value, err
}

// click asks where the element is and clicks its middle.
func (r *raw) click(selector string) error {
	box, err := r.eval(fmt.Sprintf(`(() => { const b = document.querySelector(%q).getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 } })()`, selector))
	if err != nil {
		return err
	}
	var at struct{ X, Y float64 }
	if err := json.Unmarshal(box, &at); err != nil {
		return err
	}
	for _, event := range []params{
		{"type": "mouseMoved"},
		{"type": "mousePressed", "button": "left", "buttons": 1, "clickCount": 1},
		{"type": "mouseReleased", "button": "left", "clickCount": 1},
	} {
		event["x"], event["y"] = at.X, at.Y
		if _, err := r.send("Input.dispatchMouseEvent", event); err != nil {
			return err
		}
	}
	return nil
}

// typeText focuses the element and strikes a key for every lower case letter.
func (r *raw) typeText(selector, text string) error {
	if _, err := r.eval(fmt.Sprintf(`document.querySelector(%q).focus()`, selector)); err != nil {
		return err
	}
	for _, letter := range text {
		for _, kind := range []string{"keyDown", "keyUp"} {
			event := params{"type": kind, "key": string(letter), "code": "Key" + string(letter-'a'+'A'), "windowsVirtualKeyCode": letter - 'a' + 'A'}
			if kind == "keyDown" {
				event["text"] = string(letter)
			}
			if _, err := r.send("Input.dispatchKeyEvent", event); err != nil {
				return err
			}
		}
	}
	return nil
}
