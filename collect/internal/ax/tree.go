package ax

import (
	"runtime"
	"strconv"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// Reading is a window that was read: its elements in document order, and which
// of them is the one with the keyboard.
type Reading struct {
	walk  *Walk
	order []int // from the tree's index to the walk's
	types []facts.ElementType
	kinds *Types
}

// Refs owns the elements of a tree until nobody can ask for their texts any
// more.
type Refs struct {
	system System
	refs   []Ref
}

// ownRefs takes the elements over from a walk. They are released when the
// answer is garbage: a tree may be in use long after another one was read.
func ownRefs(w *Walk) *Refs {
	own := &Refs{system: w.system, refs: make([]Ref, len(w.nodes))}
	for i := range w.nodes {
		own.refs[i] = w.nodes[i].ref
	}
	runtime.AddCleanup(own, func(refs Refs) {
		for _, ref := range refs.refs {
			refs.system.Release(ref)
		}
	}, *own)
	return own
}

// Part makes the tree of a window from its walk, which is over with it.
// focus is the element with the keyboard, or 0; it stays the caller's.
func Part(w *Walk, kinds *Types, focus Ref, process string) (facts.Part, facts.TextReader) {
	primary := w.focus(focus)
	s := Reading{walk: w, kinds: kinds, order: w.documentOrder()}
	tree := make([]facts.Element, len(s.order))
	s.types = make([]facts.ElementType, len(s.order))
	index := make([]int, len(w.nodes))
	inDocument := make([]bool, len(s.order))
	taken := map[string]bool{}
	for i, at := range s.order {
		e := &w.nodes[at]
		index[at] = i
		parent, outer := -1, facts.UnknownType
		if e.parent >= 0 {
			parent = index[e.parent]
			outer, inDocument[i] = tree[parent].Type, inDocument[parent]
		}
		kind := kinds.typeOf(e, inDocument[i], outer)
		inDocument[i] = inDocument[i] || kind == kinds.document
		s.types[i] = kind
		tree[i] = facts.Element{
			ID: ID(w.system.Hash(e.ref), taken), Type: kind, Name: e.name, HasName: e.name != "",
			States: e.states(), Bounds: e.bounds, HasBounds: e.bounded, Cut: e.cut, Parent: parent,
		}
	}
	tree[0].Process = process
	texts := s.textReader(tree, inDocument)
	part := facts.Part{Tree: facts.NewTree(tree, texts)}
	if w.lacks != "" {
		part.Tree.MarkPartial(w.lacks)
	}
	part = part.With("attachments.visual.primary", facts.Text(tree[index[primary]].ID))
	part.Summary = map[string]string{facts.Visual: uitree.Counted(len(tree), w.lacks != "")}
	w.nodes = nil // the texts own them
	return part, texts
}

// ID is stable as long as the element lives. Of two with one hash the second
// gets a number.
func ID(hash uint64, taken map[string]bool) string {
	id := "e" + strconv.FormatUint(hash, 36)
	for n := 2; taken[id]; n++ {
		id = "e" + strconv.FormatUint(hash, 36) + "." + strconv.Itoa(n)
	}
	taken[id] = true
	return id
}

// states translates what an element says of itself.
func (e *Node) states() facts.States {
	var out facts.States
	set := func(when bool, state facts.States) {
		if when {
			out |= state
		}
	}
	set(e.focused && e.parent >= 0, facts.Focused)
	set(e.selected, facts.Selected)
	set(e.disabled, facts.Disabled)
	set(e.readOnly, facts.ReadOnly)
	set(e.offscreen, facts.Offscreen)
	set(e.secure(), facts.Password)
	return out
}

// focus marks the element with the keyboard and gives its index in the walk; the
// window's, 0, if there is none. One that the walk has not reached is put where
// its ancestors are: of a window with very many elements, it is the one that
// counts.
func (w *Walk) focus(ref Ref) int {
	if ref == 0 {
		return 0
	}
	i, ok := w.find(ref)
	if !ok {
		i, ok = w.graft(ref)
	}
	if !ok || !w.nodes[i].known && !w.inspect(i) {
		return 0
	}
	w.nodes[i].focused = true
	return i
}

// graft adds an element with those ancestors that the walk has not reached. One
// of another window, such as an open menu of the menu bar, is not added.
func (w *Walk) graft(ref Ref) (int, bool) {
	w.system.Retain(ref)
	chain := []Ref{ref}
	defer func() {
		for _, ref := range chain {
			w.system.Release(ref)
		}
	}()
	for len(chain) < MaxDepth {
		limit := w.left()
		if limit <= 0 {
			return 0, false
		}
		answer, status := Read(w.system, chain[len(chain)-1], ListOfAncestor, 0, limit)
		up := answer.take(AttributeParent)
		answer.close()
		if status != StatusSuccess || up == 0 {
			return 0, false
		}
		if at, known := w.find(up); known {
			w.system.Release(up)
			grafted := w.attach(at, chain)
			chain = nil
			return grafted, w.nodes[grafted].known
		}
		chain = append(chain, up)
	}
	return 0, false
}

// attach reads a chain of elements, the last of which is a child of one in the
// walk, and gives the index of the first. It owns the chain.
func (w *Walk) attach(at int, chain []Ref) int {
	for i := len(chain) - 1; i >= 0; i-- {
		next := len(w.nodes)
		n := Node{ref: chain[i], parent: at, depth: w.nodes[at].depth + 1, protected: w.nodes[at].protected}
		w.nodes = append(w.nodes, n)
		w.nodes[at].children = append(w.nodes[at].children, next)
		w.inspect(next)
		at = next
	}
	return at
}

// inspect reads an element alone, without what is in it.
func (w *Walk) inspect(i int) bool {
	limit := w.left()
	if limit <= 0 {
		return false
	}
	answer, status := Read(w.system, w.nodes[i].ref, ListOfContent, MaxName, limit)
	defer answer.close()
	if status != StatusSuccess || answer.text(AttributeRole) == "AXColumn" {
		return false
	}
	w.nodes[i].take(&answer)
	w.nodes[i].call()
	return true
}

// documentOrder puts a parent before its children and leaves out what did not
// answer.
func (w *Walk) documentOrder() []int {
	return uitree.DocumentOrder(len(w.nodes), func(i int) ([]int, bool) { return w.nodes[i].children, w.nodes[i].known })
}
