package apps

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestEditors plays with editors that keep a document of their own beside what
// the page shows.
func TestEditors(t *testing.T) {
	t.Parallel()
	for app, situations := range map[string][]situation{
		"codemirror":  codeMirror,
		"prosemirror": proseMirror,
		"tiptap":      tipTap,
		"quill":       quill,
		"lexical":     lexical,
	} {
		t.Run(app, func(t *testing.T) {
			t.Parallel()
			newUser(t).test(t, app, situations)
		})
	}
}

var codeMirror = []situation{
	{name: "appends", do: []step{enter(".cm-content", " = 1")}, model: `{"text": "let a = 1"}`},
	{name: "types lines", do: []step{enter(".cm-content", "\nlet b\n\nlet c")}, model: `{"text": "let a\nlet b\n\nlet c"}`},
	{name: "replaces", do: []step{enter(".cm-content", "let x\nlet y").with("clear")}, model: `{"text": "let x\nlet y"}`},
	{name: "clears", do: []step{enter(".cm-content", "").with("clear")}, says: "Cleared", model: `{"text": ""}`},
	{name: "clicks and presses", do: []step{click(".cm-line"), press("End", ""), press("!", "")}, model: `{"text": "let a!"}`},
	{name: "selects all", do: []step{press("Control+A", ".cm-content"), press("x", "")}, model: `{"text": "x"}`},
	{name: "selects all of many lines", do: []step{enter(".cm-content", "\nb\nc"), press("Control+A", ""), press("Delete", "")}, model: `{"text": ""}`},
	{name: "undoes", do: []step{enter(".cm-content", " = 1"), press("Control+Z", "")}, model: `{"text": "let a"}`},
	{name: "redoes", do: []step{enter(".cm-content", " = 1"), press("Control+Z", ""), press("Control+Y", "")}, model: `{"text": "let a = 1"}`},
	{name: "closes brackets", do: []step{enter(".cm-content", "(1)").with("clear")}, model: `{"text": "(1)"}`},
	{name: "closes a bracket by itself", do: []step{enter(".cm-content", "f(").with("clear")}, says: `something else than was typed: "f()"`, model: `{"text": "f()"}`},
	{name: "indents by itself", do: []step{enter(".cm-content", "if (a) {\nb").with("clear")}, says: `something else than was typed: "if (a) {\n  b\n}"`, model: `{"text": "if (a) {\n  b\n}"}`},
	{name: "takes a long text", do: []step{enter(".cm-content", long).with("clear")}, model: `{"text": "` + long + `"}`},
	{name: "takes many lines", do: []step{enter(".cm-content", lines).with("clear")}, model: `{"text": ` + quoted(lines) + `}`},
}

var proseMirror = []situation{
	{name: "appends", do: []step{enter(".ProseMirror", " words")}, model: `{"text": "First words"}`},
	{name: "types paragraphs", do: []step{enter(".ProseMirror", "\nSecond")}, model: `{"text": "First\nSecond"}`},
	{name: "starts with a key", do: []step{enter(".ProseMirror", "\n"), press("x", "")}, says: "Pressed", model: `{"text": "First\nx"}`},
	{name: "replaces", do: []step{enter(".ProseMirror", "New").with("clear")}, model: `{"text": "New"}`},
	{name: "replaces paragraphs", do: []step{enter(".ProseMirror", "One\nTwo").with("clear")}, model: `{"text": "One\nTwo"}`},
	{name: "clears", do: []step{enter(".ProseMirror", "").with("clear")}, says: "Cleared", model: `{"text": ""}`},
	{name: "selects all", do: []step{press("Control+A", ".ProseMirror"), press("x", "")}, model: `{"text": "x"}`},
	{name: "makes bold", do: []step{press("Control+A", ".ProseMirror"), press("Control+B", "")}, model: `{"text": "*First*"}`},
	{name: "makes bold what comes", do: []step{click(".ProseMirror"), press("End", ""), press("Control+B", ""), press("x", "")}, model: `{"text": "First*x*"}`},
	{name: "undoes", do: []step{enter(".ProseMirror", " words"), press("Control+Z", "")}, model: `{"text": "First"}`},
	{name: "takes a long text", do: []step{enter(".ProseMirror", long).with("clear")}, model: `{"text": "` + long + `"}`},
	{name: "takes many lines", do: []step{enter(".ProseMirror", lines).with("clear")}, model: `{"text": ` + quoted(lines) + `}`},
}

