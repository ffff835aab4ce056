package ax

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Bounds of a walk: a page of a browser may have more elements than anybody
// can read in time, and a table more than it can make.
const (
	MaxElements = 4000
	MaxDepth    = 80
	MaxChildren = 250                    // of one element; of longer lists only the first are read
	MaxName     = 1000                   // UTF-16 units
	MaxSilence  = 3                      // calls without an answer, one after the other, after which an application counts as hung
	Reserve     = 25 * time.Millisecond  // kept back for making a tree of what was read
	LongestCall = 500 * time.Millisecond // that one answer may take where nobody sets a limit
)

// Node is an element as the walk found it.
type Node struct {
	ref                         Ref
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

// Walk is one reading of a window. It owns the elements until they are given
// to a tree, or closed.
type Walk struct {
	system System
	left   func() time.Duration // what is left of the time
	nodes  []Node
	seen   map[uint64][]int // by hash: some applications show an element twice, or inside itself
	lacks  string           // why something was left out, in a few words; empty: nothing was
	shut   string           // role of elements that are not looked into; empty: none
	silent int              // calls without an answer, one after the other
}

// TimeLeft is what is left until ctx ends, less a reserve, and at most the
// longest that a call may take.
func TimeLeft(ctx context.Context, reserve time.Duration) func() time.Duration {
	return func() time.Duration {
		if ctx.Err() != nil {
			return 0
		}
		if deadline, ok := ctx.Deadline(); ok {
			return min(time.Until(deadline)-reserve, LongestCall)
		}
		return LongestCall
	}
}

// walk reads the elements of a window. window is released with the walk. The
// status is that of the window itself.
func (w *Walk) walk(window Ref) Status {
	status := w.roam(window)
	if status == StatusSuccess {
		w.complete()
	}
	return status
}

// roam reads level by level, so that what there was no time for is what is
// deepest.
func (w *Walk) roam(window Ref) Status {
	w.seen = map[uint64][]int{}
	w.add(-1, window, false)
	for i := 0; i < len(w.nodes); i++ {
		limit := w.left()
		if limit <= 0 || w.silent >= MaxSilence {
			for _, rest := range w.nodes[i:] {
				w.lack(rest.parent, w.reason())
			}
			break
		}
		status := w.visit(i, limit)
		if i == 0 && status != StatusSuccess {
			return status
		}
	}
	return StatusSuccess
}

// Why something was left out.
const (
	NoTime  = "there was no time for all of the window"
	TooMany = "the window has very many elements"
	Silence = "the application stopped answering"
)

// reason is why nothing more is read.
func (w *Walk) reason() string {
	if w.silent >= MaxSilence {
		return Silence
	}
	return NoTime
}

// lack marks that something in an element was left out; -1 is the window.
func (w *Walk) lack(i int, why string) {
	w.nodes[max(i, 0)].cut = true
	if w.lacks == "" {
		w.lacks = why
	}
}

// add takes an element into the walk, which owns it from now on.
func (w *Walk) add(parent int, ref Ref, isHeader bool) {
	if len(w.nodes) >= MaxElements {
		w.lack(parent, TooMany)
		w.system.Release(ref)
		return
	}
	if _, known := w.find(ref); known {
		w.system.Release(ref)
		return
	}
	n := Node{ref: ref, parent: parent, isHeader: isHeader}
	if parent >= 0 {
		outer := &w.nodes[parent]
		n.depth, n.protected = outer.depth+1, outer.protected
		n.clip, n.clipped = outer.clip, outer.clipped
		outer.children = append(outer.children, len(w.nodes))
	}
	hash := w.system.Hash(ref)
	w.seen[hash] = append(w.seen[hash], len(w.nodes))
	w.nodes = append(w.nodes, n)
}

// find is the index of an element in the walk.
func (w *Walk) find(ref Ref) (int, bool) {
	for _, i := range w.seen[w.system.Hash(ref)] {
		if w.system.Equal(w.nodes[i].ref, ref) {
			return i, true
		}
	}
	return 0, false
}

// visit reads one element, with one message for all of it in most cases, and
// adds its children.
func (w *Walk) visit(i int, limit time.Duration) Status {
	list := ListOfElement
	if p := w.nodes[i].parent; p >= 0 && w.nodes[p].role == "AXScrollArea" {
		list = ListOfContent // perhaps a table of thousands of rows: first its role
	}
	answer, status := Read(w.system, w.nodes[i].ref, list, MaxName, limit)
	defer answer.close()
	if status == StatusCannotComplete {
		w.silent++
		w.lack(w.nodes[i].parent, Silence)
	}
	if status != StatusSuccess {
		return status // one that has gone is not missing
	}
	w.silent = 0
	e := &w.nodes[i]
	e.take(&answer)
	if e.role == "AXColumn" {
		e.known = false // its cells are those of the rows
		return StatusSuccess
	}
	if !e.opens() || e.role == w.shut {
		return StatusSuccess
	}
	if e.depth >= MaxDepth {
		w.lack(i, TooMany)
		return StatusSuccess
	}
	if list == ListOfElement {
		children, more := answer.takeAll(AttributeChildren)
		w.addAll(i, children, more)
		return StatusSuccess
	}
	w.addContent(i)
	return StatusSuccess
}

// addContent adds the children of an element that scrolls: of tables and lists
// those that show.
func (w *Walk) addContent(i int) {
	ref := w.nodes[i].ref
	switch w.nodes[i].role {
	case "AXTable", "AXOutline":
		limit := w.left()
		if limit <= 0 {
			w.lack(i, NoTime)
			return
		}
		answer, status := Read(w.system, ref, ListOfTable, 0, limit)
		defer answer.close()
		if status == StatusSuccess && answer.has(AttributeVisibleRows) {
			if header := answer.take(AttributeHeader); header != 0 {
				w.add(i, header, true)
			}
			rows, more := answer.takeAll(AttributeVisibleRows)
			w.addAll(i, rows, more)
			return
		}
	case "AXList", "AXGrid", "AXBrowser":
		if w.addFrom(i, AttributeVisibleChildren) {
			return
		}
	}
	w.addFrom(i, AttributeChildren)
}

// addFrom adds the elements of an attribute, if it has any.
func (w *Walk) addFrom(i int, attribute Attribute) bool {
	limit := w.left()
	if limit <= 0 {
		w.lack(i, NoTime)
		return false
	}
	array, status := w.system.CopyElements(w.nodes[i].ref, attribute, MaxChildren+1, limit)
	if status != StatusSuccess || array == 0 {
		if status == StatusCannotComplete {
			w.lack(i, Silence)
		}
		return false
	}
	defer w.system.Release(array)
	elements, more := Elements(w.system, array, MaxChildren)
	w.addAll(i, elements, more)
	return len(elements) > 0
}

func (w *Walk) addAll(parent int, elements []Ref, more bool) {
	if more {
		w.lack(parent, TooMany)
	}
	for _, ref := range elements {
		w.add(parent, ref, false)
	}
}

// take copies what an element says of itself.
func (e *Node) take(answer *Answer) {
	e.known = true
	e.role, e.subrole = answer.text(AttributeRole), answer.text(AttributeSubrole)
	e.title, e.description, e.placeholder = answer.text(AttributeTitle), answer.text(AttributeDescription), answer.text(AttributePlaceholder)
	e.focused, _ = answer.truth(AttributeFocused)
	e.selected, _ = answer.truth(AttributeSelected)
	enabled, told := answer.truth(AttributeEnabled)
	e.disabled = told && !enabled
	if secret, _ := answer.truth(AttributeProtected); secret && e.parent >= 0 {
		e.protected = true // the window as a whole says so of one field in it
	}
	at, size := answer.at(AttributePosition), answer.at(AttributeExtent)
	if at.kind == KindPoint && size.kind == KindSize && size.a > 0 && size.b > 0 {
		e.bounds = facts.Bounds{X: at.a, Y: at.b, Width: size.a, Height: size.b}
		e.bounded = true
	}
	e.setVisible()
}

// close releases all elements.
func (w *Walk) close() {
	for i := range w.nodes {
		w.system.Release(w.nodes[i].ref)
	}
	w.nodes = nil
}
