package filemanager

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
)

// selectedElements goes through everything that shows, for Qt and GTK 4. A part of
// the selection would be a wrong answer, so it is all or nothing.
func (v fileWindow) selectedElements(ctx context.Context, folder string) selection {
	elements := v.elements(ctx)
	if v.seen.left == atspi.LeftForTime {
		return tooLate
	}
	if long, ok := v.longList(elements); ok {
		return v.selectedOfMany(ctx, long, folder)
	}
	c := selection{why: untold, remedy: remedyFor(v.manager)}
	if v.seen.left != "" {
		c.why, c.remedy = v.seen.left, ""
		return c
	}
	panes := v.itemsByPane(elements)
	for _, pane := range panes {
		c.panes = append(c.panes, cell{Node: elements[pane.list].Node, count: elements[pane.list].Count})
		for _, i := range pane.items {
			c.cells = append(c.cells, cell{Node: elements[i].Node, selected: elements[i].States.Has(atspi.StateSelected)})
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
	table := v.columns(elements[pane.list].Role)
	if table && folder == "" {
		c.remedy = "switch to the view with icons" // nothing tells which of its columns has the names
		return c
	}
	for _, i := range pane.items {
		if !elements[i].States.Has(atspi.StateSelected) {
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
	return role == atspi.RoleTreeTable || role == atspi.RoleTable && v.manager != "dolphin" && v.manager != "konqueror" && !v.Toolkit.IsGTK4()
}

// tooLate is the choice of a window that there was not enough time for.
var tooLate = selection{why: lateReason, remedy: moreTime, late: true}

// itemNames are the names of the files that items stand for, by index: their own,
// or where they have none, as in GTK 4, that of an element inside. The walk has
// read most; only those of what is selected are asked for.
func (v fileWindow) itemNames(ctx context.Context, panes []pane, fits func(name string) bool) func(i int) string {
	elements := v.elements(ctx)
	names := map[int]string{}
	var asked []atspi.Node
	var of []int
	for _, p := range panes {
		for _, i := range p.items {
			e := &elements[i]
			inside := append([]int{i}, e.Children...)
			if v.Toolkit.IsGTK4() && len(e.Children) > 0 {
				inside = e.Children // its own name is that of its class
			}
			at := slices.IndexFunc(inside, func(i int) bool { return fits(elements[i].Name) })
			if at >= 0 {
				names[i] = elements[inside[at]].Name
			} else if e.States.Has(atspi.StateSelected) && (e.Name == "" || len(e.Children) > 0) {
				for _, inner := range inside {
					asked, of = append(asked, elements[inner].Node), append(of, i)
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
func (v fileWindow) itemsByPane(elements []atspi.Element) []pane {
	var panes []pane
	for i := range elements {
		if !isItem(elements[i].Role) || elements[i].Parent < 0 || isItem(elements[elements[i].Parent].Role) {
			continue // GTK 4 has items inside of items
		}
		at := slices.IndexFunc(panes, func(p pane) bool { return p.list == elements[i].Parent })
		if at < 0 {
			at = len(panes)
			panes = append(panes, pane{list: elements[i].Parent})
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
	within := func(p pane, what func(e *atspi.Element) bool) bool {
		for i := p.list; i > 0; i = elements[i].Parent {
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
		return !told || !within(p, func(e *atspi.Element) bool { return e.Node == main.Node })
	})
	if several = len(fit) > 1; several {
		fit = slices.DeleteFunc(fit, func(p pane) bool {
			return !within(p, func(e *atspi.Element) bool { return e.States.Has(atspi.StateFocused) })
		})
	}
	if len(fit) != 1 {
		return pane{}, several, false
	}
	return fit[0], false, true
}

// longList finds the list that the walk has cut off.
func (v fileWindow) longList(elements []atspi.Element) (atspi.Element, bool) {
	for _, e := range elements {
		if e.Count > uitree.MaxChildren && (e.Role == atspi.RoleList || e.Role == atspi.RoleTable || e.Role == atspi.RoleTree || e.Role == atspi.RoleTreeTable) {
			return e, true
		}
	}
	return atspi.Element{}, false
}

// selectedOfMany asks every child of a long list. A part of them would be a
// wrong answer, so it is all or nothing.
func (v fileWindow) selectedOfMany(ctx context.Context, list atspi.Element, folder string) selection {
	children, err := v.Children(ctx, list.Node)
	late := selection{why: "the folder has too many files to look at in time", remedy: moreTime, late: true}
	if err != nil {
		return late
	}
	var chosen []atspi.Node
	for chunk := range slices.Chunk(children, 512) {
		calls := make([]*dbus.Call, len(chunk))
		for i, n := range chunk {
			calls[i] = v.States(ctx, n)
		}
		for i, call := range calls {
			s, err := atspi.StatesOf(call)
			if ctx.Err() != nil {
				return late
			}
			if err == nil && s.Has(atspi.StateSelected) {
				chosen = append(chosen, chunk[i])
			}
		}
	}
	c := selection{known: true}
	for _, name := range v.labels(ctx, chosen[:min(len(chosen), maxNames)]) {
		if (inFolder(folder, name) || folder == "" && name != "") && !slices.Contains(c.names, name) {
			c.names = append(c.names, filepath.Base(name))
		}
	}
	if !v.columns(list.Role) {
		c.more = len(chosen) - len(c.names)
	}
	return c
}