var tipTap = []situation{
	{name: "appends", do: []step{enter(".tiptap", " words")}, model: `{"html": "<p>First words</p>"}`},
	{name: "types paragraphs", do: []step{enter(".tiptap", "\nSecond")}, model: `{"html": "<p>First</p><p>Second</p>"}`},
	{name: "types an empty line", do: []step{enter(".tiptap", "\n\nThird")}, model: `{"html": "<p>First</p><p></p><p>Third</p>"}`},
	{name: "replaces", do: []step{enter(".tiptap", "New").with("clear")}, model: `{"html": "<p>New</p>"}`},
	{name: "makes a heading", do: []step{enter(".tiptap", "# Title").with("clear")}, says: `something else than was typed: "Title`, model: `{"html": "<h1>Title</h1><p></p>"}`},
	{name: "makes a list", do: []step{enter(".tiptap", "- a\nb").with("clear")}, says: `something else than was typed: "a`, model: `{"html": "<ul><li><p>a</p></li><li><p>b</p></li></ul><p></p>"}`},
	{name: "bold by the button", do: []step{press("Control+A", ".tiptap"), click("#bold")}, model: `{"html": "<p><strong>First</strong></p>"}`},
	{name: "bold by the chord", do: []step{press("Control+A", ".tiptap"), press("Control+B", "")}, model: `{"html": "<p><strong>First</strong></p>"}`},
	{name: "undoes", do: []step{enter(".tiptap", "New").with("clear"), press("Control+Z", "")}, model: `{"html": "<p>First</p>"}`},
}

var quill = []situation{
	{name: "appends", do: []step{enter(".ql-editor", " words")}, model: `{"text": "First words\n"}`},
	{name: "types paragraphs", do: []step{enter(".ql-editor", "\nSecond")}, model: `{"text": "First\nSecond\n"}`},
	{name: "replaces", do: []step{enter(".ql-editor", "New").with("clear")}, model: `{"text": "New\n"}`},
	{name: "clears", do: []step{enter(".ql-editor", "").with("clear")}, says: "Cleared", model: `{"text": "\n"}`},
	{name: "makes bold", do: []step{press("Control+A", ".ql-editor"), press("Control+B", "")}, model: `{"bold": ["First"]}`},
	{name: "bold by the button", do: []step{press("Control+A", ".ql-editor"), click("button.ql-bold")}, model: `{"bold": ["First"]}`},
	{name: "undoes", do: []step{enter(".ql-editor", " words"), press("Control+Z", "")}, model: `{"text": "First\n"}`},
	{name: "takes a long text", do: []step{enter(".ql-editor", long).with("clear")}, model: `{"text": "` + long + `\n"}`},
	{name: "takes many lines", do: []step{enter(".ql-editor", lines).with("clear")}, model: `{"text": ` + quoted(lines+"\n") + `}`},
}

var lexical = []situation{
	{name: "appends", do: []step{enter("#editor", " words")}, model: `{"text": "First words"}`},
	{name: "types paragraphs", do: []step{enter("#editor", "\nSecond")}, model: `{"text": "First\n\nSecond"}`},
	{name: "replaces", do: []step{enter("#editor", "New").with("clear")}, model: `{"text": "New"}`},
	{name: "clears", do: []step{enter("#editor", "").with("clear")}, says: "Cleared", model: `{"text": ""}`},
	{name: "makes bold", do: []step{press("Control+A", "#editor"), press("Control+B", "")}, model: `{"bold": ["First"]}`},
	{name: "undoes", do: []step{enter("#editor", " words"), press("Control+Z", "")}, model: `{"text": "First"}`},
	{name: "takes a long text", do: []step{enter("#editor", long).with("clear")}, model: `{"text": "` + long + `"}`},
}

// lines is a text that is too long to be typed key by key.
var lines = strings.TrimSuffix(strings.Repeat("a line of text\n", 200), "\n")

func quoted(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
