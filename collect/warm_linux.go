package collect

import (
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/facts"
)

// warmth is the tree of the window in front, kept while the desktop is watched
// and thrown away when its application says that something has changed. A nil
// warmth keeps nothing.
type warmth struct {
	mu         sync.Mutex
	asked      bool   // somebody has wanted a tree
	generation int    // counts changes
	key        string // of the window that the tree is of; empty: none is kept
	title      string
	sender     string // the window's application on the bus
	part       facts.Part
	texts      facts.TextReader
}

// tree is the kept tree of a window, if nothing has changed since.
func (w *warmth) tree(of window) (facts.Part, bool) {
	if w == nil {
		return facts.Part{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = true
	return w.part, w.key != "" && w.key == of.key() && w.title == of.title
}

// wanted tells whether reading ahead is worth it.
func (w *warmth) wanted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// now is the present generation, to be given to keep.
func (w *warmth) now() int {
	if w == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.generation
}

// keep keeps a tree that was read since a generation, unless it has changed in
// the meantime.
func (w *warmth) keep(since int, s scene, part facts.Part, texts facts.TextReader) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sender = s.top.Name
	if since == w.generation {
		w.key, w.title, w.part, w.texts = s.window.key(), s.window.title, part, texts
	}
}

// drop throws the tree away: another window is in front.
func (w *warmth) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clear()
	w.sender = ""
}

func (w *warmth) clear() {
	w.generation++
	w.key, w.part, w.texts = "", facts.Part{}, nil
}

// hear takes an event such as Object.StateChanged:focused and tells whether it
// is news: what programs in the background do is none.
func (w *warmth) hear(sender, event string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.HasPrefix(event, "Window") {
		w.clear()
		w.sender = ""
		return true
	}
	if w.sender != "" && sender != w.sender {
		return false
	}
	if strings.Contains(event, "TextChanged") || strings.Contains(event, "TextSelectionChanged") {
		w.forgetTexts()
		return true
	}
	w.clear()
	return true
}

// forgetTexts makes the kept tree read its texts again: typing changes nothing
// else.
func (w *warmth) forgetTexts() {
	if w.part.Tree == nil {
		return
	}
	elements := make([]facts.Element, w.part.Tree.Len())
	for i := range elements {
		elements[i] = *w.part.Tree.At(i)
	}
	w.part.Tree = facts.NewTree(elements, w.texts)
}
