package atspi

import "github.com/pertain-dev/pertain/facts"

// Roles of elements (AtspiRole), by the numbers that they have on the bus.
const (
	RoleAcceleratorLabel     = 1
	RoleAlert                = 2
	RoleAnimation            = 3
	RoleArrow                = 4
	RoleCheckBox             = 7
	RoleCheckMenuItem        = 8
	RoleColumnHeader         = 10
	RoleComboBox             = 11
	RoleDateEditor           = 12
	RoleDesktopIcon          = 13
	RoleDesktopFrame         = 14
	RoleDial                 = 15
	RoleDialog               = 16
	RoleDirectoryPane        = 17
	RoleDrawingArea          = 18
	RoleFileChooser          = 19
	RoleFiller               = 20
	RoleFrame                = 23
	RoleGlassPane            = 24
	RoleHTMLContainer        = 25
	RoleIcon                 = 26
	RoleImage                = 27
	RoleInternalFrame        = 28
	RoleLabel                = 29
	RoleLayeredPane          = 30
	RoleList                 = 31
	RoleListItem             = 32
	RoleMenu                 = 33
	RoleMenuBar              = 34
	RoleMenuItem             = 35
	RoleOptionPane           = 36
	RolePageTab              = 37
	RolePageTabList          = 38
	RolePanel                = 39
	RolePasswordText         = 40
	RolePopupMenu            = 41
	RoleProgressBar          = 42
	RolePushButton           = 43
	RoleRadioButton          = 44
	RoleRadioMenuItem        = 45
	RoleRootPane             = 46
	RoleRowHeader            = 47
	RoleScrollBar            = 48
	RoleScrollPane           = 49
	RoleSeparator            = 50
	RoleSlider               = 51
	RoleSpinButton           = 52
	RoleSplitPane            = 53
	RoleStatusBar            = 54
	RoleTable                = 55
	RoleTableCell            = 56
	RoleTableColumnHeader    = 57
	RoleTableRowHeader       = 58
	RoleTearoffMenuItem      = 59
	RoleTerminal             = 60
	RoleText                 = 61
	RoleToggleButton         = 62
	RoleToolBar              = 63
	RoleTree                 = 65
	RoleTreeTable            = 66
	RoleViewport             = 68
	RoleWindow               = 69
	RoleHeader               = 71
	RoleFooter               = 72
	RoleParagraph            = 73
	RoleAutocomplete         = 76
	RoleEditbar              = 77
	RoleEmbedded             = 78
	RoleEntry                = 79
	RoleChart                = 80
	RoleCaption              = 81
	RoleDocumentFrame        = 82
	RoleHeading              = 83
	RolePage                 = 84
	RoleSection              = 85
	RoleForm                 = 87
	RoleLink                 = 88
	RoleTableRow             = 90
	RoleTreeItem             = 91
	RoleDocumentSpreadsheet  = 92
	RoleDocumentPresentation = 93
	RoleDocumentText         = 94
	RoleDocumentWeb          = 95
	RoleDocumentEmail        = 96
	RoleComment              = 97
	RoleListBox              = 98
	RoleGrouping             = 99
	RoleImageMap             = 100
	RoleNotification         = 101
	RoleInfoBar              = 102
	RoleLevelBar             = 103
	RoleTitleBar             = 104
	RoleBlockQuote           = 105
	RoleDefinition           = 108
	RoleArticle              = 109
	RoleLandmark             = 110
	RoleLog                  = 111
	RoleMarquee              = 112
	RoleStatic               = 116
	RoleDescriptionList      = 121
	RoleDescriptionTerm      = 122
	RoleDescriptionValue     = 123
	RolePushButtonMenu       = 129
)

