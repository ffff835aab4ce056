package collect

import (
	"fmt"
	"hash/fnv"
)

// axWarm is the tree of the window in front, kept while the desktop is watched.
type axWarm = warmTree[axKey]

// print tells trees apart without keeping them; 0: none is kept.
func (w *warmTree[K]) print() uint64 {
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
