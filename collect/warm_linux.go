package collect

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// warmCache is what was read of the window in front, kept while the desktop is
// watched and thrown away when its application says that something has changed.
// A nil warmCache keeps nothing.
type warmCache struct {
	mu         sync.Mutex
	wantsTree  bool // somebody has asked for a tree
	wantsFiles bool // somebody has asked for the file manager
	wantsFocus bool // somebody has asked for the element that has the keyboard
	changes    int  // counts all that the application in front has told
	shapes     int  // counts what was more than other text

	sender string // the application that the window in front is of, on the bus; empty: not known yet
	bus    *atspi.Bus
	tree   keptTree
	files  keptFiles
	focus  keptFocus
	before []keptFocus // of windows that were in front, which lose the keyboard with that; the last one last

	windows int // counts the windows that came to the front
	page    keptPage
}

// keptWindow tells which window something was read of.
type keptWindow struct{ key, title string }

func keptOf(w window) keptWindow { return keptWindow{w.key(), w.shown()} }

// keptTree is a tree that still holds; the zero value is none.
type keptTree struct {
	of    keptWindow
	top   atspi.Node
	part  facts.Part
	texts facts.TextReader
}

// keptFiles is a file manager's answer that still holds; the zero value is none.
type keptFiles struct {
	of     keptWindow
	answer filesAnswer
}

// filesAnswer is what a file manager was found to show.
type filesAnswer interface {
	Part() facts.Part
	Holds(ctx context.Context) bool // asks what no event tells
}

// keptFocus is the element that has the keyboard; the zero value is none.
type keptFocus struct {
	of     keptWindow
	window atspi.Window
	node   atspi.Node // zero: no element has it
	role   uint32
}

// keptPage is where the page of a browser's window was found; the zero value is
// none. It serves as long as the window is in front, since the page itself is
// asked each time.
type keptPage struct {
	of     keptWindow
	window atspi.Window
	page   atspi.Node
}

// shape is the present state, to be given to keepTree and keepFocus.
func (w *warmCache) shape() int {
	shapes, _ := w.now()
	return shapes
}

