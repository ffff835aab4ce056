package uitree

import "time"

// Bounds of a walk: a page of a browser may have more elements than anybody
// can read in time, and a table more than it can make.
const (
	MaxElements = 4000
	MaxDepth    = 80
	MaxChildren = 250 // of one element; of longer lists only the first are read
	WalkReserve = 25 * time.Millisecond
)

// Claim is what an element says about the keyboard.
type Claim struct {
	Focused bool // it says that it has it; the window itself does not count
	Typed   bool // it can be typed into
	Depth   int
}

// Focused is the one of n that has the keyboard. Several may say it, as in
// Qt the tab that the editor is in: one that can be typed into counts before the
// others, and then the deepest.
func Focused(n int, claim func(i int) Claim) (int, bool) {
	best, weight := 0, -1
	for i := range n {
		c := claim(i)
		if !c.Focused {
			continue
		}
		w := c.Depth
		if c.Typed {
			w += MaxDepth
		}
		if w >= weight {
			best, weight = i, w
		}
	}
	return best, weight >= 0
}
