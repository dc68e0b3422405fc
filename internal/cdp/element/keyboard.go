package element

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/page"
	"github.com/browser-mcp/browser-mcp/internal/fault"
)

var modifierNames = map[string]int64{
	"alt": modAlt, "option": modAlt, "control": modControl, "ctrl": modControl,
	"meta": modMeta, "command": modMeta, "cmd": modMeta, "shift": modShift,
}

var modifierKeys = map[int64]string{modAlt: "Alt", modControl: "Control", modMeta: "Meta", modShift: "Shift"}

func modifierBits(names []string) (bits int64, err error) {
	for _, name := range names {
		bit, ok := modifierNames[strings.ToLower(name)]
		if !ok {
			return 0, fault.New(fault.InvalidArgument, "modifier %q is unknown; use Alt, Control, Meta or Shift", name)
		}
		bits |= bit
	}
	return bits, nil
}

// keysByName finds a key by what the DOM calls it: Enter, ArrowLeft, F5.
var keysByName = sync.OnceValue(func() map[string]*kb.Key {
	names := map[string]*kb.Key{}
	for _, key := range kb.Keys {
		if name := strings.ToLower(key.Key); utf8.RuneCountInString(name) > 1 {
			names[name] = key
		}
	}
	for alias, name := range map[string]string{"esc": "escape", "return": "enter", "del": "delete", "up": "arrowup", "down": "arrowdown", "left": "arrowleft", "right": "arrowright"} {
		names[alias] = names[name]
	}
	names["space"] = kb.Keys[' ']
	return names
})

// A chord is a key with the modifiers that are held: Control+Shift+K.
type chord struct {
	modifiers int64
	key       *kb.Key
	text      string // for a character that no key has
}

func parseChord(s string) (chord, error) {
	var c chord
	rest := s
	for {
		name, after, ok := strings.Cut(rest, "+")
		bit, isModifier := modifierNames[strings.ToLower(name)]
		if !ok || !isModifier || after == "" {
			break
		}
		c.modifiers |= bit
		rest = after
	}
	if bit, ok := modifierNames[strings.ToLower(rest)]; ok {
		rest = modifierKeys[bit]
	}
	if key := keysByName()[strings.ToLower(rest)]; key != nil {
		c.key = key
		return c, nil
	}
	if r, size := utf8.DecodeRuneInString(rest); size > 0 && size == len(rest) {
		if c.modifiers != 0 {
			r = unicode.ToLower(r) // Control+A is the key A, without Shift
		}
		typed := keyOf(r)
		c.key, c.text = typed.key, typed.text
		return c, nil
	}
	return c, fault.New(fault.InvalidArgument, "key %q is unknown; use a character, a name such as Enter, Tab, Escape, ArrowDown, F5, or a chord such as Control+A%s", s, alike(rest))
}

func alike(name string) string {
	var near []string
	for known, key := range keysByName() {
		if len(name) > 2 && key != nil && (strings.Contains(known, strings.ToLower(name)) || strings.Contains(strings.ToLower(name), known)) {
			near = append(near, key.Key)
		}
	}
	if len(near) == 0 {
		return ""
	}
	slices.Sort(near)
	near = slices.Compact(near)
	return fmt.Sprintf(". Like it: %s", strings.Join(near[:min(len(near), 5)], ", "))
}

// PressKey presses a key or a chord on the focused element, or on the one that
// selector names, and waits for what that starts.
func PressKey(ctx context.Context, tab *page.Page, keys, selector string) (Match, error) {
	c, err := parseChord(keys)
	if err != nil {
		return Match{}, err
	}
	on := found{frame: tab.Main()}
	if selector != "" {
		if on, err = locate(ctx, tab, "focus", selector, map[string]any{}); err != nil {
			return Match{}, err
		}
	}
	since := tab.Now()
	if err := strike(ctx, tab, c); err != nil && !page.CutShort(err) {
		return Match{}, err
	}
	if tab.Dialog() != nil {
		return on.match(), nil
	}
	_, err = tab.Settle(ctx, on.frame, since)
	return on.match(), err
}

// strike sends the events of a chord at once, and waits for the last.
func strike(ctx context.Context, tab *page.Page, c chord) error {
	held := int64(0)
	for _, bit := range []int64{modControl, modAlt, modMeta, modShift} {
		if c.modifiers&bit != 0 {
			held |= bit
			cdp.Post(tab.Session(), input.DispatchKeyEvent, keyEvent(input.DispatchKeyEventTypeRawKeyDown, keysByName()[strings.ToLower(modifierKeys[bit])], held))
		}
	}
	last := startKey(ctx, tab, c)
	for _, bit := range []int64{modShift, modMeta, modAlt, modControl} {
		if c.modifiers&bit != 0 {
			held &^= bit
			last = cdp.Start(ctx, tab.Session(), input.DispatchKeyEvent, keyEvent(input.DispatchKeyEventTypeKeyUp, keysByName()[strings.ToLower(modifierKeys[bit])], held))
		}
	}
	_, err := last.Wait(ctx)
	return err
}

// startKey presses and releases one key; a character that no key has is
// inserted as an input method would.
func startKey(ctx context.Context, tab *page.Page, c chord) cdp.Pending[cdp.Empty] {
	if c.key == nil {
		return cdp.Start(ctx, tab.Session(), input.InsertText, input.InsertTextParams{Text: c.text})
	}
	modifiers := c.modifiers
	if c.key.Shift {
		modifiers |= modShift
	}
	key := c.key
	if upper := strings.ToUpper(key.Key); modifiers&modShift != 0 && len(key.Key) == 1 && kb.Keys[rune(upper[0])] != nil {
		key = kb.Keys[rune(upper[0])]
	}
	down := keyEvent(input.DispatchKeyEventTypeKeyDown, key, modifiers)
	if modifiers&(modControl|modAlt|modMeta) == 0 {
		down.Text, down.UnmodifiedText = key.Text, key.Unmodified
	}
	if down.Text == "" {
		down.Type = input.DispatchKeyEventTypeRawKeyDown // a keyDown without text would be followed by no char event
		down.Commands = editCommands(modifiers, key.Key)
	}
	cdp.Post(tab.Session(), input.DispatchKeyEvent, down)
	return cdp.Start(ctx, tab.Session(), input.DispatchKeyEvent, keyEvent(input.DispatchKeyEventTypeKeyUp, key, modifiers))
}

// editCommands are what an editor does on the usual chords; the browser maps
// them by itself on some systems only.
func editCommands(modifiers int64, key string) []string {
	if modifiers != modControl && modifiers != modMeta {
		return nil
	}
	switch strings.ToLower(key) {
	case "a":
		return []string{"selectAll"}
	default:
		return nil
	}
}

func keyEvent(kind input.DispatchKeyEventType, key *kb.Key, modifiers int64) input.DispatchKeyEventParams {
	return input.DispatchKeyEventParams{
		Type: kind, Modifiers: modifiers, Key: key.Key, Code: key.Code,
		WindowsVirtualKeyCode: key.Windows, NativeVirtualKeyCode: key.Windows,
	}
}
