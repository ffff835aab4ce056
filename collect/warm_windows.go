package collect

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/uia"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// warmTime is how old a kept tree may become: not all programs tell of every
// change.
const warmTime = 2 * time.Second

// warmCache is the tree of the window in front, kept while the desktop is watched.
// A nil warmCache keeps nothing.
type warmCache struct{ uitree.Kept[window] }

// treeOf is the kept tree of a window, if nothing has changed since.
func (w *warmCache) treeOf(_ context.Context, of window) (facts.Part, bool) {
	if w == nil {
		return facts.Part{}, false
	}
	return w.Tree(of)
}

// shape is the present state, to be given to keepTree.
func (w *warmCache) shape() int {
	if w == nil {
		return 0
	}
	return w.Generation()
}

// keepTree keeps a tree that was read since a state, unless that has changed in
// the meantime.
func (w *warmCache) keepTree(since int, of window, _ uia.Window, part facts.Part, texts facts.TextReader) {
	if w != nil {
		w.Keep(since, of, part, texts)
	}
}
