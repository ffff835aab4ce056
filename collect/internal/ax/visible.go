package ax

import "github.com/pertain-dev/pertain/facts"

// setVisible tells whether an element can be seen, and what can be seen of what is
// in it.
func (e *Node) setVisible() {
	if e.floats() {
		e.clipped = false
	}
	if e.bounded && e.clipped {
		_, seen := Overlap(e.bounds, e.clip)
		e.offscreen = !seen
	}
	if !e.bounded || e.offscreen {
		return
	}
	switch {
	case e.parent < 0, e.floats():
		e.clip, e.clipped = e.bounds, true
	case e.role == "AXScrollArea":
		if e.clipped {
			e.clip, _ = Overlap(e.bounds, e.clip)
		} else {
			e.clip, e.clipped = e.bounds, true
		}
	}
}

// opens tells whether the children of an element are of interest: those of what
// does not show are not, nor those of a menu that is closed.
func (e *Node) opens() bool {
	return !e.offscreen && !e.secure() && (e.bounded || e.role != "AXMenu")
}

// Overlap is what two rectangles have in common.
func Overlap(a, b facts.Bounds) (facts.Bounds, bool) {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	out := facts.Bounds{X: x, Y: y, Width: min(a.X+a.Width, b.X+b.Width) - x, Height: min(a.Y+a.Height, b.Y+b.Height) - y}
	return out, out.Width > 0 && out.Height > 0
}
