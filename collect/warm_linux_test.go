package collect

import (
	"context"
	"testing"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/facts"
)

// TestWarmCacheForgets: what was kept is thrown away by whatever may have changed
// it, and what was read before a change is not kept after it.
func TestWarmCacheForgets(t *testing.T) {
	front := window{id: 7, title: "a"}
	s := atspi.Window{Bus: &atspi.Bus{}, Top: atspi.Node{Name: ":1.5", Path: "/top"}}
	part := facts.Part{Tree: facts.NewTree([]facts.Element{{ID: "w", Parent: -1, Cut: true}}, nil).MarkPartial("the rest was left out")}
	for _, tt := range []struct {
		sender, path, event        string
		news, tree, files, focused bool // what is left
	}{
		{":1.5", "/other", "Object.StateChanged:selected", true, false, false, false},
		{":1.5", "/other", "Object.SelectionChanged:", true, false, false, false},
		{":1.5", "/other", "Object.ChildrenChanged:add", true, false, false, false},
		{":1.5", "/other", "Object.StateChanged:sensitive", true, false, false, false},
		{":1.5", "/field", "Object.TextChanged:insert", true, true, false, true},
		{":1.5", "/other", "Object.TextChanged:insert", true, false, false, true}, // a label, whose name is its text
		{":1.5", "/other", "Object.TextSelectionChanged:", true, true, false, true},
		{":1.9", "/other", "Object.StateChanged:selected", false, true, true, true}, // a program in the background
		{":1.9", "/other", "Window.Activate:", true, false, false, false},
	} {
		w := &warmCache{}
		shapes, changes := w.now()
		w.keepTree(shapes, front, s, part, nil)
		w.keepFiles(changes, front, s, &shownFiles{fresh: true})
		w.keepFocus(shapes, front, s, atspi.Node{Name: ":1.5", Path: "/field"}, atspi.RoleText)
		if w.tree.part.Tree == nil || w.files.answer == nil || w.focus.node.None() {
			t.Fatal("nothing was kept")
		}
		news := w.hear(atspi.Node{Name: tt.sender, Path: dbus.ObjectPath(tt.path)}, tt.event)
		tree, files, focused := w.tree.part.Tree != nil, w.files.answer != nil, !w.focus.node.None()
		if news != tt.news || tree != tt.tree || files != tt.files || focused != tt.focused {
			t.Errorf("%s of %s: news %v, tree %v, files %v, focus %v", tt.event, tt.sender, news, tree, files, focused)
		}
		if tree && w.tree.part.Tree.Partial() != "the rest was left out" {
			t.Errorf("%s: the tree is whole now", tt.event)
		}
		if tt.files {
			continue
		}
		w.keepFiles(changes, front, s, &shownFiles{fresh: true})
		if w.files.answer != nil {
			t.Errorf("%s: what was read before it was kept", tt.event)
		}
	}
}

// TestWarmCacheKnowsThePage: where a page was found is known until another window
// comes to the front, whatever happens in the page, which is asked each time.
func TestWarmCacheKnowsThePage(t *testing.T) {
	front := window{id: 7, title: "a"}
	s := atspi.Window{Bus: &atspi.Bus{}, Top: atspi.Node{Name: ":1.5", Path: "/top"}}
	for event, want := range map[string]bool{"Object.ChildrenChanged:add": true, "Object.TextChanged:insert": true, "Document.LoadComplete:": true, "Window.Deactivate:": false} {
		w := &warmCache{}
		since := w.windowsNow()
		w.keepPage(since, front, s, atspi.Node{Name: ":1.5", Path: "/page"})
		for _, other := range []window{{id: 8, title: "a"}, {id: 7, title: "b"}} {
			if _, ok := w.pageOf(other); ok {
				t.Errorf("%+v", other)
			}
		}
		w.hear(atspi.Node{Name: ":1.5", Path: "/page"}, event)
		if _, ok := w.pageOf(front); ok != want {
			t.Errorf("%s: known %v", event, ok)
		}
		w.drop()
		w.keepPage(since, front, s, atspi.Node{Name: ":1.5", Path: "/page"})
		if _, ok := w.pageOf(front); ok {
			t.Error("what was found before another window came was kept")
		}
	}
	var none *warmCache
	none.keepPage(none.windowsNow(), front, s, atspi.Node{Name: ":1.5", Path: "/page"})
	if _, ok := none.pageOf(front); ok {
		t.Error("nobody watches")
	}
}

// TestWarmCacheIsOfOneWindow: another window, or the same one with another title,
// has to be read.
func TestWarmCacheIsOfOneWindow(t *testing.T) {
	front := window{id: 7, title: "a"}
	w := &warmCache{}
	_, changes := w.now()
	s := atspi.Window{Bus: &atspi.Bus{}, Top: atspi.Node{Name: ":1.5", Path: "/top"}}
	files := &shownFiles{fresh: true}
	w.keepFiles(changes, front, s, files)
	if _, ok := w.filesOf(t.Context(), front); !ok {
		t.Error("the same window")
	}
	for _, other := range []window{{id: 8, title: "a"}, {id: 7, title: "b"}} {
		if _, ok := w.filesOf(t.Context(), other); ok {
			t.Errorf("%+v", other)
		}
	}
	files.fresh = false
	if _, ok := w.filesOf(t.Context(), front); ok {
		t.Error("the program says otherwise")
	}
}

// TestWarmCacheBehind: of a window that is not in front any more nothing is kept but
// which element had the keyboard, and reading it does not pass for one in front.
func TestWarmCacheBehind(t *testing.T) {
	editor, terminal := window{id: 7, title: "a"}, window{id: 8, title: "b"}
	s := atspi.Window{Bus: &atspi.Bus{}, Top: atspi.Node{Name: ":1.5", Path: "/top"}}
	field := atspi.Node{Name: ":1.5", Path: "/field"}
	w := &warmCache{}
	shapes, changes := w.now()
	w.keepFocus(shapes, editor, s, field, atspi.RoleText)
	w.keepFiles(changes, editor, s, &shownFiles{fresh: true})
	w.hear(field, "Object.StateChanged:focused")
	w.hear(s.Top, "Window.Deactivate:")
	editor.behind = true
	if kept, ok := w.focusOf(t.Context(), editor); !ok || kept.node != field {
		t.Errorf("the keyboard was at %v, %v", kept.node, ok)
	}
	if _, ok := w.filesOf(t.Context(), editor); ok {
		t.Error("its files are kept")
	}
	if _, ok := w.focusOf(t.Context(), window{id: 9, behind: true}); ok {
		t.Error("of a window that was never in front")
	}
	sender := w.sender
	shapes, changes = w.now()
	w.keepFocus(shapes, editor, s, field, atspi.RoleText)
	w.keepFiles(changes, editor, s, &shownFiles{fresh: true})
	if w.sender != sender || w.files.answer != nil || !w.focus.node.None() {
		t.Error("a window behind was taken for the one in front")
	}
	var fronts frontsBefore
	for _, one := range []window{{id: 1}, {id: 7}, {id: 2}, {id: 7}, terminal} {
		fronts.note(one)
	}
	if got := fronts.before(terminal); len(got) != 3 || got[0].id != 7 || got[1].id != 2 || got[2].id != 1 {
		t.Errorf("in front before: %v", got)
	}
}

// shownFiles is an answer about a file manager.
type shownFiles struct{ fresh bool }

func (*shownFiles) Part() facts.Part             { return facts.Part{} }
func (s *shownFiles) Holds(context.Context) bool { return s.fresh }
