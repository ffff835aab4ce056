package collect

import "time"

// warmTime is how old a kept tree may become: not all programs tell of every
// change.
const warmTime = 2 * time.Second

// warmth is the tree of the window in front, kept while the desktop is watched.
type warmth = warmTree[window]

// stale tells that somebody wants trees and none is kept that may be used.
func (w *warmTree[K]) stale() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked && !w.holds()
}
