package collect

import (
	"context"
	"strconv"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// visual reads the elements of the window in front through UI Automation.
type visual struct{ *desktop }

const visualID = "windows.uia"

// whole tells whether a tree is worth keeping: nothing was left out.
func whole(tree *facts.Tree) bool { return tree.Partial() == "" }

// read walks a window and makes its tree.
func (v visual) read(ctx context.Context, s automationWindow) (facts.Part, facts.TextReader, error) {
	s.large = v.isLarge(s.window.handle)
	elements, late, err := s.walk(ctx)
	if late {
		v.setLarge(s.window.handle)
	}
	if err != nil {
		return facts.Part{}, nil, unanswered(ctx, err)
	}
	if len(elements) == 0 {
		return facts.Part{}, nil, unanswered(ctx, context.DeadlineExceeded)
	}
	order := uitree.DocumentOrder(len(elements), func(i int) ([]int, bool) { return elements[i].children, true })
	texts := newTexts(elements, order) // holds the elements from now on
	list, cut := v.treeOf(s.window, elements, order)
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

func (d *desktop) isLarge(handle windows.HWND) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.large == handle
}

func (d *desktop) setLarge(handle windows.HWND) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.large = handle
}

// treeOf makes the elements of a tree, in document order. cut tells that some
// are missing.
func (v visual) treeOf(w window, elements []element, order []int) (tree []facts.Element, cut bool) {
	kinds, names := newShapes(), map[uint32]string{w.pid: w.process}
	tree = make([]facts.Element, len(order))
	place := make([]int, len(elements)) // from the walk's index to the tree's
	for i, at := range order {
		e := &elements[at]
		place[at] = i
		parent, outer, owner := -1, facts.UnknownType, w.pid
		if e.parent >= 0 {
			parent = place[e.parent]
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
			tree[i].Process = w.process
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
func (s automationWindow) primary(ctx context.Context, elements []element) (int, bool) {
	if at, ok := focusedVisited(elements); ok {
		return at, true
	}
	ctx, cancel := context.WithTimeout(ctx, uitree.WalkReserve)
	defer cancel()
	id, err := ask(ctx, s.automation, func() (string, error) {
		e, err := s.core.object(slotFocusedElementBuildCache, s.single.handle())
		if err != nil || e == nil {
			return "", err
		}
		defer e.release()
		return runtimeID(e.cached(propertyRuntimeID)), nil
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
