package apps

import "testing"

// TestWidgets plays with fields that rewrite what is typed, and with lists,
// calendars and dialogs that are no elements of HTML.
func TestWidgets(t *testing.T) {
	t.Parallel()
	for app, situations := range map[string][]situation{
		"react-fields":     reactFields,
		"angular-material": angularMaterial,
		"jquery-ui":        jQueryUI,
		"pickers":          pickers,
		"shoelace":         shoelace,
		"material-web":     materialWeb,
	} {
		t.Run(app, func(t *testing.T) {
			t.Parallel()
			newUser(t).test(t, app, situations)
		})
	}
}

// noSelect is how a list that the page draws itself is refused.
const noSelect = "it is no <select>: click it to open its list, then click the option"

var reactFields = []situation{
	{name: "imask", do: []step{enter("#card", "12345678")}, says: `something else than was typed: "1234 5678"`, model: `{"card": "12345678"}`},
	{name: "imask refuses letters", do: []step{enter("#card", "ab")}, says: `something else than was typed: ""`, model: `{"card": ""}`},
	{name: "imask replaces", do: []step{enter("#card", "12"), enter("#card", "98").with("clear")}, model: `{"card": "98"}`},
	{name: "number-format", do: []step{enter("#price", "1234.5")}, says: `something else than was typed: "$1,234.5"`, model: `{"price": 1234.5}`},
	{name: "number-format appends", do: []step{enter("#price", "$12"), enter("#price", "3")}, model: `{"price": 123}`},
	{name: "number-format replaces", do: []step{enter("#price", "$12"), enter("#price", "$7").with("clear")}, model: `{"price": 7}`},
	{name: "number-format clears", do: []step{enter("#price", "$12"), enter("#price", "").with("clear")}, model: `{"price": null}`},
	{name: "pattern-format", do: []step{enter("#zip", "12345")}, says: `something else than was typed: "12-345"`, model: `{"zip": "12345"}`},
	{name: "pattern-format replaces", do: []step{enter("#zip", "54321").with("clear")}, says: `something else than was typed: "54-321"`, model: `{"zip": "54321"}`},
	{name: "capitals", do: []step{enter("#upper", "shout")}, says: `something else than was typed: "SHOUT"`, model: `{"upper": "SHOUT"}`},
	{name: "refused characters", do: []step{enter("#code", "1a2b")}, says: `something else than was typed: "12"`, model: `{"code": "12"}`},
	{name: "react-select with the mouse", do: []step{click(".city__control"), click(".city__option:nth-child(2)")}, model: `{"city": "riga"}`},
	{name: "react-select by its input", do: []step{click("#city"), click(".city__option:nth-child(3)")}, model: `{"city": "oslo"}`},
	{name: "react-select filtered", do: []step{enter("#city", "os"), click(".city__option")}, model: `{"city": "oslo"}`},
	{name: "react-select with keys", do: []step{enter("#city", "ri").with("submit")}, says: "pressed Enter", model: `{"city": "riga"}`},
	{name: "react-select of several", do: []step{enter("#cities", "ri").with("submit"), enter("#cities", "o"), press("Enter", ""), press("Backspace", "#cities")}, model: `{"cities": ["riga"]}`},
	{name: "react-select takes one away", do: []step{enter("#cities", "ri").with("submit"), click(".cities__multi-value__remove")}, model: `{"cities": []}`},
	{name: "react-select is no select", do: []step{choose("#city", "Oslo")}, fails: noSelect},
	{name: "react-select by what it shows", do: []step{click("#city"), see(`listbox`, `option "Oslo"`), clickLine(`option "Oslo"`)}, model: `{"city": "oslo"}`},
	{name: "downshift", do: []step{enter("#port", "R"), click("#ports li:nth-child(2)")}, model: `{"port": "Riga"}`},
	{name: "downshift with keys", do: []step{enter("#port", "R"), press("ArrowDown", ""), press("ArrowDown", ""), press("Enter", "")}, model: `{"port": "Riga"}`},
}

