package collect

import "github.com/pertain-dev/pertain/facts"

// Roles that mean more than their type (AtspiRole).
const (
	roleIcon        = 26
	roleLayeredPane = 30
	roleList        = 31
	roleListItem    = 32
	roleMenuBar     = 34
	rolePassword    = 40
	rolePushButton  = 43
	roleTable       = 55
	roleTableCell   = 56
	roleText        = 61
	roleToggle      = 62
	roleTreeTable   = 66
	roleTableRow    = 90
	roleDocumentWeb = 95
	roleStatic      = 116
	roleCheckBox    = 7
	roleEntry       = 79
)

// roleTypes says which type a role is. What stands nowhere is Unknown.
var roleTypes = []struct {
	name  string
	roles []uint32
}{
	{"Label", []uint32{1, 29, 73, 81, 83, roleStatic, 122, 123}},
	{"TextEdit", []uint32{12, rolePassword, 60, roleText, 76, 77, roleEntry}},
	{"Document", []uint32{25, 82, 92, 93, 94, roleDocumentWeb, 96}},
	{"Button", []uint32{4, rolePushButton, roleToggle, 129}},
	{"Hyperlink", []uint32{88}},
	{"Image", []uint32{3, roleIcon, 27, 80, 100}},
	{"CheckBox", []uint32{roleCheckBox}},
	{"RadioButton", []uint32{44}},
	{"ComboBox", []uint32{11}},
	{"ListView", []uint32{17, roleList, 98, 121}},
	{"ListViewItem", []uint32{13, roleListItem}},
	{"TreeView", []uint32{65, roleTreeTable}},
	{"TreeViewItem", []uint32{91}},
	{"TabControl", []uint32{38}},
	{"TabItem", []uint32{37}},
	{"Table", []uint32{roleTable}},
	{"TableRow", []uint32{roleTableRow}},
	{"DataGridItem", []uint32{roleTableCell}},
	{"Menu", []uint32{33, 34, 41}},
	{"MenuItem", []uint32{8, 35, 45, 59}},
	{"Slider", []uint32{15, 51}},
	{"ScrollBar", []uint32{48}},
	{"ProgressBar", []uint32{42, 103}},
	{"Spinner", []uint32{52}},
	{"ToolBar", []uint32{63}},
	{"StatusBar", []uint32{54}},
	{"Header", []uint32{71}},
	{"HeaderItem", []uint32{10, 47, 57, 58}},
	{"Splitter", []uint32{50}},
	{"Panel", []uint32{
		2, 16, 18, 19, 20, 23, 24, 28, roleLayeredPane, 36, 39, 46, 49, 53, 68, 69, 72, 78, 84, 85, 87, 97, 99, 101, 102, 104, 105, 108, 109, 110, 111, 112,
	}},
	{"Screen", []uint32{14}},
}

// typesByRole is roleTypes by number.
type typesByRole [131]facts.ElementType

func newTypesByRole() *typesByRole {
	var table typesByRole
	for _, row := range roleTypes {
		t, _ := facts.ParseElementType(row.name)
		for _, role := range row.roles {
			table[role] = t
		}
	}
	return &table
}

// places are the types that depend on where an element is.
type places struct {
	table                                                     *typesByRole
	topLevel, listView, item, cell, doc, label, image, header facts.ElementType
}

func newPlaces() places {
	named := func(name string) facts.ElementType {
		t, _ := facts.ParseElementType(name)
		return t
	}
	return places{
		table: newTypesByRole(), topLevel: named("TopLevel"), listView: named("ListView"), item: named("ListViewItem"),
		cell: named("DataGridItem"), doc: named("Document"), label: named("Label"), image: named("Image"), header: named("HeaderItem"),
	}
}

// typeOf is the type of an element; parent is that of the one it is in. Only a
// window that is its application's child is a TopLevel, whatever else calls
// itself a frame. Outside of documents, tables and panes of icons are how
// toolkits make lists.
func (p places) typeOf(role uint32, isTop, inDocument bool, parent facts.ElementType) facts.ElementType {
	if isTop {
		return p.topLevel
	}
	if !inDocument {
		switch {
		case role == roleTable || role == roleLayeredPane:
			return p.listView
		case role == roleTableCell, role == roleIcon && parent == p.listView:
			return p.item
		}
	}
	if int(role) >= len(p.table) {
		return facts.UnknownType
	}
	return p.table[role]
}

// rows makes one item of each row: toolkits give every column of a list as a
// cell, and cells with an icon as cells in a cell. The first column is the item,
// and it has the name. Lists without column headers are left alone: icons stand
// in rows, too. Elements are in document order.
func (p places) rows(elements []facts.Element) {
	last := map[int]int{}    // list → its last item
	headed := map[int]bool{} // lists with columns
	for i := range elements {
		e := &elements[i]
		if e.Type == p.header {
			headed[e.Parent] = true
		}
		if e.Type != p.item || e.Parent < 0 {
			continue
		}
		if outer := &elements[e.Parent]; outer.Type == p.item || outer.Type == p.cell {
			e.Type = p.image
			if e.HasName {
				e.Type = p.label
				if !outer.HasName {
					outer.Name, outer.HasName = e.Name, true
				}
			}
			continue
		}
		if before, ok := last[e.Parent]; ok && headed[e.Parent] && sameRow(&elements[before], e) {
			e.Type = p.cell
			continue
		}
		last[e.Parent] = i
	}
}

// sameRow tells whether a cell continues the row of another.
func sameRow(first, e *facts.Element) bool {
	a, b := first.Bounds, e.Bounds
	return first.HasBounds && e.HasBounds && a.Y == b.Y && a.Height == b.Height && b.X > a.X
}

// isText tells whether a role is one that users type into.
func isText(role uint32) bool {
	switch role {
	case roleText, roleEntry, rolePassword, 60, 76, 77, 12:
		return true
	}
	return false
}

// statesFor translates the states of an element.
func statesFor(role uint32, s states, hidesShowing bool) facts.States {
	var out facts.States
	set := func(when bool, state facts.States) {
		if when {
			out |= state
		}
	}
	set(s.has(stateFocused), facts.Focused)
	set(s.has(stateSelected), facts.Selected)
	set(!s.has(stateSensitive), facts.Disabled)
	set(s.has(stateReadOnly) || isText(role) && !s.has(stateEditable), facts.ReadOnly)
	set(!s.has(stateShowing) && !hidesShowing, facts.Offscreen)
	set(role == rolePassword, facts.Password)
	return out
}
