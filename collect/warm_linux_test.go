package collect

import (
	"context"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

// TestWarmthForgets: what was kept is thrown away by whatever may have changed
// it, and what was read before a change is not kept after it.
func TestWarmthForgets(t *testing.T) {
	front := window{id: 7, title: "a"}
	s := scene{accessibility: &accessibility{}, window: front, top: node{":1.5", "/top"}}
	part := facts.Part{Tree: facts.NewTree([]facts.Element{{ID: "w", Parent: -1, Cut: true}}, nil).MarkPartial("the rest was left out")}
	for _, tt := range []struct {
		sender, event              string
		news, tree, files, focused bool // what is left
	}{
		{":1.5", "Object.StateChanged:selected", true, false, false, false},
		{":1.5", "Object.SelectionChanged:", true, false, false, false},
		{":1.5", "Object.ChildrenChanged:add", true, false, false, false},
		{":1.5", "Object.TextChanged:insert", true, true, false, true},
		{":1.5", "Object.TextSelectionChanged:", true, true, false, true},
		{":1.9", "Object.StateChanged:selected", false, true, true, true}, // a program in the background
		{":1.9", "Window.Activate:", true, false, false, false},
	} {
		w := &warmth{}
		shapes, changes := w.now()
		w.keepTree(shapes, s, part, nil)
		w.keepFiles(changes, s, keptFiles{manager: "thunar", place: place{folder: "/"}})
		w.keepFocus(shapes, s, node{":1.5", "/field"}, roleText)
		if w.tree.part.Tree == nil || w.files.manager == "" || w.focus.node.none() {
			t.Fatal("nothing was kept")
		}
		news := w.hear(tt.sender, tt.event)
		tree, files, focused := w.tree.part.Tree != nil, w.files.manager != "", !w.focus.node.none()
		if news != tt.news || tree != tt.tree || files != tt.files || focused != tt.focused {
			t.Errorf("%s of %s: news %v, tree %v, files %v, focus %v", tt.event, tt.sender, news, tree, files, focused)
		}
		if tree && w.tree.part.Tree.Partial() != "the rest was left out" {
			t.Errorf("%s: the tree is whole now", tt.event)
		}
		if tt.files {
			continue
		}
		w.keepFiles(changes, s, keptFiles{manager: "thunar", place: place{folder: "/"}})
		if w.files.manager != "" {
			t.Errorf("%s: what was read before it was kept", tt.event)
		}
	}
}

// TestWarmthKnowsThePage: where a page was found is known until another window
// comes to the front, whatever happens in the page, which is asked each time.
func TestWarmthKnowsThePage(t *testing.T) {
	front := window{id: 7, title: "a"}
	s := scene{accessibility: &accessibility{}, window: front, top: node{":1.5", "/top"}}
	for event, want := range map[string]bool{"Object.ChildrenChanged:add": true, "Object.TextChanged:insert": true, "Document.LoadComplete:": true, "Window.Deactivate:": false} {
		w := &warmth{}
		since := w.windowsNow()
		w.keepPage(since, s, node{":1.5", "/page"})
		for _, other := range []window{{id: 8, title: "a"}, {id: 7, title: "b"}} {
			if _, ok := w.pageOf(other); ok {
				t.Errorf("%+v", other)
			}
		}
		w.hear(":1.5", event)
		if _, ok := w.pageOf(front); ok != want {
			t.Errorf("%s: known %v", event, ok)
		}
		w.drop()
		w.keepPage(since, s, node{":1.5", "/page"})
		if _, ok := w.pageOf(front); ok {
			t.Error("what was found before another window came was kept")
		}
	}
	var none *warmth
	none.keepPage(none.windowsNow(), s, node{":1.5", "/page"})
	if _, ok := none.pageOf(front); ok {
		t.Error("nobody watches")
	}
}

// TestWarmthIsOfOneWindow: another window, or the same one with another title,
// has to be read.
func TestWarmthIsOfOneWindow(t *testing.T) {
	front := window{id: 7, title: "a"}
	w := &warmth{}
	_, changes := w.now()
	s := scene{accessibility: &accessibility{}, window: front, top: node{":1.5", "/top"}}
	folder := t.TempDir()
	alive := true
	w.keepFiles(changes, s, keptFiles{manager: "thunar", place: place{folder: folder}, still: func(context.Context) bool { return alive }})
	if _, ok := w.filesOf(t.Context(), front); !ok {
		t.Error("the same window")
	}
	for _, other := range []window{{id: 8, title: "a"}, {id: 7, title: "b"}} {
		if _, ok := w.filesOf(t.Context(), other); ok {
			t.Errorf("%+v", other)
		}
	}
	alive = false
	if _, ok := w.filesOf(t.Context(), front); ok {
		t.Error("the program says otherwise")
	}
	alive = true
	w.files.chosen = choice{known: true, names: []string{"gone.txt"}}
	if _, ok := w.filesOf(t.Context(), front); ok {
		t.Error("a file that is not there any more")
	}
}

// TestCutLevel: where a walk ends, those that have more below them are marked,
// and the parents of those that were not reached.
func TestCutLevel(t *testing.T) {
	elements := []visited{
		{parent: -1, role: 23, count: 3, states: 1 << stateShowing},
		{parent: 0, role: 39, count: 2, states: 1 << stateShowing}, // not gone into
		{parent: 0, role: 39, count: 2},                            // does not show, so nothing of it is missing
		{parent: 0, role: 39, states: 1 << stateShowing},           // has nothing below it
		{parent: 1}, // not reached
	}
	scene{}.cutLevel(elements, 1, 4)
	if elements[0].cut || !elements[1].cut || elements[2].cut || elements[3].cut {
		t.Errorf("%+v", elements)
	}
	elements[1].cut = false
	scene{}.cutLevel(elements, 4, 5)
	if !elements[1].cut {
		t.Error("the parent of what was not reached is whole")
	}
}

// TestNamesThatWereNotRead: an answer without names that there was no time for is
// not kept; one with a few dozen is.
func TestNamesThatWereNotRead(t *testing.T) {
	v := fileWindow{scene: scene{toolkit: toolkit{name: "gtk", version: "3.24"}}}
	for _, tt := range []struct {
		names, more int
		want        bool
	}{{0, 0, true}, {2, 0, true}, {0, 1, false}, {namesAtOnce - 1, 1, false}, {namesAtOnce, 4960, true}} {
		chosen := choice{known: true, names: make([]string, tt.names), more: tt.more, lists: make([]askedList, 1)}
		if _, ok := v.validity(fileManagers[0], "/w", chosen); ok != tt.want {
			t.Errorf("%d names, %d more: kept %v", tt.names, tt.more, ok)
		}
	}
}
