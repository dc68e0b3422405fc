package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxColumns bounds a table's columns.
const maxColumns = 64

// arrangeTables makes of each table one that Markdown can hold, a plain grid of
// lines, or blocks when it serves for layout.
func arrangeTables(node *html.Node) {
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		arrangeTables(child)
		if child.Data == "table" && child.Type == html.ElementNode {
			arrange(child)
		}
	}
}

func arrange(table *html.Node) {
	rows := collect(table, nil)
	if forLayout(table, rows) {
		unroll(table)
		return
	}
	headed := len(rows) > 0 && isHeading(rows[0])
	grid := gridOf(rows)
	if grid == nil {
		unroll(table)
		return
	}
	for child := table.FirstChild; child != nil; child = table.FirstChild {
		table.RemoveChild(child)
		if child.Data == "caption" {
			rename(child, "div")
			table.Parent.InsertBefore(child, table)
		}
	}
	for i, cells := range grid {
		row := appendTo(table, "tr")
		for _, cell := range cells {
			if cell.Parent != nil {
				cell.Parent.RemoveChild(cell)
			}
			cell.Attr = nil
			flatten(cell)
			rename(cell, "td")
			if headed && i == 0 {
				rename(cell, "th")
			}
			row.AppendChild(cell)
		}
	}
}

// collect gives the table's rows; a table inside of it has been made into blocks
// or keeps its rows to itself.
func collect(node *html.Node, rows []*html.Node) []*html.Node {
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		switch child.Data {
		case "tr":
			rows = append(rows, child)
		case "thead", "tbody", "tfoot":
			rows = collect(child, rows)
		}
	}
	return rows
}

// forLayout reports whether a table holds what no cell of Markdown can.
func forLayout(table *html.Node, rows []*html.Node) bool {
	for _, a := range table.Attr {
		if a.Key == "role" && (a.Val == "presentation" || a.Val == "none") {
			return true
		}
	}
	if len(rows) < 2 && (len(rows) == 0 || len(cellsOf(rows[0])) < 2) {
		return true
	}
	return holdsBlocks(table)
}

func holdsBlocks(node *html.Node) bool {
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		if child.Type != html.ElementNode {
			continue
		}
		switch child.Data {
		case "table", "pre", "hr", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6":
			return true
		}
		if holdsBlocks(child) {
			return true
		}
	}
	return false
}

// unroll makes blocks of a table, its rows and its cells.
func unroll(node *html.Node) {
	switch node.Data {
	case "table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th":
		rename(node, "div")
		node.Attr = nil
	default:
		return
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == html.ElementNode && child.Data != "table" {
			unroll(child)
		}
	}
}

func rename(node *html.Node, kind string) {
	node.Data, node.DataAtom = kind, atom.Lookup([]byte(kind))
}

// isHeading reports whether a row tells what the columns are: one of the head,
// or one of nothing but header cells.
func isHeading(row *html.Node) bool {
	cells := cellsOf(row)
	if row.Parent.Data == "thead" {
		return len(cells) > 0
	}
	for _, cell := range cells {
		if cell.Data != "th" {
			return false
		}
	}
	return len(cells) > 0
}

func cellsOf(row *html.Node) []*html.Node {
	var cells []*html.Node
	for child := row.FirstChild; child != nil; child = child.NextSibling {
		if child.Data == "td" || child.Data == "th" {
			cells = append(cells, child)
		}
	}
	return cells
}

// gridOf gives the cells of each row, with an empty one wherever another one
// spans; nil when they are too many, or hardly any is more than that.
func gridOf(rows []*html.Node) [][]*html.Node {
	var grid [][]*html.Node
	var spanned [maxColumns]int // further rows that a cell above reaches into
	given, widest := 0, 0
	for _, row := range rows {
		var cells []*html.Node
		reach := func() {
			for len(cells) < maxColumns && spanned[len(cells)] > 0 {
				spanned[len(cells)]--
				cells = append(cells, emptyCell())
			}
		}
		for _, cell := range cellsOf(row) {
			if reach(); len(cells) == maxColumns {
				return nil
			}
			given++
			further := span(cell, "rowspan") - 1
			columns := min(span(cell, "colspan"), maxColumns-len(cells))
			for i := range columns {
				spanned[len(cells)] = further
				if i > 0 {
					cell = emptyCell()
				}
				cells = append(cells, cell)
			}
		}
		reach()
		grid = append(grid, cells)
		widest = max(widest, len(cells))
	}
	if widest*len(grid) > 6*given+500 {
		return nil
	}
	return grid
}

func emptyCell() *html.Node {
	return &html.Node{Type: html.ElementNode, Data: "td", DataAtom: atom.Td}
}

// maxSpan bounds how far a cell reaches.
const maxSpan = 1000

func span(cell *html.Node, kind string) int {
	for _, a := range cell.Attr {
		if n, err := strconv.Atoi(strings.TrimSpace(a.Val)); a.Key == kind && err == nil {
			return min(max(n, 1), maxSpan)
		}
	}
	return 1
}

// oneLine also keeps text, code included, from ending a cell.
var oneLine = strings.NewReplacer("\n", " ", "\t", " ", "|", `\|`)

// flatten brings what a cell holds into one line; the items of a list are set
// apart by semicolons.
func flatten(node *html.Node) {
	for child := node.FirstChild; child != nil; {
		next := child.NextSibling
		if child.Type == html.TextNode {
			child.Data = oneLine.Replace(child.Data)
		} else {
			flatten(child)
			switch child.Data {
			case "br":
				child.Type, child.Data, child.DataAtom = html.TextNode, " ", 0
			case "li":
				after := " "
				if child.NextSibling != nil {
					after = "; "
				}
				dissolve(child, " ", after)
			case "p", "div", "ul", "ol", "caption":
				dissolve(child, " ", " ")
			}
		}
		child = next
	}
}

// dissolve puts what a node holds into its place, between two texts.
func dissolve(node *html.Node, before, after string) {
	parent := node.Parent
	parent.InsertBefore(&html.Node{Type: html.TextNode, Data: before}, node)
	for child := node.FirstChild; child != nil; child = node.FirstChild {
		node.RemoveChild(child)
		parent.InsertBefore(child, node)
	}
	parent.InsertBefore(&html.Node{Type: html.TextNode, Data: after}, node)
	parent.RemoveChild(node)
}
