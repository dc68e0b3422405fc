package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/stretchr/testify/require"

	"github.com/browser-mcp/browser-mcp/internal/cdp"
	"github.com/browser-mcp/browser-mcp/internal/cdp/launch"
)

// chromeWords has our word for each role that Chrome's tree tells in a word of
// its own. A role of ” is not compared: Chrome makes it for its own use.
var chromeWords = map[string]string{
	"image": "img", "SvgRoot": "img", "LabelText": "label", "Legend": "legend", "Figcaption": "caption",
	"DisclosureTriangle": "button", "Details": "group", "DescriptionList": "list", "Iframe": "iframe", "IframePresentational": "iframe",
	"Date": "date", "DateTime": "datetime", "InputTime": "time", "ColorWell": "color",
	"Canvas": "canvas", "PluginObject": "object", "EmbeddedObject": "object", "MathMLMath": "math",
	"LayoutTable": "generic", "LayoutTableRow": "generic", "Ruby": "generic",
	"sectionheader": "generic", "sectionfooter": "generic", "doc-backlink": "link",
	"Abbr": "", "Audio": "", "LayoutTableCell": "", "LineBreak": "", "MathMLIdentifier": "", "MathMLNumber": "",
	"MathMLOperator": "", "Video": "", "doc-endnote": "", "doc-endnotes": "",
}

// openTab starts a browser and gives the session of its first page.
func openTab(t testing.TB) *cdp.Session {
	t.Helper()
	process, err := launch.Start(launch.Options{Headless: true})
	require.NoError(t, err)
	pages := make(chan *cdp.Session, 10)
	c := cdp.Open(process.Transport(), slog.New(slog.DiscardHandler), func(s *cdp.Session) {
		if s.Target.Type == "page" {
			pages <- s
		}
	})
	t.Cleanup(func() {
		process.Stop()
		c.Close()
	})
	cdp.Post(c.Browser(), target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, Flatten: new(true)})
	select {
	case s := <-pages:
		return s
	case <-time.After(30 * time.Second):
		require.Fail(t, "no page")
		return nil
	}
}

// evaluate runs an expression and decodes its value.
func evaluate[R any](t testing.TB, s *cdp.Session, world runtime.ExecutionContextID, expression string) R {
	t.Helper()
	result, err := cdp.Call(t.Context(), s, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: world, ReturnByValue: new(true), AwaitPromise: new(true),
	})
	require.NoError(t, err)
	if result.ExceptionDetails != nil {
		require.Fail(t, "exception", "%s", result.ExceptionDetails.Exception.Description)
	}
	var value R
	if len(result.Result.Value) > 0 {
		require.NoError(t, json.Unmarshal(result.Result.Value, &value))
	}
	return value
}

// visit loads a page and gives an isolated world of it that has the names.
func visit(t testing.TB, s *cdp.Session, url string) runtime.ExecutionContextID {
	t.Helper()
	went, err := cdp.Call(t.Context(), s, page.Navigate, page.NavigateParams{URL: url})
	require.NoError(t, err)
	require.Empty(t, went.ErrorText)
	made, err := cdp.Call(t.Context(), s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: went.FrameID, WorldName: World})
	require.NoError(t, err)
	script := ""
	for _, name := range []string{"dom", "roles", "generated", "names", "states"} {
		source, err := os.ReadFile("js/" + name + ".js")
		require.NoError(t, err)
		script += string(source)
	}
	evaluate[any](t, s, made.ExecutionContextID, "new Promise((done) => (document.readyState === 'complete' ? done() : addEventListener('load', done)))")
	evaluate[any](t, s, made.ExecutionContextID, "(() => {"+script+"; globalThis.names = { roleOf, nameOf, statesOf, focusable }; })()")
	return made.ExecutionContextID
}

// ours is what our code says of an element.
type ours struct {
	Role, Name, Markup string
	States             []string
	Interactive        bool
}

const describeAll = `(() => {
  const { roleOf, nameOf, statesOf, focusable } = names;
  const found = [];
  const collect = (root) => {
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      found.push(node);
      if (node.shadowRoot instanceof ShadowRoot) collect(node.shadowRoot);
    }
  };
  collect(document);
  const acts = new Set('button link textbox searchbox combobox listbox option checkbox radio switch slider spinbutton menuitem menuitemcheckbox menuitemradio tab treeitem date datetime time color'.split(' '));
  const all = found.map((node) => { const role = roleOf(node); return { role, name: nameOf(node), states: statesOf(node), interactive: focusable(node) || acts.has(role), markup: node.outerHTML.slice(0, 90) }; });
  found.forEach((node, i) => Element.prototype.setAttribute.call(node, 'data-number', i));
  return all;
})()`

