package collect

import (
	"fmt"
	"hash/fnv"
	"sync"

	"github.com/pertain-dev/pertain/facts"
)

// axWarm is the tree of the window in front, kept while the desktop is watched.
// A nil axWarm keeps nothing.
type axWarm struct {
	mu         sync.Mutex
	asked      bool  // somebody has wanted a tree
	generation int   // counts changes
	key        axKey // of the window that the tree is of
	part       facts.Part
	texts      facts.TextReader
}

// tree is the kept tree of a window, if nothing has changed since.
func (w *axWarm) tree(of axKey) (facts.Part, bool) {
	if w == nil {
		return facts.Part{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = true
	return w.part, w.part.Tree != nil && w.key == of
}

// wanted tells whether reading ahead is worth it.
func (w *axWarm) wanted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// now is the present generation, to be given to keep.
func (w *axWarm) now() int {
	if w == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.generation
}

// keep keeps a tree that was read since a generation, unless it has changed in
// the meantime.
func (w *axWarm) keep(since int, of axKey, part facts.Part, texts facts.TextReader) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if since == w.generation {
		w.key, w.part, w.texts = of, part, texts
	}
}

// drop throws the tree away.
func (w *axWarm) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.generation++
	w.part, w.texts = facts.Part{}, nil
}

// forgetTexts makes the kept tree read its texts again: typing changes nothing
// else.
func (w *axWarm) forgetTexts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.part.Tree == nil {
		return
	}
	elements := make([]facts.Element, w.part.Tree.Len())
	for i := range elements {
		elements[i] = *w.part.Tree.At(i)
	}
	partial := w.part.Tree.Partial()
	w.part.Tree = facts.NewTree(elements, w.texts).MarkPartial(partial)
}

// print tells trees apart without keeping them; 0: none is kept.
func (w *axWarm) print() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.part.Tree == nil {
		return 0
	}
	h := fnv.New64a()
	for i := range w.part.Tree.Len() {
		e := w.part.Tree.At(i)
		fmt.Fprint(h, e.ID, "\x00", e.Type, "\x00", e.Name, "\x00", e.States, "\x00", e.Parent, "\x00")
	}
	return h.Sum64()
}
