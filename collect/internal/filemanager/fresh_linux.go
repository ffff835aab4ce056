package filemanager

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

// maxCells is how many items are asked again at most: beyond that, reading
// everything anew costs the same.
const maxCells = 300

// validity is how an answer about the window can be used again: as long as no
// event says otherwise, and where events do not tell all, as long as still says
// so. ok is false for what must be read anew each time: what was incomplete, and
// what would take as long to check.
func (v fileWindow) validity(kind Kind, folder string, chosen selection) (still func(context.Context) bool, ok bool) {
	if !chosen.known || folder == "" {
		return nil, false
	}
	switch {
	case !chosen.bar.None():
		// A view that does not tell its selection does not tell that it has
		// changed either.
		return func(ctx context.Context) bool {
			return strings.Join(v.statusLines(ctx, chosen.bar), "\n") == chosen.said
		}, true
	case v.asksLists():
		// Events come, but Caja's come before it tells the new selection.
		return func(ctx context.Context) bool {
			v.CatchUp(ctx, v.Top)
			now, told := v.selectionMarks(ctx, chosen.lists)
			return told && now == chosen.marks
		}, len(chosen.lists) > 0 && !chosen.cut()
	case kind.silent:
		return func(ctx context.Context) bool { return v.sameCells(ctx, chosen) }, len(chosen.cells) > 0 && len(chosen.cells) <= maxCells
	case kind.name == "nautilus":
		return func(ctx context.Context) bool {
			v.CatchUp(ctx, v.Top)
			again := v
			again.seen = &walked{}
			now, told := again.openLocation(ctx)
			return told && now == folder
		}, true
	}
	return nil, true
}

// cut tells that there was no time for the names of even a few dozen: the next
// answer may have them.
func (c selection) cut() bool { return c.more > 0 && len(c.names) < namesAtOnce }

// askedList is a list of a window and what it can be asked for.
type askedList struct {
	atspi.Node
	table, selection bool
}

// askedLists finds out what lists can be asked for.
func (v fileWindow) askedLists(ctx context.Context, lists []atspi.Element) []askedList {
	calls := make([]*dbus.Call, len(lists))
	for i, e := range lists {
		calls[i] = v.Interfaces(ctx, e.Node)
	}
	var asked []askedList
	for i, call := range calls {
		if groups, err := atspi.Result[[]string](call); err == nil {
			asked = append(asked, askedList{lists[i].Node, slices.Contains(groups, atspi.Prefix+"Table"), slices.Contains(groups, atspi.Prefix+"Selection")})
		}
	}
	return asked
}

// marked is how many selected items of each list are looked at for
// selectionMarks; what changes after them, events tell.
const marked = 32

// selectionMarks is a text that changes with the selection of lists, for the
// price of a row of calls: which rows, how many children, the first of them. It
// is taken before the names are read, so that a change in between shows later.
func (v fileWindow) selectionMarks(ctx context.Context, lists []askedList) (marks string, told bool) {
	rows, counts := make([]*dbus.Call, len(lists)), make([]*dbus.Call, len(lists))
	for i, list := range lists {
		if list.table {
			rows[i] = v.Start(ctx, list.Node, atspi.Prefix+"Table.GetSelectedRows")
		}
		if list.selection {
			counts[i] = v.Property(ctx, list.Node, "Selection", "NSelectedChildren")
		}
	}
	var b strings.Builder
	for i, list := range lists {
		if rows[i] != nil {
			numbers, err := atspi.Result[[]int32](rows[i])
			if err != nil {
				return "", false
			}
			fmt.Fprintln(&b, i, numbers)
		}
		if counts[i] == nil {
			continue
		}
		count, err := atspi.Variant[int32](counts[i])
		if err != nil {
			return "", false
		}
		fmt.Fprintln(&b, i, count)
		if list.table {
			continue // the rows say it
		}
		calls := make([]*dbus.Call, min(count, marked))
		for at := range calls {
			calls[at] = v.Start(ctx, list.Node, atspi.Prefix+"Selection.GetSelectedChild", int32(at))
		}
		for _, call := range calls {
			child, err := atspi.Result[atspi.Node](call)
			if err != nil {
				return "", false
			}
			fmt.Fprintln(&b, child.Path)
		}
	}
	return b.String(), true
}

// sameCells tells whether the lists have as many items as they had, and the same
// ones are selected.
func (v fileWindow) sameCells(ctx context.Context, chosen selection) bool {
	counts := make([]*dbus.Call, len(chosen.panes))
	for i, list := range chosen.panes {
		counts[i] = v.Property(ctx, list.Node, "Accessible", "ChildCount")
	}
	for from := 0; from < len(chosen.cells); from += 2 * atspi.InFlight {
		chunk := chosen.cells[from:min(from+2*atspi.InFlight, len(chosen.cells))]
		calls := make([]*dbus.Call, len(chunk))
		for i, c := range chunk {
			calls[i] = v.States(ctx, c.Node)
		}
		for i, call := range calls {
			if s, err := atspi.StatesOf(call); err != nil || s.Has(atspi.StateSelected) != chunk[i].selected {
				return false
			}
		}
	}
	for i, call := range counts {
		if n, err := atspi.Variant[int32](call); err != nil || n != chosen.panes[i].count {
			return false
		}
	}
	return true
}
