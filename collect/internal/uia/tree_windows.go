package uia

import (
	"context"
	"strconv"
	"time"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// Tree walks the window and makes a tree of what it finds, with the element that
// has the keyboard.
func (s Window) Tree(ctx context.Context) (facts.Part, facts.TextReader, error) {
	s.large = s.isLarge(s.target.Handle)
	elements, late, err := s.walk(ctx)
	if late {
		s.setLarge(s.target.Handle)
	}
	if err != nil {
		return facts.Part{}, nil, Unanswered(ctx, err)
	}
	if len(elements) == 0 {
		return facts.Part{}, nil, Unanswered(ctx, context.DeadlineExceeded)
	}
	order := uitree.DocumentOrder(len(elements), func(i int) ([]int, bool) { return elements[i].children, true })
	texts := newTexts(elements, order) // holds the elements from now on
	list, cut := treeOf(s.target, elements, order)
	tree := facts.NewTree(list, texts.read)
	if cut {
		tree.MarkPartial("the window has more elements than were read in time")
	}
	primary := 0
	if at, ok := s.primary(ctx, elements); ok {
		for i, from := range order {
			if from == at {
				primary = i
			}
		}
	}
	part := facts.Part{Tree: tree}.With("attachments.visual.primary", facts.Text(list[primary].ID))
	part.Summary = map[string]string{facts.Visual: uitree.Counted(len(list), cut)}
	return part, texts.read, nil
}

func (a *Automation) isLarge(handle windows.HWND) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.large == handle
}

func (a *Automation) setLarge(handle windows.HWND) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.large = handle
}

// treeOf makes the elements of a tree, in document order. cut tells that some
// are missing.
func treeOf(w Target, elements []element, order []int) (tree []facts.Element, cut bool) {
	kinds, names := newTypes(), map[uint32]string{w.PID: w.Process}
	tree = make([]facts.Element, len(order))
	index := make([]int, len(elements)) // from the walk's to the tree's
	for i, at := range order {
		e := &elements[at]
		index[at] = i
		parent, outer, owner := -1, facts.UnknownType, w.PID
		if e.parent >= 0 {
			parent = index[e.parent]
			outer, owner = tree[parent].Type, elements[e.parent].pid
		}
		tree[i] = facts.Element{
			ID: e.id, Type: kinds.typeOf(e.control, e.parent < 0, len(e.children) > 0, outer), Name: e.name, HasName: e.name != "",
			States: e.states, Bounds: e.bounds, HasBounds: e.bounded, Cut: !e.opened, Parent: parent,
		}
		if tree[i].ID == "" {
			tree[i].ID = "e" + strconv.Itoa(i)
		}
		if e.parent < 0 {
			tree[i].Process = w.Process
		} else if e.pid != owner && e.pid != 0 { // such as a store program in its frame
			if _, known := names[e.pid]; !known {
				names[e.pid] = process.Name(e.pid)
			}
			tree[i].Process = names[e.pid]
		}
		cut = cut || tree[i].Cut
	}
	return tree, cut
}

// primary is the element that has the keyboard. Where none of the window says
// so, UI Automation may know which of them it is.
func (s Window) primary(ctx context.Context, elements []element) (int, bool) {
	if at, ok := focusedVisited(elements); ok {
		return at, true
	}
	limit := hangTime
	if deadline, ok := ctx.Deadline(); ok { // what the walk has left, of which some is for the answer
		limit = max(uitree.WalkReserve, time.Until(deadline)/2)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	id, err := ask(ctx, s.Automation, func() (string, error) {
		e, err := s.core.Object(api.SlotFocusedElementBuildCache, s.single.Handle())
		if err != nil || e == nil {
			return "", err
		}
		defer e.Release()
		return runtimeID(cached(e, api.PropertyRuntimeID)), nil
	}, nil)
	if err != nil || id == "" {
		return 0, false
	}
	for i := range elements {
		if elements[i].id == id {
			return i, true
		}
	}
	return 0, false
}
