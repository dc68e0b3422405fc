package apps

import (
	"fmt"
	"strings"
	"testing"
)

// TestForms plays the same situations on the same form and list of tasks, made
// with each framework.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, app := range []string{"angular", "react", "preact", "vue", "svelte", "lit", "jquery", "backbone"} {
		t.Run(app, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			u.test(t, app, fields)
			u.test(t, app, controls)
			u.test(t, app, tasks)
			u.test(t, app, submits)
			u.test(t, app, forms)
		})
	}
}

var long = strings.Repeat("word ", 500) + "end"

var fields = []situation{
	{name: "types", do: []step{enter("#name", "Ada")}, model: `{"name": "Ada"}`},
	{name: "appends", do: []step{enter("#name", "Ada"), enter("#name", " L.")}, model: `{"name": "Ada L."}`},
	{name: "replaces", do: []step{enter("#name", "Ada"), enter("#name", "Grace").with("clear")}, model: `{"name": "Grace"}`},
	{name: "clears", do: []step{enter("#name", "Ada"), enter("#name", "").with("clear")}, model: `{"name": ""}`},
	{name: "types slowly", do: []step{enter("#name", "Ada").with("slowly")}, model: `{"name": "Ada"}`},
	{name: "types what no key has", do: []step{enter("#name", "né 漢字 👍")}, model: `{"name": "né 漢字 👍"}`},
	{name: "types a long text", do: []step{enter("#name", long)}, model: fmt.Sprintf(`{"name": %q}`, long)},
	{name: "erases with keys", do: []step{enter("#name", "Ada"), press("Control+A", "#name"), press("Backspace", "")}, model: `{"name": ""}`},
	{name: "corrects with keys", do: []step{enter("#name", "Adam"), press("Backspace", ""), press("ArrowLeft", ""), press("!", "")}, model: `{"name": "Ad!a"}`},
	{name: "types a number", do: []step{enter("#age", "42")}, model: `{"age": 42}`},
	{name: "appends to a number", do: []step{enter("#age", "42"), enter("#age", ".5")}, model: `{"age": 42.5}`},
	{name: "replaces a number", do: []step{enter("#age", "42"), enter("#age", "-7").with("clear")}, model: `{"age": -7}`},
	{name: "clears a number", do: []step{enter("#age", "42"), enter("#age", "").with("clear")}, model: `{"age": null}`},
	{name: "steps a number", do: []step{enter("#age", "42"), press("ArrowUp", "#age")}, model: `{"age": 43}`},
	{name: "types lines, then goes on", do: []step{enter("#notes", "one\ntwo"), enter("#name", "Ada")}, model: `{"notes": "one\ntwo", "name": "Ada"}`},
	{name: "sets a date", do: []step{enter("#born", "2026-11-21"), enter("#name", "Ada")}, model: `{"born": "2026-11-21"}`},
	{name: "types into a mask", do: []step{enter("#phone", "123456")}, says: `something else than was typed: "12-34-56"`, model: `{"phone": "12-34-56"}`},
	{name: "types what the mask wants", do: []step{enter("#phone", "12-34-56")}, model: `{"phone": "12-34-56"}`},
	{name: "types more than the mask takes", do: []step{enter("#phone", "12x34y5678")}, says: `something else than was typed: "12-34-56"`, model: `{"phone": "12-34-56"}`},
	{name: "replaces below a mask", do: []step{enter("#phone", "12"), enter("#phone", "65").with("clear")}, model: `{"phone": "65"}`},
}

var submits = []situation{
	{name: "submits with Enter", do: []step{enter("#name", "Ada").with("submit")}, says: "pressed Enter", model: `{"saved": ["Ada"]}`},
	{name: "adds tasks", do: []step{enter("#task", "Bread").with("submit"), enter("#task", "Jam").with("submit")}, model: `{"tasks": ["Tea", "Milk", "Bread", "Jam"]}`},
}

// wholeForm fills every field of the form.
var wholeForm = fill("#name", "Ada", "#age", "42", "#notes", "one\ntwo", "#agree", "true", "#color", "blue",
	"#large", "large", "#born", "2026-11-21", "#files", file("doc.go"), "#phone", "12-34-56")

