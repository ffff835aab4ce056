package collect

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Bounds of a walk: a page of a browser may have more elements than anybody
// can read in time, and a table more than it can make.
const (
	axMaxElements = 4000
	axMaxDepth    = 80
	axMaxChildren = 250                    // of one element; of longer lists only the first are read
	axMaxName     = 1000                   // UTF-16 units
	axMaxSilence  = 3                      // calls without an answer, one after the other, after which an application counts as hung
	axReserve     = 25 * time.Millisecond  // kept back for making a tree of what was read
	axLongestCall = 500 * time.Millisecond // that one answer may take where nobody sets a limit
)

// axNode is an element as the walk found it.
type axNode struct {
	ref                         axRef
	parent                      int // index; -1 for the window
	depth                       int
	role, subrole               string
	title, description          string
	placeholder                 string
	name                        string // what it is called in the end
	focused, selected, disabled bool
	readOnly, offscreen         bool
	protected                   bool // it, or what it is in, shows secrets
	isHeader                    bool // the row of column titles of a table
	bounds                      facts.Bounds
	bounded                     bool
	clip                        facts.Bounds // what can be seen of the things in it
	clipped                     bool
	children                    []int
	cut                         bool // some of its children were left out, or what they are called
	known                       bool // it answered, and is worth showing
}

// axWalk is one reading of a window. It owns the elements until they are given
// to a tree, or closed.
type axWalk struct {
	system axSystem
	left   func() time.Duration // what is left of the time
	nodes  []axNode
	seen   map[uint64][]int // by hash: some applications show an element in two places, or inside itself
	lacks  string           // why something was left out, in a few words; empty: nothing was
	shut   string           // role of elements that are not looked into; empty: none
	silent int              // calls without an answer, one after the other
}

// axTimeLeft is what is left until ctx ends, less a reserve, and at most the
// longest that a call may take.
func axTimeLeft(ctx context.Context, reserve time.Duration) func() time.Duration {
	return func() time.Duration {
		if ctx.Err() != nil {
			return 0
		}
		if deadline, ok := ctx.Deadline(); ok {
			return min(time.Until(deadline)-reserve, axLongestCall)
		}
		return axLongestCall
	}
}

// walk reads the elements of a window. window is released with the walk. The
// status is that of the window itself.
func (w *axWalk) walk(window axRef) axStatus {
	status := w.roam(window)
	if status == axSuccess {
		w.complete()
	}
	return status
}

// roam reads level by level, so that what there was no time for is what is
// deepest.
func (w *axWalk) roam(window axRef) axStatus {
	w.seen = map[uint64][]int{}
	w.add(-1, window, false)
	for i := 0; i < len(w.nodes); i++ {
		limit := w.left()
		if limit <= 0 || w.silent >= axMaxSilence {
			for _, rest := range w.nodes[i:] {
				w.lack(rest.parent, w.reason())
			}
			break
		}
		status := w.visit(i, limit)
		if i == 0 && status != axSuccess {
			return status
		}
	}
	return axSuccess
}

// Why something was left out.
const (
	axNoTime  = "there was no time for all of the window"
	axTooMany = "the window has very many elements"
	axSilence = "the application stopped answering"
)

// reason is why nothing more is read.
func (w *axWalk) reason() string {
	if w.silent >= axMaxSilence {
		return axSilence
	}
	return axNoTime
}

// lack marks that something in an element was left out; -1 is the window.
func (w *axWalk) lack(i int, why string) {
	w.nodes[max(i, 0)].cut = true
	if w.lacks == "" {
		w.lacks = why
	}
}

// add takes an element into the walk, which owns it from now on.
func (w *axWalk) add(parent int, ref axRef, isHeader bool) {
	if len(w.nodes) >= axMaxElements {
		w.lack(parent, axTooMany)
		w.system.release(ref)
		return
	}
	if _, known := w.find(ref); known {
		w.system.release(ref)
		return
	}
	n := axNode{ref: ref, parent: parent, isHeader: isHeader}
	if parent >= 0 {
		outer := &w.nodes[parent]
		n.depth, n.protected = outer.depth+1, outer.protected
		n.clip, n.clipped = outer.clip, outer.clipped
		outer.children = append(outer.children, len(w.nodes))
	}
	hash := w.system.hash(ref)
	w.seen[hash] = append(w.seen[hash], len(w.nodes))
	w.nodes = append(w.nodes, n)
}

