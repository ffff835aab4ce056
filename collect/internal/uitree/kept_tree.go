package uitree

import (
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Kept is the tree of the window in front, kept while the desktop is watched
// and thrown away when something has changed; K tells windows apart. A nil
// Kept keeps nothing.
type Kept[K comparable] struct {
	Lasts time.Duration // how old a kept tree may become; 0: as old as it likes

	mu         sync.Mutex
	asked      bool       // somebody has wanted a tree
	generation int        // counts changes
	of         K          // the window that the tree is of
	part       facts.Part // without a tree: none is kept
	texts      facts.TextReader
	read       time.Time
}

// Tree is the kept tree of a window, if nothing has changed since.
func (w *Kept[K]) Tree(of K) (facts.Part, bool) {
	if w == nil {
		return facts.Part{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = true
	return w.part, w.holds() && w.of == of
}

// holds tells whether a tree is kept that may be used; mu is held.
func (w *Kept[K]) holds() bool {
	return w.part.Tree != nil && (w.Lasts == 0 || time.Since(w.read) < w.Lasts)
}

// Wanted tells whether reading ahead is worth it.
func (w *Kept[K]) Wanted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// Generation is the present generation, to be given to Keep.
func (w *Kept[K]) Generation() int {
	if w == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.generation
}

// Keep keeps a tree that was read since a generation, unless it has changed in
// the meantime.
func (w *Kept[K]) Keep(since int, of K, part facts.Part, texts facts.TextReader) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if since == w.generation {
		w.of, w.part, w.texts, w.read = of, part, texts, time.Now()
	}
}

// Drop throws the tree away.
func (w *Kept[K]) Drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.generation++
	w.part, w.texts = facts.Part{}, nil
}

// ForgetTexts makes the kept tree read its texts again: typing changes nothing
// else.
func (w *Kept[K]) ForgetTexts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part.Tree = Unread(w.part.Tree, w.texts)
}

// Unread is a tree none of whose texts have been read yet; nil for none.
func Unread(tree *facts.Tree, texts facts.TextReader) *facts.Tree {
	if tree == nil {
		return nil
	}
	elements := make([]facts.Element, tree.Len())
	for i := range elements {
		elements[i] = *tree.At(i)
	}
	return facts.NewTree(elements, texts).MarkPartial(tree.Partial())
}

// Stale tells that somebody wants trees and none is kept that may be used.
func (w *Kept[K]) Stale() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked && !w.holds()
}

// Fingerprint tells trees apart without keeping them; 0: none is kept.
func (w *Kept[K]) Fingerprint() uint64 {
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