var forms = []situation{
	{name: "fills the form", do: []step{wholeForm, see(`textbox "Name": Ada`, `spinbutton "Age": 42`, `textbox "Notes": one two`, `checkbox "I agree" checked`,
		`combobox: blue (of 3 options)`, `radio "small"`, `radio "large" checked`, `date "Born": 2026-11-21`, `button "Choose Files: doc.go"`, `textbox "Phone": 12-34-56`, `button "Save"`)},
		model: `{"name": "Ada", "age": 42, "notes": "one\ntwo", "agree": true, "color": "blue", "size": "large", "born": "2026-11-21", "files": ["doc.go"], "phone": "12-34-56"}`},
	{name: "fills and submits", do: []step{fill("#agree", "true", "#name", "Ada").with("submit")}, says: `submitted with <button#save> "Save"`, model: `{"agree": true, "saved": ["Ada"]}`},
	{name: "fills nothing unless it can fill all", do: []step{fill("#name", "Ada", "#color", "pink")}, fails: `it has no option "pink"; there are "red", "green", "blue"`, model: `{"name": "", "color": "red"}`},
	{name: "selects", do: []step{choose("#color", "blue")}, says: `holds "blue"`, model: `{"color": "blue"}`},
	{name: "uploads", do: []step{upload("#files", file("doc.go"), file("main_test.go"))}, says: "2 files: doc.go, main_test.go", model: `{"files": ["doc.go", "main_test.go"]}`},
	{name: "clicks by ref", do: []step{see(`checkbox "I agree"`), clickLine(`checkbox "I agree"`)}, model: `{"agree": true}`},
}

var controls = []situation{
	{name: "saves", do: []step{enter("#name", "Ada"), click("#save")}, model: `{"saved": ["Ada"]}`},
	{name: "cannot save what was taken away", do: []step{enter("#name", "Ada"), enter("#name", "").with("clear"), refused("#save")}, fails: "it is disabled", model: `{"saved": []}`},
	{name: "checks", do: []step{click("#agree")}, model: `{"agree": true}`},
	{name: "checks by the label", do: []step{click("label:has(#agree)")}, model: `{"agree": true}`},
	{name: "unchecks", do: []step{click("#agree"), click("#agree")}, model: `{"agree": false}`},
	{name: "checks with a key", do: []step{press("Space", "#agree")}, model: `{"agree": true}`},
	{name: "chooses a radio button", do: []step{click("#large")}, model: `{"size": "large"}`},
	{name: "chooses a radio button with a key", do: []step{click("#large"), press("ArrowUp", "")}, model: `{"size": "small"}`},
	{name: "selects with keys", do: []step{press("ArrowDown", "#color"), press("ArrowDown", ""), press("Enter", "")}, model: `{"color": "blue"}`},
	{name: "follows a link inside of the app", do: []step{click("#about")}, says: "/about", model: `{"view": "about"}`},
}

var tasks = []situation{
	{name: "toggles", do: []step{click(".toggle")}, says: "1 of 2 matches", model: `{"tasks": ["✓ Tea", "Milk"]}`},
	{name: "toggles back", do: []step{click(".toggle"), click(".toggle")}, model: `{"tasks": ["Tea", "Milk"]}`},
	{name: "edits", do: []step{doubleClick(".title"), enter(".edit", "Coffee").with("clear").with("submit")}, model: `{"tasks": ["Coffee", "Milk"]}`},
	{name: "edits and leaves", do: []step{doubleClick(".title"), enter(".edit", "pot"), click("#name")}, model: `{"tasks": ["Teapot", "Milk"]}`},
	{name: "gives an edit up", do: []step{doubleClick(".title"), enter(".edit", "pot"), press("Escape", "")}, model: `{"tasks": ["Tea", "Milk"]}`},
	{name: "removes what the pointer shows", do: []step{click(".title"), click(".remove")}, model: `{"tasks": ["Milk"]}`},
	{name: "hovers over what only the pointer shows", do: []step{hover(".title"), hover(".remove")}, says: "The mouse is over <button.remove>", model: `{"tasks": ["Tea", "Milk"]}`},
	{name: "drags", do: []step{drag("li.task:nth-of-type(1)", "li.task:nth-of-type(2)")}, says: "Dragged <li.task>", model: `{"tasks": ["Milk", "Tea"]}`},
	{name: "cannot click what only the pointer shows", do: []step{refused(".remove")}, fails: "it has visibility: hidden", model: `{"tasks": ["Tea", "Milk"]}`},
}