// now is the present state; changes is to be given to keepFiles.
func (w *warmCache) now() (shapes, changes int) {
	if w == nil {
		return 0, 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shapes, w.changes
}

// treeOf is the kept tree of a window, if nothing has changed since.
func (w *warmCache) treeOf(ctx context.Context, of window) (facts.Part, bool) {
	if w == nil || of.behind {
		return facts.Part{}, false
	}
	w.mu.Lock()
	w.wantsTree = true
	kept, bus := w.tree, w.bus
	w.mu.Unlock()
	if kept.part.Tree == nil || kept.of != keptOf(of) {
		return facts.Part{}, false
	}
	bus.CatchUp(ctx, kept.top)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tree.part, w.tree.part.Tree != nil && w.tree.of == kept.of
}

// filesOf is the kept answer about a file manager's window, if nothing has
// changed since.
func (w *warmCache) filesOf(ctx context.Context, of window) (filesAnswer, bool) {
	if w == nil || of.behind {
		return nil, false
	}
	w.mu.Lock()
	w.wantsFiles = true
	kept := w.files
	w.mu.Unlock()
	if kept.answer == nil || kept.of != keptOf(of) || !kept.answer.Holds(ctx) {
		return nil, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files.answer, w.files.answer != nil && w.files.of == kept.of
}

// focusOf is the element of a window that has the keyboard, if that is known.
func (w *warmCache) focusOf(ctx context.Context, of window) (keptFocus, bool) {
	if w == nil {
		return keptFocus{}, false
	}
	w.mu.Lock()
	w.wantsFocus = true
	kept, bus, before := w.focus, w.bus, w.focusBefore(of)
	w.mu.Unlock()
	if of.behind {
		return before, !before.window.None()
	}
	if kept.window.None() || kept.of != keptOf(of) {
		return keptFocus{}, false
	}
	bus.CatchUp(ctx, kept.window.Top)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.focus, !w.focus.window.None() && w.focus.of == kept.of
}

// windowsNow is to be given to keepPage.
func (w *warmCache) windowsNow() int {
	if w == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.windows
}

// pageOf is where the page of a window was found, if that is known.
func (w *warmCache) pageOf(of window) (keptPage, bool) {
	if w == nil || of.behind {
		return keptPage{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.page, !w.page.page.None() && w.page.of == keptOf(of)
}

// keepPage is keepTree for where a page was found.
func (w *warmCache) keepPage(since int, of window, s atspi.Window, page atspi.Node) {
	w.keep(of, s, func() {
		if since == w.windows {
			w.page = keptPage{keptOf(of), s, page}
		}
	})
}

// keep lets put keep something of a window: whose it is is known from now on.
func (w *warmCache) keep(of window, s atspi.Window, put func()) {
	if w == nil || of.behind {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sender, w.bus = s.Top.Name, s.Bus
	put()
}

// wanted tells what is worth reading ahead.
func (w *warmCache) wanted() (tree, files, focus bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wantsTree, w.wantsFiles, w.wantsFocus
}

// keepTree keeps a tree that was read since a state, unless that has changed in
// the meantime.
func (w *warmCache) keepTree(since int, of window, s atspi.Window, part facts.Part, texts facts.TextReader) {
	w.keep(of, s, func() {
		if since == w.shapes {
			w.tree = keptTree{keptOf(of), s.Top, part, texts}
		}
	})
}

// keepFiles is keepTree for a file manager's answer.
func (w *warmCache) keepFiles(since int, of window, s atspi.Window, answer filesAnswer) {
	w.keep(of, s, func() {
		if since == w.changes {
			w.files = keptFiles{keptOf(of), answer}
		}
	})
}

// keepFocus is keepTree for the element that has the keyboard.
func (w *warmCache) keepFocus(since int, of window, s atspi.Window, n atspi.Node, role uint32) {
	w.keep(of, s, func() {
		if since == w.shapes {
			w.focus = keptFocus{keptOf(of), s, n, role}
		}
		if !n.None() { // which it loses before it is told that the window is not in front any more
			w.before = slices.DeleteFunc(w.before, func(one keptFocus) bool { return one.of.key == of.key() })
			if w.before = append(w.before, keptFocus{keptOf(of), s, n, role}); len(w.before) > maxFronts {
				w.before = slices.Delete(w.before, 0, 1)
			}
		}
	})
}

// focusBefore is the element that had the keyboard when a window was in front. The
// caller holds the lock.
func (w *warmCache) focusBefore(of window) keptFocus {
	for _, one := range w.before {
		if one.of.key == of.key() {
			return one
		}
	}
	return keptFocus{}
}

// drop throws everything away: another window is in front.
func (w *warmCache) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave()
}

// leave forgets the window.
func (w *warmCache) leave() {
	w.clear()
	w.windows++
	w.sender, w.page = "", keptPage{}
}

// clear forgets what the window shows.
func (w *warmCache) clear() {
	w.shapes++
	w.changes++
	w.tree, w.files, w.focus = keptTree{}, keptFiles{}, keptFocus{}
}

// hear takes an event such as Object.StateChanged:focused and tells whether it
// is news: what programs in the background do is none.
func (w *warmCache) hear(from atspi.Node, event string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.HasPrefix(event, "Window") {
		w.leave()
		return true
	}
	if w.sender != "" && from.Name != w.sender {
		return false
	}
	if strings.Contains(event, "TextChanged") || strings.Contains(event, "TextSelectionChanged") {
		w.changes++
		w.files = keptFiles{}
		if from == w.focus.node || strings.Contains(event, "TextSelectionChanged") {
			w.tree.part.Tree = uitree.Unread(w.tree.part.Tree, w.tree.texts) // typing changes nothing else
			return true
		}
		// Elsewhere the text of a label is its name, too.
		w.shapes++
		w.tree = keptTree{}
		return true
	}
	w.clear()
	return true
}