// numbered gives the backend ids of the elements by their data-number.
func numbered(t testing.TB, s *cdp.Session) map[proto.BackendNodeID]int {
	t.Helper()
	whole, err := cdp.Call(t.Context(), s, dom.GetDocument, dom.GetDocumentParams{Depth: new(int64(-1)), Pierce: new(true)})
	require.NoError(t, err)
	ids := map[proto.BackendNodeID]int{}
	var walk func(*proto.Node)
	walk = func(node *proto.Node) {
		for i := 0; i+1 < len(node.Attributes); i += 2 {
			if node.Attributes[i] == "data-number" {
				ids[node.BackendNodeID], _ = strconv.Atoi(node.Attributes[i+1])
			}
		}
		for _, child := range append(append([]*proto.Node{}, node.Children...), node.ShadowRoots...) {
			walk(child)
		}
	}
	walk(whole.Root)
	return ids
}

func word(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var said string
	_ = json.Unmarshal(v.Value, &said)
	return strings.Join(strings.Fields(said), " ")
}

// statesOf gives the states that Chrome tells, in our words. That a select is
// closed is none of ours.
func statesOf(node *accessibility.Node, isSelect bool) []string {
	states := []string{}
	for _, property := range node.Properties {
		var value any
		_ = json.Unmarshal(property.Value.Value, &value)
		switch name, said := strings.ToLower(string(property.Name)), fmt.Sprint(value); {
		case name == "expanded" && said == "false" && !isSelect:
			states = append(states, "collapsed")
		case said == "false" || said == "":
		case name == "checked", name == "pressed":
			states = append(states, strings.TrimSuffix(name+"="+said, "=true"))
		case name == "level" && word(node.Role) == "heading":
			states = append(states, name+"="+said)
		case slices.Contains([]string{"busy", "disabled", "expanded", "invalid", "modal", "multiselectable", "readonly", "required", "selected"}, name):
			states = append(states, name)
		}
	}
	slices.Sort(states)
	return states
}

// comparable leaves out what Chrome does not tell, or tells of every element.
func comparable(our ours) []string {
	states := slices.DeleteFunc(slices.Clone(our.States), func(state string) bool {
		return state == "editable" || strings.HasPrefix(state, "current") || strings.HasPrefix(state, "haspopup") || strings.HasPrefix(state, "level") && our.Role != "heading"
	})
	slices.Sort(states)
	return states
}

// agree compares names; ours ends where it is long enough.
func agree(our, chrome string) bool {
	return our == chrome || len(our) >= 1000 && strings.HasPrefix(chrome, our)
}

// A tally counts agreements.
type tally struct{ same, all int }

func (c *tally) add(same bool) {
	c.all++
	if same {
		c.same++
	}
}

func (c tally) share() float64 { return float64(c.same) / float64(max(c.all, 1)) }

func (c tally) String() string {
	return fmt.Sprintf("%d of %d (%.1f %%)", c.same, c.all, 100*c.share())
}

// TestNamesAgreeWithChrome holds roles and names against the browser's own
// accessibility tree, on every page in testdata/names.
func TestNamesAgreeWithChrome(t *testing.T) {
	s := openTab(t)
	files, err := filepath.Glob("testdata/names/*.html")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 12)
	more, err := filepath.Glob(os.Getenv("NAMES_TEST_PAGES")) // pages of your own
	require.NoError(t, err)
	files = append(files, more...)
	var interactive, others, states tally
	for _, file := range files {
		path, err := filepath.Abs(file)
		require.NoError(t, err)
		world := visit(t, s, "file://"+path)
		mine := evaluate[[]ours](t, s, world, describeAll)
		ids := numbered(t, s)
		tree, err := cdp.Call(context.Background(), s, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		require.NoError(t, err)
		for _, node := range tree.Nodes {
			number, known := ids[node.BackendDOMNodeID]
			if node.Ignored || !known {
				continue
			}
			role := word(node.Role)
			if own, mapped := chromeWords[role]; mapped {
				role = own
			}
			if role == "" {
				continue
			}
			my, name := mine[number], word(node.Name)
			same := my.Role == role && agree(my.Name, name)
			kind := "other"
			if my.Interactive {
				kind = "interactive"
				interactive.add(same)
			} else {
				others.add(same)
			}
			if told := statesOf(node, strings.HasPrefix(my.Markup, "<select")); my.Interactive || my.Role == "heading" {
				inState := slices.Equal(told, comparable(my))
				states.add(inState)
				if !inState {
					t.Logf("states %s: Chrome %v, ours %v: %s", filepath.Base(file), told, my.States, my.Markup)
				}
			}
			if !same {
				t.Logf("%s %s: Chrome %s %q, ours %s %q: %s", kind, filepath.Base(file), role, name, my.Role, my.Name, my.Markup)
			}
		}
	}
	t.Logf("interactive elements agree: %v; others: %v; states: %v", interactive, others, states)
	require.GreaterOrEqual(t, interactive.share(), 0.98)
	require.GreaterOrEqual(t, states.share(), 0.98)
	require.GreaterOrEqual(t, others.share(), 0.95)
}