// roleTypes says which type a role is. What stands nowhere is Unknown.
var roleTypes = []struct {
	name  string
	roles []uint32
}{
	{"Label", []uint32{RoleAcceleratorLabel, RoleLabel, RoleParagraph, RoleCaption, RoleHeading, RoleStatic, RoleDescriptionTerm, RoleDescriptionValue}},
	{"TextEdit", []uint32{RoleDateEditor, RolePasswordText, RoleTerminal, RoleText, RoleAutocomplete, RoleEditbar, RoleEntry}},
	{"Document", []uint32{RoleHTMLContainer, RoleDocumentFrame, RoleDocumentSpreadsheet, RoleDocumentPresentation, RoleDocumentText, RoleDocumentWeb, RoleDocumentEmail}},
	{"Button", []uint32{RoleArrow, RolePushButton, RoleToggleButton, RolePushButtonMenu}},
	{"Hyperlink", []uint32{RoleLink}},
	{"Image", []uint32{RoleAnimation, RoleIcon, RoleImage, RoleChart, RoleImageMap}},
	{"CheckBox", []uint32{RoleCheckBox}},
	{"RadioButton", []uint32{RoleRadioButton}},
	{"ComboBox", []uint32{RoleComboBox}},
	{"ListView", []uint32{RoleDirectoryPane, RoleList, RoleListBox, RoleDescriptionList}},
	{"ListViewItem", []uint32{RoleDesktopIcon, RoleListItem}},
	{"TreeView", []uint32{RoleTree, RoleTreeTable}},
	{"TreeViewItem", []uint32{RoleTreeItem}},
	{"TabControl", []uint32{RolePageTabList}},
	{"TabItem", []uint32{RolePageTab}},
	{"Table", []uint32{RoleTable}},
	{"TableRow", []uint32{RoleTableRow}},
	{"DataGridItem", []uint32{RoleTableCell}},
	{"Menu", []uint32{RoleMenu, RoleMenuBar, RolePopupMenu}},
	{"MenuItem", []uint32{RoleCheckMenuItem, RoleMenuItem, RoleRadioMenuItem, RoleTearoffMenuItem}},
	{"Slider", []uint32{RoleDial, RoleSlider}},
	{"ScrollBar", []uint32{RoleScrollBar}},
	{"ProgressBar", []uint32{RoleProgressBar, RoleLevelBar}},
	{"Spinner", []uint32{RoleSpinButton}},
	{"ToolBar", []uint32{RoleToolBar}},
	{"StatusBar", []uint32{RoleStatusBar}},
	{"Header", []uint32{RoleHeader}},
	{"HeaderItem", []uint32{RoleColumnHeader, RoleRowHeader, RoleTableColumnHeader, RoleTableRowHeader}},
	{"Splitter", []uint32{RoleSeparator}},
	{"Panel", []uint32{
		RoleAlert, RoleDialog, RoleDrawingArea, RoleFileChooser, RoleFiller, RoleFrame, RoleGlassPane, RoleInternalFrame, RoleLayeredPane, RoleOptionPane, RolePanel, RoleRootPane, RoleScrollPane, RoleSplitPane, RoleViewport, RoleWindow, RoleFooter, RoleEmbedded, RolePage, RoleSection, RoleForm, RoleComment, RoleGrouping, RoleNotification, RoleInfoBar, RoleTitleBar, RoleBlockQuote, RoleDefinition, RoleArticle, RoleLandmark, RoleLog, RoleMarquee,
	}},
	{"Screen", []uint32{RoleDesktopFrame}},
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

// Types are the types that depend on where an element is.
type Types struct {
	table                                                     *typesByRole
	topLevel, listView, item, cell, doc, label, image, header facts.ElementType
	typed, panel                                              facts.ElementType
}

// NewTypes makes the table of types.
func NewTypes() Types {
	named := func(name string) facts.ElementType {
		t, _ := facts.ParseElementType(name)
		return t
	}
	return Types{
		table: newTypesByRole(), topLevel: named("TopLevel"), listView: named("ListView"), item: named("ListViewItem"),
		cell: named("DataGridItem"), doc: named("Document"), label: named("Label"), image: named("Image"), header: named("HeaderItem"), typed: named("TextEdit"), panel: named("Panel"),
	}
}

// maybeTyped tells whether an element that says that it can be edited is one that is typed
// into, whatever its role: a paragraph of a word processor, a part of a page. Those that
// are only a piece of the text in one are not.
func (p Types) maybeTyped(role uint32, kind facts.ElementType) bool {
	return role != RoleStatic && (kind == p.label || kind == p.panel || kind == facts.UnknownType)
}

// typeOf is the type of an element; parent is that of the one it is in. Only a
// window that is its application's child is a TopLevel, whatever else calls
// itself a frame. Outside of documents, tables and panes of icons are how
// toolkits make lists.
func (p Types) typeOf(role uint32, isTop, inDocument bool, parent facts.ElementType) facts.ElementType {
	if isTop {
		return p.topLevel
	}
	if !inDocument {
		switch {
		case role == RoleTable || role == RoleLayeredPane:
			return p.listView
		case role == RoleTableCell, role == RoleIcon && parent == p.listView:
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
func (p Types) rows(elements []facts.Element) {
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

// IsText tells whether a role is one that users type into.
func IsText(role uint32) bool {
	switch role {
	case RoleText, RoleEntry, RolePasswordText, RoleTerminal, RoleAutocomplete, RoleEditbar, RoleDateEditor:
		return true
	}
	return false
}

// statesFor translates the states of an element.
func statesFor(role uint32, s States, hidesShowing bool) facts.States {
	var out facts.States
	set := func(when bool, state facts.States) {
		if when {
			out |= state
		}
	}
	set(s.Has(StateFocused), facts.Focused)
	set(s.Has(StateSelected), facts.Selected)
	set(!s.Has(StateSensitive), facts.Disabled)
	set(s.Has(StateReadOnly) || IsText(role) && !s.Has(StateEditable), facts.ReadOnly)
	set(!s.Has(StateShowing) && !hidesShowing, facts.Offscreen)
	set(role == RolePasswordText, facts.Password)
	return out
}