// find is the place of an element in the walk.
func (w *axWalk) find(ref axRef) (int, bool) {
	for _, i := range w.seen[w.system.hash(ref)] {
		if w.system.equal(w.nodes[i].ref, ref) {
			return i, true
		}
	}
	return 0, false
}

// visit reads one element, with one message for all of it in most cases, and
// adds its children.
func (w *axWalk) visit(i int, limit time.Duration) axStatus {
	list := axOfElement
	if p := w.nodes[i].parent; p >= 0 && w.nodes[p].role == "AXScrollArea" {
		list = axOfContent // perhaps a table of thousands of rows: first its role
	}
	answer, status := axRead(w.system, w.nodes[i].ref, list, axMaxName, limit)
	defer answer.close()
	if status == axCannotComplete {
		w.silent++
		w.lack(w.nodes[i].parent, axSilence)
	}
	if status != axSuccess {
		return status // one that has gone is not missing
	}
	w.silent = 0
	e := &w.nodes[i]
	e.take(&answer)
	if e.role == "AXColumn" {
		e.known = false // its cells are those of the rows
		return axSuccess
	}
	if !e.opens() || e.role == w.shut {
		return axSuccess
	}
	if e.depth >= axMaxDepth {
		w.lack(i, axTooMany)
		return axSuccess
	}
	if list == axOfElement {
		children, more := answer.takeAll(axChildren)
		w.addAll(i, children, more)
		return axSuccess
	}
	w.addContent(i)
	return axSuccess
}

// addContent adds the children of an element that scrolls: of tables and lists
// those that show.
func (w *axWalk) addContent(i int) {
	ref := w.nodes[i].ref
	switch w.nodes[i].role {
	case "AXTable", "AXOutline":
		limit := w.left()
		if limit <= 0 {
			w.lack(i, axNoTime)
			return
		}
		answer, status := axRead(w.system, ref, axOfTable, 0, limit)
		defer answer.close()
		if status == axSuccess && answer.has(axVisibleRows) {
			if header := answer.take(axHeader); header != 0 {
				w.add(i, header, true)
			}
			rows, more := answer.takeAll(axVisibleRows)
			w.addAll(i, rows, more)
			return
		}
	case "AXList", "AXGrid", "AXBrowser":
		if w.addFrom(i, axVisibleChildren) {
			return
		}
	}
	w.addFrom(i, axChildren)
}

// addFrom adds the elements of an attribute, if it has any.
func (w *axWalk) addFrom(i int, attribute axAttribute) bool {
	limit := w.left()
	if limit <= 0 {
		w.lack(i, axNoTime)
		return false
	}
	array, status := w.system.copyElements(w.nodes[i].ref, attribute, axMaxChildren+1, limit)
	if status != axSuccess || array == 0 {
		if status == axCannotComplete {
			w.lack(i, axSilence)
		}
		return false
	}
	defer w.system.release(array)
	elements, more := axElements(w.system, array, axMaxChildren)
	w.addAll(i, elements, more)
	return len(elements) > 0
}

func (w *axWalk) addAll(parent int, elements []axRef, more bool) {
	if more {
		w.lack(parent, axTooMany)
	}
	for _, ref := range elements {
		w.add(parent, ref, false)
	}
}

// take copies what an element says of itself.
func (e *axNode) take(answer *axAnswer) {
	e.known = true
	e.role, e.subrole = answer.text(axRole), answer.text(axSubrole)
	e.title, e.description, e.placeholder = answer.text(axTitle), answer.text(axDescription), answer.text(axPlaceholder)
	e.focused, _ = answer.truth(axFocused)
	e.selected, _ = answer.truth(axSelected)
	enabled, told := answer.truth(axEnabled)
	e.disabled = told && !enabled
	if secret, _ := answer.truth(axProtected); secret && e.parent >= 0 {
		e.protected = true // the window as a whole says so of one field in it
	}
	at, size := answer.at(axPosition), answer.at(axExtent)
	if at.kind == axPoint && size.kind == axSize && size.a > 0 && size.b > 0 {
		e.bounds = facts.Bounds{X: at.a, Y: at.b, Width: size.a, Height: size.b}
		e.bounded = true
	}
	e.place()
}

// close releases all elements.
func (w *axWalk) close() {
	for i := range w.nodes {
		w.system.release(w.nodes[i].ref)
	}
	w.nodes = nil
}