// hostile makes documents that are meant to be slow or endless to name.
const hostile = `{
  deep(body) { for (let at = body, i = 0; i < 400; i++) { const span = document.createElement(i % 50 ? 'span' : 'a'); if (i % 50 === 0) span.href = '#'; at.append('x', span); at = span; } },
  presentational(body) { for (let at = body, i = 0; i < 1000; i++) { const li = document.createElement(i ? 'div' : 'button'); if (i) li.setAttribute('role', 'none'); at.append('x', li); at = li; } },
  contents(body) { for (let at = body, i = 0; i < 1000; i++) { const label = document.createElement(i ? 'label' : 'input'); if (!i) label.id = 'it'; label.setAttribute('for', 'it'); label.style.display = 'contents'; at.append('x', label); at = i ? label : body; } },
  long(body) { const text = 'word '.repeat(40000); body.innerHTML = '<button id=all></button><div id=box role=textbox contenteditable></div><button aria-label="' + text + '"></button><img alt="' + text + '"><input type=password aria-labelledby="box">'; all.textContent = box.textContent = text; },
  wide(body) { body.innerHTML = '<button>' + '<b hidden>x</b>'.repeat(30000) + 'end</button><table><tr>' + '<th>h'.repeat(3000) + '</table><select multiple aria-label=s>' + '<option selected>o'.repeat(3000) + '</select>'; },
  circles(body) { body.innerHTML = Array.from({ length: 300 }, (_, i) => '<div role=button id=c' + i + ' aria-owns="c' + (i + 1) % 300 + ' c0" aria-labelledby="' + Array.from({ length: 300 }, (_, j) => 'c' + j).join(' ') + '">t</div>').join(''); },
  rules(body) { const style = document.createElement('style'); style.textContent = '.a::before{content:"x"}'.repeat(30000); body.append(style); body.insertAdjacentHTML('beforeend', '<button class=a>y</button>'); },
}`

func TestNamesOfHostilePages(t *testing.T) {
	s := openTab(t)
	for _, name := range []string{"deep", "presentational", "contents", "long", "wide", "circles", "rules"} {
		t.Run(name, func(t *testing.T) {
			world := visit(t, s, "about:blank")
			evaluate[any](t, s, world, fmt.Sprintf("(%s).%s(document.body), document.body.offsetHeight, null", hostile, name))
			longest := evaluate[int](t, s, world, `(() => {
  let longest = 0;
  for (const element of document.querySelectorAll('*')) {
    names.statesOf(element);
    longest = Math.max(longest, names.nameOf(element).length);
  }
  return longest;
})()`)
			require.Positive(t, longest)
			require.LessOrEqual(t, longest, 1000)
		})
	}
}

// manyElements fills the page with cards of a shop, of 17 elements each.
const manyElements = `(count) => {
  const card = '<li class=card><a href=p><img src="data:," alt="Tin"><h2>Sencha <small>100 g</small></h2><p><s>12</s> <strong>9</strong></p></a>'
    + '<label>Count <input type=number value=1></label><label><input type=checkbox> Gift</label><button><span>Add</span> <i></i></button><div><span>New</span></div></li>';
  document.body.innerHTML = '<ul>' + card.repeat(count / 17) + '</ul>';
  return document.body.offsetHeight;
}`

// BenchmarkNames tells the renderer's processor time for roles, names and states
// of a whole page, in a document that has never been asked before.
func BenchmarkNames(b *testing.B) {
	s := openTab(b)
	_, err := cdp.Call(b.Context(), s, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	require.NoError(b, err)
	spent := func() float64 {
		told, err := cdp.Call(b.Context(), s, performance.GetMetrics, cdp.Empty{})
		require.NoError(b, err)
		at := slices.IndexFunc(told.Metrics, func(m *performance.Metric) bool { return m.Name == "TaskDuration" })
		return told.Metrics[at].Value * 1000
	}
	for _, count := range []int{3400, 60000} {
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			var total float64
			for b.Loop() {
				world := visit(b, s, "about:blank")
				evaluate[float64](b, s, world, fmt.Sprintf("(%s)(%d)", manyElements, count))
				before := spent()
				evaluate[any](b, s, world, `(() => {
  for (const element of document.querySelectorAll('*')) {
    const role = names.roleOf(element);
    names.nameOf(element, role);
    names.statesOf(element, role);
  }
})()`)
				total += spent() - before
			}
			b.ReportMetric(total/float64(b.N), "cpu-ms/page")
		})
	}
}
