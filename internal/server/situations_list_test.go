package server

// A situation is a piece of a page with an element #target, and what must come
// of a click on it in whatever setting.
type situation struct {
	name    string
	html    string
	also    string // another selector of the element, which has to work too
	hover   bool   // the same must come of hovering
	refused string // a part of the reason; "" when the click must arrive
}

var situations = []situation{
	{name: "plain", html: `<button id=target>Go</button>`, also: `text=Go`, hover: true},
	{name: "of a role", html: `<div id=target role=button aria-label=Save tabindex=0>Go</div>`, also: `role=button[name="Save"]`},
	{name: "below the fold", html: `<div style="height:3000px"></div><button id=target>Go</button><div style="height:3000px"></div>`, also: `text=Go`, hover: true},
	{name: "right of the fold", html: `<div style="width:5000px"><button id=target style="margin-left:4000px">Go</button></div>`},
	{name: "on a smooth page", html: `<div style="height:3000px"></div><button id=target>Go</button><div style="height:3000px"></div>
		<script>document.documentElement.style.scrollBehavior = 'smooth'</script>`},
	{name: "in a part that is laid out late", html: `<div style="height:3000px"></div>
		<div style="content-visibility:auto;contain-intrinsic-size:1000px"><div style="height:900px"></div><button id=target>Go</button></div><div style="height:3000px"></div>`},
	{name: "in a scroll box", html: `<div style="height:100px;overflow:auto"><div style="height:1000px"></div><button id=target>Go</button></div>`, also: `role=button`},
	{name: "in a smooth scroll box with snaps", html: `<div style="height:100px;width:200px;overflow:auto;scroll-behavior:smooth;scroll-snap-type:y mandatory">
		<div style="height:100px;scroll-snap-align:start"></div><div style="height:100px;scroll-snap-align:start"></div><div style="height:100px;scroll-snap-align:start"><button id=target>Go</button></div></div>`},
	{name: "in a box that only scripts scroll", html: `<div style="width:200px;overflow:hidden"><div style="width:1000px"><button id=target style="margin-left:800px">Go</button></div></div>`},
	{name: "rotated", html: `<button id=target style="margin:150px;width:200px;height:20px;transform:rotate(50deg)">Go</button>`, also: `text=Go`, hover: true},
	{name: "in a shrunken box", html: `<div style="transform:scale(.5) translate(100px,100px)"><button id=target>Go</button></div>`},
	{name: "in a grown box", html: `<div style="transform:scale(3);transform-origin:0 0"><button id=target style="margin:80px">Go</button></div>`},
	{name: "in a zoomed box", html: `<div style="zoom:2.5"><button id=target style="margin:50px">Go</button></div>`},
	{name: "a link over two lines", html: `<p style="width:300px;font:20px/60px monospace">some words before <a id=target href="#x">link here</a>`, also: `role=link`, hover: true},
	{name: "a link over three lines", html: `<p style="width:120px;font:20px/40px monospace">and <a id=target href="#x">a link of some words</a>`, also: `text=a link of some words`},
	{name: "under a sticky header", html: `<header style="position:sticky;top:0;height:90px;background:#ccc">Header</header><div style="height:600px"></div><button id=target>Go</button>
		<div style="height:3000px"></div><script>scrollTo(0, 620)</script>`, hover: true},
	{name: "between fixed bars", html: `<div style="position:fixed;inset:0 0 auto;height:45%;background:#ccc">Top</div><div style="position:fixed;inset:auto 0 0;height:40%;background:#ccc">Bottom</div>
		<div style="height:2000px"></div><button id=target>Go</button><div style="height:2000px"></div>`},
	{name: "in a fixed bar", html: `<div style="height:3000px"></div><div style="position:fixed;bottom:0;left:0;right:0;background:#ccc"><button id=target>Go</button></div>`},
	{name: "in a table cell", html: `<table><tr><td>1<td id=target>2<tr><td>3<td>4</table>`, also: `text=2`},
	{name: "a box without a box", html: `<button id=target style="display:contents"><span>Go</span></button>`},
	{name: "with an icon", html: `<button id=target><svg width=24 height=24><path d="M0 0h24v24z"></path></svg></button>`},
	{name: "an icon", html: `<button><svg id=target width=24 height=24><circle cx=12 cy=12 r=12></circle></svg></button>`},
	{name: "with a child that takes no events", html: `<button id=target><span style="pointer-events:none">Go</span></button>`},
	{name: "below something that takes no events", html: `<div style="position:relative"><button id=target>Go</button><div style="position:absolute;inset:0;pointer-events:none;background:#fffc"></div></div>`},
	{name: "a tiny control of a label", html: `<label style="position:relative;padding:10px"><input id=target type=checkbox style="position:absolute;width:1px;height:1px;opacity:0">Agree</label>`},
	{name: "a covered control of a label", html: `<label style="display:block;position:relative;width:80px;height:30px"><input id=target type=checkbox style="opacity:0"><span style="position:absolute;inset:0;background:#ccc">Agree</span></label>`},
	{name: "a label of a tiny control", html: `<label id=target style="position:relative"><input type=checkbox style="position:absolute;width:1px;height:1px;opacity:0">Agree</label>`, also: `text=Agree`},
	{name: "half covered", html: `<div style="position:relative;width:200px"><button id=target style="width:200px">Go</button><div style="position:absolute;inset:0 80px 0 0;background:#ccc"></div></div>`, hover: true},
	{name: "covered but for an edge", html: `<div style="position:relative;width:200px"><button id=target style="width:200px;height:60px">Go</button><div style="position:absolute;inset:0 0 12px;background:#ccc"></div></div>`},
	{name: "half out of its box", html: `<div style="width:60px;overflow:clip"><button id=target style="width:200px">Go</button></div>`},
	{name: "transparent", html: `<button id=target style="opacity:0">Go</button>`, hover: true},
	{name: "in a modal dialog", html: `<dialog id=ask><button id=target>Go</button></dialog><script>at('ask').showModal()</script>`, also: `role=dialog >> text=Go`},
	{name: "in a popover", html: `<div id=menu popover><button id=target>Go</button></div><script>at('menu').showPopover()</script>`},
	{name: "in a slot", html: `<div id=inner><template shadowrootmode=open><p><slot></slot></p></template><button id=target>Go</button></div>`, also: `text=Go`},
	{name: "in a shadow root of a shadow root", html: `<div><template shadowrootmode=open><p><template shadowrootmode=open><button id=target>Go</button></template></p></template></div>`, also: `text=Go`},
	{name: "moving, then at rest", html: `<style>@keyframes go { to { margin-left: 300px } }</style><button id=target style="animation:go .8s forwards">Go</button>`, hover: true},
	{name: "appears", html: `<div id=place></div><script>later(() => { at('place').innerHTML = '<button id=target>Go</button>' })</script>`, also: `text=Go`},
	{name: "becomes visible", html: `<button id=target style="visibility:hidden">Go</button><script>later(() => { at('target').style.visibility = '' })</script>`},
	{name: "becomes displayed", html: `<button id=target style="display:none">Go</button><script>later(() => { at('target').style.display = '' })</script>`, hover: true},
	{name: "becomes enabled", html: `<button id=target disabled>Go</button><script>later(() => { at('target').disabled = false })</script>`},
	{name: "an overlay leaves", html: `<button id=target>Go</button><div id=over style="position:fixed;inset:0;background:#0008"></div><script>later(() => at('over').remove())</script>`, hover: true},
	{name: "drawn anew while waiting", html: `<div id=app></div><script>
		let draws = 0;
		const draw = () => { at('app').innerHTML = '<button id=target' + (++draws < 16 ? ' disabled' : '') + '>Go</button>'; if (draws < 16) setTimeout(draw, 50) };
		draw()</script>`},

	{name: "display: none", html: `<button id=target style="display:none">Go</button>`, refused: "it has display: none"},
	{name: "in what has display: none", html: `<div style="display:none"><button id=target>Go</button></div>`, refused: "it is not rendered (an ancestor hides it)"},
	{name: "in closed details", html: `<details id=more><summary>More</summary><button id=target>Go</button></details>`, refused: `it is in the closed <details#more> "More": click its <summary> first`},
	{name: "visibility: hidden", html: `<div style="visibility:hidden"><button id=target>Go</button></div>`, refused: "it has visibility: hidden"},
	{name: "zero size", html: `<button id=target style="width:0;height:0;padding:0;border:0;overflow:hidden">Go</button>`, refused: "its size is zero"},
	{name: "disabled", html: `<button id=target disabled>Go</button>`, refused: "it is disabled"},
	{name: "text in a disabled button", html: `<button disabled>Go <b id=target>on</b></button>`, refused: `it is in <button> "Go on", which is disabled`},
	{name: "in a disabled fieldset", html: `<fieldset disabled><button id=target>Go</button></fieldset>`, refused: "it is in a disabled fieldset"},
	{name: "aria-disabled", html: `<div aria-disabled=true><div role=button id=target>Go</div></div>`, refused: `it has aria-disabled="true"`},
	{name: "covered", html: `<button id=target>Go</button><div id=over style="position:fixed;inset:0;background:#ccc"></div>`, refused: "it is covered by <div#over>", hover: true},
	{name: "covered by something transparent", html: `<button id=target>Go</button><div id=over style="position:fixed;inset:0;opacity:0"></div>`, refused: "it is covered by <div#over>"},
	{name: "covered by what is in a shadow root", html: `<button id=target>Go</button><div><template shadowrootmode=open><div id=over style="position:fixed;inset:0"></div></template></div>`, refused: "it is covered by <div#over>"},
	{name: "pointer-events: none", html: `<div style="pointer-events:none"><button id=target>Go</button></div>`, refused: "it has pointer-events: none"},
	{name: "moved off the page", html: `<button id=target style="position:absolute;left:-9999px">Go</button>`, refused: "it is outside of the viewport"},
	{name: "transformed off the page", html: `<button id=target style="transform:translateX(-5000px)">Go</button>`, refused: "it is outside of the viewport"},
	{name: "fixed off the page", html: `<button id=target style="position:fixed;top:5000px">Go</button>`, refused: "it is outside of the viewport"},
	{name: "clipped away by overflow", html: `<div id=box style="width:50px;height:20px;overflow:clip;position:relative"><button id=target style="position:absolute;left:100px">Go</button></div>`, refused: `it is clipped away by <div#box> "Go"`},
	{name: "in a collapsed box", html: `<div id=box style="height:0;overflow:clip"><button id=target>Go</button></div>`, refused: `it is clipped away by <div#box> "Go"`},
	{name: "clipped away by a path", html: `<div id=box style="clip-path:inset(100%)"><button id=target>Go</button></div>`, refused: `it is clipped away by <div#box> "Go"`},
	{name: "for screen readers only", html: `<button id=target style="position:absolute;width:1px;height:1px;padding:0;border:0;overflow:hidden;clip:rect(0,0,0,0)">Go</button>`, refused: "it is clipped away by its own style"},
	{name: "missing", html: `<button id=other>Go</button>`, refused: "not found"},
	{name: "inert", html: `<div inert id=box><button id=target>Go</button></div>`, refused: `it is inert, because <div#box> "Go" is`},
	{name: "behind a modal dialog", html: `<button id=target>Go</button><dialog id=ask>Sure?</dialog><script>at('ask').showModal()</script>`, refused: `it is inert behind the modal <dialog#ask> "Sure?"`},
	{name: "never at rest", html: `<style>@keyframes go { to { margin-left: 300px } }</style><button id=target style="animation:go 1s linear infinite alternate">Go</button>`, refused: "it is still moving"},
	{name: "an option", html: `<select><option>One<option id=target>Two</select>`, refused: "use browser_select_option on its <select>"},
}
