package server

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// What may be the matter with a frame in which something is clicked. FRAME stands
// for the attributes that make it the frame.
var frameSituations = []struct {
	name    string
	html    string
	inner   string // what the frame shows; "" for a button on its first screen
	prefix  string // of the selector; "" for #frame
	refused string // a part of the reason; "" when the click must arrive
}{
	{name: "plain", html: `<iframe FRAME></iframe>`},
	{name: "with borders and padding", html: `<iframe FRAME style="border:20px solid;padding:30px 10px 0 40px;box-sizing:border-box"></iframe>`},
	{name: "below the fold", html: `<div style="height:3000px"></div><iframe FRAME></iframe><div style="height:3000px"></div>`},
	{name: "of which a part is below the fold", html: `<div style="height:620px"></div><iframe FRAME height=2000></iframe>`, inner: `<div style="height:1500px"></div><button id=target>Go</button>`},
	{name: "that loads when it is seen", html: `<div style="height:9000px"></div><iframe FRAME loading=lazy></iframe>`},
	{name: "that scrolls, below the fold", html: `<div style="height:3000px"></div><iframe FRAME></iframe>`, inner: `<div style="height:3000px"></div><button id=target>Go</button>`},
	{name: "on a smooth page", html: `<style>html { scroll-behavior: smooth }</style><div style="height:3000px"></div><iframe FRAME></iframe><div style="height:3000px"></div>`},
	{name: "in a scroll box", html: `<div style="height:150px;overflow:auto"><div style="height:1000px"></div><iframe FRAME></iframe></div>`},
	{name: "taller than the page, under a sticky header", html: `<header style="position:sticky;top:0;height:90px;background:#ccc">Header</header><iframe FRAME height=3000></iframe><div style="height:900px"></div><script>scrollTo(0, 140)</script>`},
	{name: "shrunken", html: `<iframe FRAME style="transform:scale(.5) translateX(100px)"></iframe>`},
	{name: "grown", html: `<div style="transform:scale(2);transform-origin:0 0"><iframe FRAME style="border:5px solid"></iframe></div>`},
	{name: "zoomed", html: `<iframe FRAME style="zoom:2;border:5px solid"></iframe>`},
	{name: "in a zoomed box", html: `<div style="zoom:.5;padding:50px"><iframe FRAME style="padding:10px"></iframe></div>`},
	{name: "rotated", html: `<iframe FRAME style="margin:100px;transform:rotate(35deg)"></iframe>`},
	{name: "turned upside down", html: `<iframe FRAME style="transform:rotate(180deg)"></iframe>`},
	{name: "transparent", html: `<iframe FRAME style="opacity:0"></iframe>`},
	{name: "in a shadow root", html: `<div id=host><template shadowrootmode=open><iframe FRAME></iframe></template></div>`},
	{name: "in a modal dialog", html: `<dialog id=ask><iframe FRAME></iframe></dialog><script>at('ask').showModal()</script>`},
	{name: "with a cover beside the target", html: `<div style="position:relative"><iframe FRAME></iframe><div style="position:absolute;inset:130px 0 0;background:#ccc"></div></div>`},
	{name: "half of whose target is covered", html: `<div style="position:relative"><iframe FRAME></iframe><div style="position:absolute;inset:0 auto 0 0;width:255px;background:#ccc"></div></div>`},
	{name: "in a frame of another origin", html: `<iframe FRAME data-inner width=600 height=400 style="transform:scale(.8)"></iframe>`, prefix: "#frame >> #inner"},
	{name: "in a frame of another origin, far down", html: `<div style="height:3000px"></div><iframe FRAME data-inner></iframe>`, inner: `<div style="height:900px"></div><button id=target>Go</button>`, prefix: "#frame >> #inner"},
	{name: "that moves, then is at rest", html: `<style>@keyframes go { to { margin: 400px } }</style><iframe FRAME style="animation:go .6s ease-in forwards"></iframe>`},
	{name: "that becomes visible", html: `<iframe FRAME style="visibility:hidden"></iframe><script>later(() => { at('frame').style.visibility = '' })</script>`},
	{name: "whose cover leaves", html: `<iframe FRAME></iframe><div id=over style="position:fixed;inset:0"></div><script>later(() => at('over').remove())</script>`},

	{name: "covered", html: `<iframe FRAME></iframe><div id=over style="position:fixed;inset:0"></div>`, refused: "its frame <iframe#frame> is covered by <div#over>"},
	{name: "whose target is covered", html: `<div style="position:relative"><iframe FRAME></iframe><div id=over style="position:absolute;inset:0 0 auto;height:130px;background:#ccc"></div></div>`, refused: "its frame <iframe#frame> is covered by <div#over>"},
	{name: "covered in a frame", html: `<iframe FRAME data-inner></iframe><div id=over style="position:fixed;inset:0"></div>`, prefix: "#frame >> #inner", refused: "its frame <iframe#frame> is covered by <div#over>"},
	{name: "not displayed", html: `<iframe FRAME style="display:none"></iframe>`, refused: "its frame <iframe#frame> cannot be seen: it has display: none"},
	{name: "hidden", html: `<iframe FRAME style="visibility:hidden"></iframe>`, refused: "its frame <iframe#frame> cannot be seen: it has visibility: hidden"},
	{name: "without a size", html: `<iframe FRAME width=0 height=0 style="border:0"></iframe>`, refused: "its frame <iframe#frame> cannot be seen: its size is zero"},
	{name: "that takes no events", html: `<iframe FRAME style="pointer-events:none"></iframe>`, refused: "its frame <iframe#frame> has pointer-events: none"},
	{name: "inert", html: `<div inert id=box><iframe FRAME></iframe></div>`, refused: "its frame <iframe#frame> is inert, because <div#box> is"},
	{name: "behind a modal dialog", html: `<iframe FRAME></iframe><dialog id=ask>Sure?</dialog><script>at('ask').showModal()</script>`, refused: `its frame <iframe#frame> is inert behind the modal <dialog#ask> "Sure?"`},
	{name: "off the page", html: `<iframe FRAME style="position:absolute;left:-9999px"></iframe>`, refused: "its frame <iframe#frame> is outside of the viewport"},
	{name: "clipped away", html: `<div id=box style="width:100px;overflow:clip"><iframe FRAME></iframe></div>`, refused: "its frame <iframe#frame> is clipped away by <div#box>"},
}