var angularMaterial = []situation{
	{name: "autocomplete", do: []step{enter("#city", "R"), awaitAndClick("mat-option:nth-of-type(2)")}, model: `{"city": "Riga"}`},
	{name: "autocomplete with keys", do: []step{enter("#city", "O"), press("ArrowDown", ""), press("Enter", "")}, model: `{"city": "Oslo"}`},
	{name: "select", do: []step{click("#meal"), awaitAndClick("mat-option:nth-of-type(2)")}, model: `{"meal": "Rice"}`},
	{name: "select with keys", do: []step{press("Enter", "#meal"), press("ArrowDown", ""), press("Enter", "")}, model: `{"meal": "Rice"}`},
	{name: "select is no select", do: []step{choose("#meal", "Rice")}, fails: noSelect},
	{name: "select by what it shows", do: []step{see(`combobox "City" collapsed haspopup=listbox`), clickLine(`combobox "City" collapsed haspopup=listbox`),
		awaitAndClick(`role=option[name="Oslo"]`), see(`combobox "City" collapsed haspopup=listbox: Oslo`)}, model: `{"city": "Oslo"}`},
	{name: "fills", do: []step{fill("#news", "true", "#city", "Riga")}, says: "checked", model: `{"news": true, "city": "Riga"}`},
	{name: "checkbox", do: []step{click("#news")}, model: `{"news": true}`},
	{name: "checkbox's input", do: []step{click("#news input")}, model: `{"news": true}`},
	{name: "dialog", do: []step{click("#ask"), awaitAndClick("#yes"), gone("#yes")}, model: `{"sure": true}`},
	{name: "dialog covers", do: []step{click("#ask"), refused("#meal")}, fails: "covered by"},
}

var jQueryUI = []situation{
	{name: "autocomplete", do: []step{enter("#city", "Ri"), awaitAndClick(".ui-menu-item-wrapper")}, model: `{"city": "Riga"}`},
	{name: "autocomplete with keys", do: []step{enter("#city", "o"), await(".ui-menu-item-wrapper"), press("ArrowDown", "#city"), press("ArrowDown", ""), press("Enter", "")}, model: `{"city": "Oslo"}`},
	{name: "datepicker", do: []step{click("#day"), click(`[data-date="15"]`)}, model: `{"day": "11/15/2026"}`},
	{name: "datepicker's next month", do: []step{click("#day"), click(".ui-datepicker-next"), click(`[data-date="3"]`)}, model: `{"day": "12/03/2026"}`},
	{name: "datepicker typed", do: []step{enter("#day", "11/23/2026").with("submit")}, says: "pressed Enter", model: `{"day": "11/23/2026"}`},
	{name: "selectmenu", do: []step{click("#meal-button"), click("#meal-menu li:nth-child(2)")}, model: `{"meal": "Rice"}`},
	{name: "spinner", do: []step{click(".ui-spinner-up"), click(".ui-spinner-up")}, model: `{"amount": 2}`},
	{name: "spinner typed", do: []step{enter("#amount", "7"), click("#city")}, model: `{"amount": 7}`},
	{name: "slider with keys", do: []step{press("ArrowRight", ".ui-slider-handle")}, model: `{"level": 1}`},
	{name: "slider at a position", do: []step{clickAt("#level", 100, 5)}, model: `{"level": 50}`},
	{name: "slider dragged", do: []step{drag(".ui-slider-handle", "#level")}, model: `{"level": 50}`},
	{name: "sorts", do: []step{drag("#order li:nth-child(1)", "#order li:nth-child(3)")}, model: `{"order": ["two", "three", "one"]}`},
	{name: "sorts upwards", do: []step{drag("#order li:nth-child(3)", "#order li:nth-child(1)")}, model: `{"order": ["three", "one", "two"]}`},
	{name: "dialog", do: []step{click("#ask"), click("#yes")}, model: `{"sure": true}`},
	{name: "dialog covers", do: []step{click("#ask"), refused("#amount")}, fails: "covered by <div.ui-widget-overlay"},
}

var pickers = []situation{
	{name: "flatpickr", do: []step{click("#day"), click(`[aria-label="November 15, 2026"]`)}, model: `{"day": "2026-11-15"}`},
	{name: "flatpickr opened with the focus", do: []step{press("Home", "#day"), click(`[aria-label="November 15, 2026"]`)}, model: `{"day": "2026-11-15"}`},
	{name: "flatpickr typed", do: []step{enter("#day", "2026-12-24").with("clear").with("submit")}, says: "pressed Enter", model: `{"day": "2026-12-24"}`},
	{name: "sorts by the browser's drag and drop", do: []step{drag("#order li:nth-child(1)", "#order li:nth-child(3)")}, says: "Dragged", model: `{"order": ["two", "three", "one"]}`},
	{name: "sorts with the mouse", do: []step{drag("#sorted li:nth-child(1)", "#sorted li:nth-child(3)")}, model: `{"sorted": ["two", "three", "one"]}`},
	{name: "sorts upwards with the mouse", do: []step{drag("#sorted li:nth-child(3)", "#sorted li:nth-child(1)")}, model: `{"sorted": ["three", "one", "two"]}`},
}

