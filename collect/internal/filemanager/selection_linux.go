package filemanager

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

// maxNames is how many names of selected files are read at most; of more, the
// number alone is told. They are read in rows of namesAtOnce calls, while more
// than namesReserve of the time limit is left.
const (
	maxNames     = 500
	namesAtOnce  = 32
	namesReserve = 80 * time.Millisecond
)

// selected reads what is selected. Three ways lead there, the fastest first:
// the list that has the keyboard tells its selection; so does any list that
// shows; and where a toolkit knows neither call, every element is asked.
func (v fileWindow) selected(ctx context.Context, folder string) selection {
	if v.asksLists() {
		return v.selectedInLists(ctx, folder)
	}
	return v.selectedElements(ctx, folder)
}

func (v fileWindow) selectedInLists(ctx context.Context, folder string) selection {
	elements := v.elements(ctx)
	var shown []atspi.Element
	for _, e := range elements {
		if slices.Contains(listRoles, e.Role) && e.States.Has(atspi.StateShowing) {
			shown = append(shown, e)
		}
	}
	// The list with the keyboard first, then the largest: it is that of the files.
	slices.SortStableFunc(shown, func(a, b atspi.Element) int {
		rank := func(e atspi.Element) float64 {
			if e.States.Has(atspi.StateFocused) {
				return -1e12
			}
			return -e.Bounds.Width * e.Bounds.Height
		}
		return cmp.Compare(rank(a), rank(b))
	})
	if folder == "" { // no file tells which list is theirs
		shown = nil
		if list, ok := v.mainList(ctx); ok {
			shown = append(shown, list)
		}
	}
	lists := v.askedLists(ctx, shown)
	marks, _ := v.selectionMarks(ctx, lists)
	c := v.selectedInEach(ctx, lists, folder)
	c.lists, c.marks = lists, marks
	return c
}

// selectedInEach asks lists in their order until one has the answer.
func (v fileWindow) selectedInEach(ctx context.Context, lists []askedList, folder string) selection {
	known := false
	for _, list := range lists {
		c := v.selectedIn(ctx, list, folder)
		if ctx.Err() != nil {
			return tooLate
		}
		c.late = c.more > 0 && short(ctx)
		if c.known && (len(c.names) > 0 || folder == "") {
			return c
		}
		// The side bar has a selection of its own, of
		// which nothing is in the folder; it says nothing about the files.
		if !c.known || !v.showsFiles(ctx, list.Node, folder) {
			continue
		}
		if c.more > 0 {
			return c // how many are selected is known, and their names are not
		}
		known = true
	}
	if ctx.Err() == nil && known {
		return selection{known: true}
	}
	if c, ok := v.statusName(ctx, folder); ok {
		return c
	}
	if ctx.Err() != nil || v.seen.left == atspi.LeftForTime {
		return tooLate
	}
	return selection{why: untold, remedy: v.listRemedy(ctx)}
}

// selectedIn asks a list which of its children or rows are selected.
func (v fileWindow) selectedIn(ctx context.Context, asked askedList, folder string) selection {
	list, c := asked.Node, selection{}
	if asked.table {
		rowsCall, columnsCall := v.Start(ctx, list, atspi.Prefix+"Table.GetSelectedRows"), v.Property(ctx, list, "Table", "NColumns")
		rows, err := atspi.Result[[]int32](rowsCall)
		columns, noColumns := atspi.Variant[int32](columnsCall)
		c.known = err == nil && noColumns == nil
		if c.known && len(rows) > 0 {
			return v.selectedRows(ctx, list, rows, columns, folder)
		}
	}
	if !asked.selection {
		return c
	}
	count, err := atspi.Variant[int32](v.Property(ctx, list, "Selection", "NSelectedChildren"))
	if err != nil {
		return c
	}
	c.known = true
	for from := int32(0); from < min(count, maxNames) && !short(ctx); from += namesAtOnce {
		var calls []*dbus.Call
		for i := from; i < min(count, from+namesAtOnce); i++ {
			calls = append(calls, v.Start(ctx, list, atspi.Prefix+"Selection.GetSelectedChild", i))
		}
		var items []atspi.Node
		for _, call := range calls {
			if n, err := atspi.Result[atspi.Node](call); err == nil && !n.None() {
				items = append(items, n)
			}
		}
		for _, name := range v.labels(ctx, items) {
			if folder == "" || inFolder(folder, name) {
				c.names = append(c.names, name)
			}
		}
		if len(c.names) == 0 {
			break // not the list of files
		}
	}
	c.more = max(0, int(count)-len(c.names))
	return c
}

