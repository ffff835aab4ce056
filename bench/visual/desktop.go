package visual

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// desktop makes a tree as a desktop has it: a screen with windows of panels,
// which hold buttons, labels, lists and documents of a thousand characters. One
// list item in fifty is selected; one document in a hundred has an error in it.
type desktop struct {
	r        *rand.Rand
	elements []facts.Element
	texts    []facts.ElementText
}

func newDesktop(size int) *desktop {
	d := &desktop{r: rand.New(rand.NewPCG(5, 8))}
	screen := d.add(-1, "Screen", "")
	for len(d.elements) < size {
		d.window(screen)
	}
	d.elements, d.texts = d.elements[:size], d.texts[:size]
	return d
}

func (d *desktop) add(parent int, kind, name string) int {
	t, _ := facts.ParseElementType(kind)
	d.elements = append(d.elements, facts.Element{
		ID: fmt.Sprint("e", len(d.elements)), Type: t, Name: name, HasName: name != "", Parent: parent,
	})
	d.texts = append(d.texts, facts.ElementText{})
	return len(d.elements) - 1
}

var labels = strings.Fields("Open Close Save Cancel Apply Send Reply Forward Next Back Reload Settings Search Print Undo Redo Bold Italic Share Help")

func (d *desktop) window(screen int) {
	window := d.add(screen, "TopLevel", fmt.Sprint("Window ", len(d.elements)))
	d.elements[window].Process = "editor"
	for range 20 {
		panel := d.add(window, "Panel", "")
		for range 6 {
			d.add(panel, "Button", labels[d.r.IntN(len(labels))])
			d.add(panel, "Label", fmt.Sprint("Label ", d.r.IntN(1000)))
			d.add(panel, "TextEdit", "")
			list := d.add(panel, "ListView", "List")
			for range 3 {
				item := d.add(list, "ListViewItem", fmt.Sprint("Item ", d.r.IntN(1000)))
				if d.r.IntN(50) == 0 {
					d.elements[item].States |= facts.Selected
				}
			}
		}
		document := d.add(panel, "Document", "Document")
		d.texts[document] = facts.ElementText{Text: d.prose(), OK: true}
	}
}

func (d *desktop) prose() string {
	words := strings.Fields("The quick brown fox jumps over a lazy dog while nobody watches it from the garden of Mrs Miller in the rain where everything is wet")
	var b strings.Builder
	for b.Len() < 1000 {
		b.WriteString(words[d.r.IntN(len(words))] + " ")
	}
	if d.r.IntN(100) == 0 {
		b.WriteString("an ERROR occurred")
	}
	return b.String()
}

// tree is the desktop as Pertain gets it.
func (d *desktop) tree() *facts.Tree {
	return facts.NewTreeWithTexts(append([]facts.Element(nil), d.elements...), append([]facts.ElementText(nil), d.texts...))
}