var shoelace = []situation{
	{name: "input", do: []step{enter("#name", "Ada")}, model: `{"name": "Ada"}`},
	{name: "input's own input", do: []step{enter("input[name=name]", "Ada")}, model: `{"name": "Ada"}`},
	{name: "textarea", do: []step{enter("#notes", "one\ntwo")}, model: `{"notes": "one\ntwo"}`},
	{name: "textarea's own", do: []step{enter("textarea", "one\ntwo")}, model: `{"notes": "one\ntwo"}`},
	{name: "checkbox", do: []step{click("#agree")}, model: `{"agree": true}`},
	{name: "switch", do: []step{click("#dark")}, model: `{"dark": true}`},
	{name: "select", do: []step{click("#color"), awaitAndClick("sl-option[value=green]")}, model: `{"color": "green"}`},
	{name: "select is no select", do: []step{choose("#color", "green")}, fails: noSelect},
	{name: "fills", do: []step{fill("#name", "Ada", "#notes", "one\ntwo", "#agree", "true", "#dark", "on").with("submit"),
		see(`textbox "Name *" required: Ada`, `textbox "Notes": one two`, `checkbox "I agree" checked`, `switch "Dark" checked`, `button "Save"`)},
		model: `{"name": "Ada", "notes": "one\ntwo", "agree": true, "dark": true, "saved": ["Ada"]}`},
	{name: "clicks by ref", do: []step{see(`switch "Dark"`), clickLine(`switch "Dark"`)}, model: `{"dark": true}`},
	{name: "submit", do: []step{enter("input[name=name]", "Ada"), click("#save")}, model: `{"saved": ["Ada"]}`},
	{name: "submit with Enter", do: []step{enter("input[name=name]", "Ada").with("submit")}, says: "pressed Enter", model: `{"saved": ["Ada"]}`},
	{name: "dialog", do: []step{click("#ask"), await("#nick"), press("A", ""), click("#done")}, model: `{"nick": "A"}`},
}

var materialWeb = []situation{
	{name: "text field", do: []step{enter("#name", "Ada")}, model: `{"name": "Ada"}`},
	{name: "text field's own input", do: []step{enter("input.input", "Ada")}, model: `{"name": "Ada"}`},
	{name: "textarea's own", do: []step{enter("textarea", "one\ntwo")}, model: `{"notes": "one\ntwo"}`},
	{name: "checkbox", do: []step{click("#agree")}, model: `{"agree": true}`},
	{name: "switch", do: []step{click("#dark")}, model: `{"dark": true}`},
	{name: "radio", do: []step{click("#large")}, model: `{"size": "large"}`},
	{name: "select", do: []step{click("#color"), awaitAndClick("md-select-option[value=green]")}, model: `{"color": "green"}`},
	{name: "select is no select", do: []step{choose("#color", "green")}, fails: noSelect},
	{name: "select by what it shows", do: []step{see(`combobox "Color" collapsed haspopup=listbox`), clickLine(`combobox "Color" collapsed haspopup=listbox`),
		awaitAndClick(`role=option[name="Green"]`), see(`combobox "Color" collapsed haspopup=listbox: Green`)}, model: `{"color": "green"}`},
	{name: "fills", do: []step{fill("#name", "Ada", "#notes", "one\ntwo", "#agree", "true", "#dark", "true"), see(`textbox "Name": Ada`, `textbox "Notes": one two`, `checkbox checked`, `switch checked`)},
		model: `{"name": "Ada", "notes": "one\ntwo", "agree": true, "dark": true}`},
	{name: "submit", do: []step{enter("input.input", "Ada"), click("#save")}, model: `{"saved": ["Ada"]}`},
	{name: "dialog", do: []step{click("#ask"), awaitAndClick("#yes"), gone("#yes")}, model: `{"sure": "yes"}`},
}
