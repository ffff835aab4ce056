package collect

import (
	"sync"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// warmTime is how old a kept tree may become: not all programs tell of every
// change.
const warmTime = 2 * time.Second

// warmth is the tree of the window in front, kept while the desktop is watched
// and thrown away when its program says that something has changed. A nil
// warmth keeps nothing.
type warmth struct {
	mu         sync.Mutex
	asked      bool       // somebody has wanted a tree
	generation int        // counts changes
	of         window     // the window that the tree is of
	part       facts.Part // without a tree: none is kept
	texts      facts.TextReader
	read       time.Time
}

// tree is the kept tree of a window, if nothing has changed since.
func (w *warmth) tree(of window) (facts.Part, bool) {
	if w == nil {
		return facts.Part{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = true
	return w.part, w.part.Tree != nil && w.of == of && time.Since(w.read) < warmTime
}

// stale tells that somebody wants trees and none is kept that may be used.
func (w *warmth) stale() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked && (w.part.Tree == nil || time.Since(w.read) >= warmTime)
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
func (w *warmth) keep(since int, of window, part facts.Part, texts facts.TextReader) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if since == w.generation {
		w.of, w.part, w.texts, w.read = of, part, texts, time.Now()
	}
}

// drop throws the tree away.
func (w *warmth) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.generation++
	w.of, w.part, w.texts = window{}, facts.Part{}, nil
}

// forgetTexts makes the kept tree read its texts again: typing changes nothing
// else.
func (w *warmth) forgetTexts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.part.Tree == nil {
		return
	}
	elements := make([]facts.Element, w.part.Tree.Len())
	for i := range elements {
		elements[i] = *w.part.Tree.At(i)
	}
	w.part.Tree = facts.NewTree(elements, w.texts)
}