// selectedRows reads the names in the selected rows of a table. Which column has
// them, the first row tells: the one whose text is a file of the folder.
func (v fileWindow) selectedRows(ctx context.Context, list atspi.Node, rows []int32, columns int32, folder string) selection {
	cells := func(rows []int32, columns ...int32) []string {
		var calls []*dbus.Call
		for _, row := range rows {
			for _, column := range columns {
				calls = append(calls, v.Start(ctx, list, atspi.Prefix+"Table.GetAccessibleAt", row, column))
			}
		}
		nodes := make([]atspi.Node, len(calls))
		for i, call := range calls {
			nodes[i], _ = atspi.Result[atspi.Node](call)
		}
		return v.labels(ctx, nodes)
	}
	all := make([]int32, min(columns, 16))
	for i := range all {
		all[i] = int32(i)
	}
	first := cells(rows[:1], all...)
	c := selection{known: true, more: len(rows)}
	column := slices.IndexFunc(first, func(name string) bool { return inFolder(folder, name) || folder == "" && name != "" })
	if column < 0 {
		return c
	}
	for chunk := range slices.Chunk(rows[:min(len(rows), maxNames)], namesAtOnce) {
		if short(ctx) {
			break
		}
		for _, name := range cells(chunk, int32(column)) {
			if name != "" && (folder == "" || inFolder(folder, name)) {
				c.names = append(c.names, name)
				c.more--
			}
		}
	}
	return c
}

// short tells that it is time to answer with what there is.
func short(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) < namesReserve
}

// labels are the names of elements; where an element has none, its text; where
// it has none either, as cells with an icon beside a name, that of a child.
func (v fileWindow) labels(ctx context.Context, nodes []atspi.Node) []string {
	out := make([]string, len(nodes))
	// step asks all that have no label yet, and then takes the answers.
	step := func(ask func(n atspi.Node) *dbus.Call, take func(i int, call *dbus.Call)) {
		calls := make([]*dbus.Call, len(nodes))
		for i, n := range nodes {
			if !n.None() && out[i] == "" {
				calls[i] = ask(n)
			}
		}
		for i, call := range calls {
			if call != nil {
				take(i, call)
			}
		}
	}
	step(func(n atspi.Node) *dbus.Call { return v.Name(ctx, n) }, func(i int, call *dbus.Call) { out[i] = atspi.ValidText(atspi.Variant[string](call)) })
	texts := make(map[atspi.Node]bool)
	step(func(n atspi.Node) *dbus.Call { return v.Interfaces(ctx, n) }, func(i int, call *dbus.Call) { texts[nodes[i]] = atspi.HasText(call) })
	step(func(n atspi.Node) *dbus.Call {
		if !texts[n] {
			return nil
		}
		return v.Start(ctx, n, atspi.Prefix+"Text.GetText", int32(0), int32(1024))
	}, func(i int, call *dbus.Call) { out[i] = atspi.ValidText(atspi.Result[string](call)) })
	inner := make([]*dbus.Call, len(nodes))
	step(func(n atspi.Node) *dbus.Call { return v.Start(ctx, n, atspi.Prefix+"Accessible.GetChildren") }, func(i int, call *dbus.Call) { inner[i] = call })
	for i, call := range inner {
		if call == nil {
			continue
		}
		if children, err := atspi.Result[[]atspi.Node](call); err == nil && len(children) > 0 && len(children) <= 4 {
			for _, name := range v.labels(ctx, children) {
				out[i] = cmp.Or(out[i], name)
			}
		}
	}
	return out
}

// showsFiles tells whether a list is that of the folder's files: one of its
// first children is in the folder, or the folder is empty.
func (v fileWindow) showsFiles(ctx context.Context, list atspi.Node, folder string) bool {
	if folder == "" {
		return false
	}
	if entries, err := readSome(folder); err == nil && entries == 0 {
		return true
	}
	var calls []*dbus.Call
	for i := range int32(24) {
		calls = append(calls, v.Start(ctx, list, atspi.Prefix+"Accessible.GetChildAtIndex", i))
	}
	var nodes []atspi.Node
	for _, call := range calls {
		if n, err := atspi.Result[atspi.Node](call); err == nil && !n.None() {
			nodes = append(nodes, n)
		}
	}
	return slices.ContainsFunc(v.labels(ctx, nodes), func(name string) bool { return inFolder(folder, name) })
}

// readSome counts the first visible entries of a folder.
func readSome(folder string) (int, error) {
	f, err := os.Open(folder)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	names, _ := f.Readdirnames(64)
	n := 0
	for _, name := range names {
		if !strings.HasPrefix(name, ".") {
			n++
		}
	}
	return n, nil
}
