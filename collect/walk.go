//go:build linux || windows

package collect

import "time"

// Bounds of a walk: a page of a browser may have more elements than anybody
// can read in time, and a table more than it can make.
const (
	maxElements = 4000
	maxDepth    = 80
	maxChildren = 250 // of one element; of longer lists only the first are read
	walkReserve = 25 * time.Millisecond
)

// focusedElement is the one with the keyboard. Several may say it, as in Qt the
// tab that the editor is in: one that can be typed into counts before the
// others, and then the deepest.
func focusedElement(elements []visited) (int, bool) {
	best, weight := 0, -1
	for i := range elements {
		e := &elements[i]
		if !e.focused() || e.parent < 0 {
			continue
		}
		w := e.depth
		if e.typedInto() {
			w += maxDepth
		}
		if w >= weight {
			best, weight = i, w
		}
	}
	return best, weight >= 0
}