// firstScreen is what a frame shows.
const firstScreen = `<body style="margin:0"><button id=target style="margin:50px 0 0 200px;width:80px;height:30px">Go</button>`

// framed gives the documents of a situation; script tells the address of the
// frame from its path.
func framed(n int, html, inner, script string) []txtar.File {
	page, middle, last := fmt.Sprintf("/%d.html", n), fmt.Sprintf("/middle/%d.html", n), fmt.Sprintf("/inner/%d.html", n)
	shown := last
	if strings.Contains(html, "data-inner") {
		shown = middle
	}
	return []txtar.File{
		document(page, strings.Replace(html, "FRAME", "id=frame", 1)+fmt.Sprintf("<script>at('frame').src = %s(%q)</script>", script, shown)),
		document(middle, fmt.Sprintf("<iframe id=inner width=500 height=300></iframe><script>at('inner').src = elsewhere(%q)</script>", last)),
		document(last, cmp.Or(inner, firstScreen)),
	}
}

func TestFrameSituations(t *testing.T) {
	for _, origin := range []struct {
		name, script string
		apart        bool
	}{{"same origin", "String", false}, {"other origin", "elsewhere", true}} {
		t.Run(origin.name, func(t *testing.T) {
			t.Parallel()
			var files []txtar.File
			for i, one := range frameSituations {
				files = append(files, framed(i, one.html, one.inner, origin.script)...)
			}
			site := serve(t, files)
			p := connect(t, isolating(t, origin.apart))
			for i, one := range frameSituations {
				t.Run(one.name, func(t *testing.T) {
					p.must("browser_navigate", map[string]any{"url": fmt.Sprintf("%s/%d.html", site.url, i)})
					situation{refused: one.refused}.play(t, p, cmp.Or(one.prefix, "#frame")+" >> ")
				})
			}
		})
	}
}
