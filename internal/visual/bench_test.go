package visual_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// desktop is a tree as a desktop has it: a screen with windows, each with panels
// of buttons, labels, lists and documents. One element in sixteen is a document;
// its text has some thousand characters, and in one of a hundred an error.
func desktop(size int) *facts.Tree {
	r := rand.New(rand.NewPCG(1, 2))
	elements := make([]facts.Element, 0, size)
	texts := make([]facts.ElementText, 0, size)
	add := func(parent int, kind, name string) int {
		t, _ := facts.ParseElementType(kind)
		e := facts.Element{ID: fmt.Sprint("e", len(elements)), Type: t, Name: name, HasName: name != "", Parent: parent}
		if parent < 0 {
			e.Process = "shell"
		}
		elements = append(elements, e)
		texts = append(texts, facts.ElementText{})
		return len(elements) - 1
	}
	words := strings.Fields("Open Close Save Cancel Apply Send Reply Forward Next Back Reload Settings Search Print Undo Redo Bold Italic Share Help")
	screen := add(-1, "Screen", "")
	for len(elements) < size {
		window := add(screen, "TopLevel", "Window "+fmt.Sprint(len(elements)))
		for range 20 {
			panel := add(window, "Panel", "")
			for k := range 30 {
				switch k % 5 {
				case 0:
					add(panel, "Button", words[r.IntN(len(words))])
				case 1, 2:
					add(panel, "Label", "label "+fmt.Sprint(r.IntN(1000)))
				case 3:
					doc := add(panel, "Document", "document")
					texts[doc] = facts.ElementText{Text: prose(r), OK: true}
					if k > 10 {
						elements[doc].Type, texts[doc] = 0, facts.ElementText{}
					}
				case 4:
					list := add(panel, "ListView", "list")
					for range 3 {
						item := add(list, "ListViewItem", "item "+fmt.Sprint(r.IntN(1000)))
						if r.IntN(50) == 0 {
							elements[item].States |= facts.Selected
						}
					}
				}
			}
		}
	}
	return facts.NewTreeWithTexts(elements[:size], texts[:size])
}

func prose(r *rand.Rand) string {
	words := strings.Fields("The quick brown fox jumps over a lazy dog while nobody watches it from the garden of Mrs Miller in the rain where everything is wet")
	var b strings.Builder
	for b.Len() < 1000 {
		b.WriteString(words[r.IntN(len(words))] + " ")
	}
	if r.IntN(100) == 0 {
		b.WriteString("an ERROR occurred")
	}
	return b.String()
}

// workload is the queries of the benchmark goals.
var workload = []string{
	"//Button[@name='Save']",
	"//TopLevel//ListViewItem[@selected=true]",
	"/TopLevel/Panel/Button",
	"//Document[matches(@text,'error|warning')]",
	"//Document[contains(@text,'error')]",
	"//ListView/*[@selected=true]",
	"//*[@focused=true]",
	"//Panel//Label[contains(@name,'99')]",
	"//TopLevel//Button[@name='Save']",
}

var sizes = []int{1_000, 10_000, 100_000}

// A first look at a tree, and one after others.
func BenchmarkCount(b *testing.B) {
	for _, size := range sizes {
		tree := desktop(size)
		for _, text := range workload {
			q := parse(b, text)
			name := fmt.Sprintf("%s/%d", strings.ReplaceAll(text, "/", "|"), size)
			b.Run(name+"/first", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					q.Count(visual.NewIndex(tree, 0, true), visual.Limits{})
				}
			})
			b.Run(name+"/later", func(b *testing.B) {
				index := warm(b, tree)
				b.ReportAllocs()
				for b.Loop() {
					q.Count(index, visual.Limits{})
				}
			})
		}
	}
}

// warm is an index that has seen enough queries to be prepared for more.
func warm(b *testing.B, tree *facts.Tree) *visual.Index {
	index := visual.NewIndex(tree, 0, true)
	for _, text := range []string{"//*[@name='nothing']", "//Button[@name='nothing']"} {
		q := parse(b, text)
		for range 10 {
			q.Count(index, visual.Limits{})
		}
	}
	return index
}

func BenchmarkExists(b *testing.B) {
	for _, size := range sizes {
		tree := desktop(size)
		for _, text := range workload {
			q := parse(b, text)
			index := visual.NewIndex(tree, 0, true)
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(text, "/", "|"), size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					q.Exists(index, visual.Limits{})
				}
			})
		}
	}
}

// Twenty queries one after the other, as conditions ask them.
func BenchmarkTwenty(b *testing.B) {
	var counted, found []*visual.Query
	for _, name := range strings.Fields("Save Open Close Send Reply Print Undo Missing") {
		counted = append(counted, parse(b, "//Button[@name='"+name+"']"))
	}
	for _, state := range strings.Fields("selected focused disabled readonly") {
		counted = append(counted, parse(b, "//TopLevel//ListViewItem[@"+state+"=true]"))
		found = append(found, parse(b, "//ListViewItem[@"+state+"=true]"))
	}
	for _, kind := range strings.Fields("Button Label ListView Document") {
		counted = append(counted, parse(b, "/TopLevel/Panel/"+kind))
	}
	ask := func(index *visual.Index) {
		for _, q := range counted {
			q.Count(index, visual.Limits{})
		}
		for _, q := range found {
			q.Exists(index, visual.Limits{})
		}
	}
	for _, size := range sizes {
		tree := desktop(size)
		b.Run(fmt.Sprintf("%d/first", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask(visual.NewIndex(tree, 0, true))
			}
		})
		b.Run(fmt.Sprintf("%d/later", size), func(b *testing.B) {
			index := warm(b, tree)
			b.ReportAllocs()
			for b.Loop() {
				ask(index)
			}
		})
	}
}

// The price of an index of names.
func BenchmarkNameIndex(b *testing.B) {
	tree := desktop(10_000)
	q := parse(b, "//*[@name='Save']")
	b.ReportAllocs()
	for b.Loop() {
		index := visual.NewIndex(tree, 0, true)
		for range 6 { // the last one makes the index
			q.Exists(index, visual.Limits{})
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range workload {
		b.Run(strings.ReplaceAll(text, "/", "|"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				visual.Parse(text, visual.Options{})
			}
		})
	}
}
