package collect

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
)

// selectedElements goes through everything that shows, for Qt and GTK 4. A part of
// the selection would be a wrong answer, so it is all or nothing.
func (v fileWindow) selectedElements(ctx context.Context, folder string) choice {
	elements := v.elements(ctx)
	if v.seen.left == leftForTime {
		return tooLate
	}
	if long, ok := v.longList(elements); ok {
		return v.selectedOfMany(ctx, long, folder)
	}
	c := choice{why: untold, remedy: remedyFor(v.manager)}
	if v.seen.left != "" {
		c.why, c.remedy = v.seen.left, ""
		return c
	}
	panes := v.itemsByPane(elements)
	for _, pane := range panes {
		c.panes = append(c.panes, cell{node: elements[pane.list].node, count: elements[pane.list].count})
		for _, i := range pane.items {
			c.cells = append(c.cells, cell{node: elements[i].node, selected: elements[i].states.has(stateSelected)})
		}
	}
	fits := func(name string) bool { return inFolder(folder, name) || folder == "" && name != "" }
	names := v.itemNames(ctx, panes, fits)
	if ctx.Err() != nil {
		return tooLate
	}
	pane, several, ok := v.filePane(ctx, panes, folder, func(i int) bool { return names(i) != "" })
	if several {
		c.why, c.remedy = "several lists of files are shown, and none of them has the keyboard", "click into the list of files"
		return c
	}
	if !ok {
		n, err := readSome(folder)
		c.known = folder != "" && err == nil && n == 0
		return c
	}
	table := v.columns(elements[pane.list].role)
	if table && folder == "" {
		c.remedy = "switch to the view with icons" // nothing tells which of its columns has the names
		return c
	}
	for _, i := range pane.items {
		if !elements[i].states.has(stateSelected) {
			continue
		}
		switch name := names(i); {
		case name != "" && !slices.Contains(c.names, name):
			c.names = append(c.names, name)
		case name == "" && !table: // other columns of a table have no names
			c.more++
		}
	}
	c.known = true
	return c
}

// columns tells whether the items of a list with this role may be other columns
// than that of the names. Dolphin and GTK 4 call lists of icons tables, too.
func (v fileWindow) columns(role uint32) bool {
	return role == roleTreeTable || role == roleTable && v.manager != "dolphin" && !v.toolkit.gtk4()
}

// tooLate is the choice of a window that there was not enough time for.
var tooLate = choice{why: lateReason, remedy: moreTime, late: true}

// itemNames are the names of the files that items stand for, by index: their own,
// or where they have none, as in GTK 4, that of an element inside. The walk has
// read most; only those of what is selected are asked for.
func (v fileWindow) itemNames(ctx context.Context, panes []pane, fits func(name string) bool) func(i int) string {
	elements := v.elements(ctx)
	names := map[int]string{}
	var asked []node
	var of []int
	for _, p := range panes {
		for _, i := range p.items {
			e := &elements[i]
			inside := append([]int{i}, e.children...)
			if v.toolkit.gtk4() && len(e.children) > 0 {
				inside = e.children // its own name is that of its class
			}
			at := slices.IndexFunc(inside, func(i int) bool { return fits(elements[i].name) })
			if at >= 0 {
				names[i] = elements[inside[at]].name
			} else if e.states.has(stateSelected) && (e.name == "" || len(e.children) > 0) {
				for _, inner := range inside {
					asked, of = append(asked, elements[inner].node), append(of, i)
				}
			}
		}
	}
	for at, name := range v.labels(ctx, asked) {
		if fits(name) && names[of[at]] == "" {
			names[of[at]] = name
		}
	}
	return func(i int) string { return names[i] }
}

// pane is a list and the items directly in it.
type pane struct {
	list  int // index of an element
	items []int
}

// itemsByPane puts the items of the window together that are in one list.
func (v fileWindow) itemsByPane(elements []visited) []pane {
	var panes []pane
	for i := range elements {
		if !isItem(elements[i].role) || elements[i].parent < 0 || isItem(elements[elements[i].parent].role) {
			continue // GTK 4 has items inside of items
		}
		at := slices.IndexFunc(panes, func(p pane) bool { return p.list == elements[i].parent })
		if at < 0 {
			at = len(panes)
			panes = append(panes, pane{list: elements[i].parent})
		}
		panes[at].items = append(panes[at].items, i)
	}
	return panes
}

// filePane is the list of the files: the one with files of the folder, or where
// that is not known, the one in the largest list. Of several, as in a split
// window, it is the one that has the keyboard; several tells that none has it.
func (v fileWindow) filePane(ctx context.Context, panes []pane, folder string, isFile func(i int) bool) (files pane, several, ok bool) {
	elements := v.elements(ctx)
	within := func(p pane, what func(e *visited) bool) bool {
		for i := p.list; i > 0; i = elements[i].parent {
			if what(&elements[i]) {
				return true
			}
		}
		return false
	}
	main, told := v.mainList(ctx)
	fit := slices.DeleteFunc(slices.Clone(panes), func(p pane) bool {
		if folder != "" {
			return !slices.ContainsFunc(p.items, isFile)
		}
		return !told || !within(p, func(e *visited) bool { return e.node == main.node })
	})
	if several = len(fit) > 1; several {
		fit = slices.DeleteFunc(fit, func(p pane) bool {
			return !within(p, func(e *visited) bool { return e.states.has(stateFocused) })
		})
	}
	if len(fit) != 1 {
		return pane{}, several, false
	}
	return fit[0], false, true
}

// longList finds the list that the walk has cut off.
func (v fileWindow) longList(elements []visited) (visited, bool) {
	for _, e := range elements {
		if e.count > uitree.MaxChildren && (e.role == roleList || e.role == roleTable || e.role == 65 || e.role == roleTreeTable) {
			return e, true
		}
	}
	return visited{}, false
}

// selectedOfMany asks every child of a long list. A part of them would be a
// wrong answer, so it is all or nothing.
func (v fileWindow) selectedOfMany(ctx context.Context, list visited, folder string) choice {
	children, err := v.children(ctx, list.node)
	late := choice{why: "the folder has too many files to look at in time", remedy: moreTime, late: true}
	if err != nil {
		return late
	}
	var chosen []node
	for chunk := range slices.Chunk(children, 512) {
		calls := make([]*dbus.Call, len(chunk))
		for i, n := range chunk {
			calls[i] = v.states(ctx, n)
		}
		for i, call := range calls {
			s, err := statesOf(call)
			if ctx.Err() != nil {
				return late
			}
			if err == nil && s.has(stateSelected) {
				chosen = append(chosen, chunk[i])
			}
		}
	}
	c := choice{known: true}
	for _, name := range v.labels(ctx, chosen[:min(len(chosen), maxNames)]) {
		if (inFolder(folder, name) || folder == "" && name != "") && !slices.Contains(c.names, name) {
			c.names = append(c.names, filepath.Base(name))
		}
	}
	if !v.columns(list.role) {
		c.more = len(chosen) - len(c.names)
	}
	return c
}
