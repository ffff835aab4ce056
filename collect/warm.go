package collect

import (
	"sync"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// warmTree is the tree of the window in front, kept while the desktop is watched
// and thrown away when something has changed; K tells windows apart. A nil
// warmTree keeps nothing.
type warmTree[K comparable] struct {
	lasts time.Duration // how old a kept tree may become; 0: as old as it likes

	mu         sync.Mutex
	asked      bool       // somebody has wanted a tree
	generation int        // counts changes
	of         K          // the window that the tree is of
	part       facts.Part // without a tree: none is kept
	texts      facts.TextReader
	read       time.Time
}

// tree is the kept tree of a window, if nothing has changed since.
func (w *warmTree[K]) tree(of K) (facts.Part, bool) {
	if w == nil {
		return facts.Part{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = true
	return w.part, w.holds() && w.of == of
}

// holds tells whether a tree is kept that may be used; mu is held.
func (w *warmTree[K]) holds() bool {
	return w.part.Tree != nil && (w.lasts == 0 || time.Since(w.read) < w.lasts)
}

// wanted tells whether reading ahead is worth it.
func (w *warmTree[K]) wanted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// now is the present generation, to be given to keep.
func (w *warmTree[K]) now() int {
	if w == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.generation
}

// keep keeps a tree that was read since a generation, unless it has changed in
// the meantime.
func (w *warmTree[K]) keep(since int, of K, part facts.Part, texts facts.TextReader) {
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
func (w *warmTree[K]) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.generation++
	w.part, w.texts = facts.Part{}, nil
}

// forgetTexts makes the kept tree read its texts again: typing changes nothing
// else.
func (w *warmTree[K]) forgetTexts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part.Tree = unread(w.part.Tree, w.texts)
}

// unread is a tree none of whose texts have been read yet; nil for none.
func unread(tree *facts.Tree, texts facts.TextReader) *facts.Tree {
	if tree == nil {
		return nil
	}
	elements := make([]facts.Element, tree.Len())
	for i := range elements {
		elements[i] = *tree.At(i)
	}
	return facts.NewTree(elements, texts).MarkPartial(tree.Partial())
}
