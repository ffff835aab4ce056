package ax

import "github.com/pertain-dev/pertain/facts"

// roleTypes says which type a role is (AXRoleConstants.h; NSAccessibility's and
// the browsers' own are among them). What stands nowhere is Unknown.
var roleTypes = []struct {
	name  string
	roles []string
}{
	{"Label", []string{"AXStaticText", "AXHeading", "AXListMarker"}},
	{"TextEdit", []string{"AXTextField", "AXTextArea", "AXSecureTextField", "AXSearchField", "AXDateField", "AXTimeField", "AXDateTimeArea"}},
	{"Document", []string{"AXWebArea"}},
	{"Button", []string{"AXButton", "AXMenuButton", "AXDisclosureTriangle", "AXColorWell"}},
	{"Hyperlink", []string{"AXLink"}},
	{"Image", []string{"AXImage"}},
	{"CheckBox", []string{"AXCheckBox"}},
	{"RadioButton", []string{"AXRadioButton"}},
	{"ComboBox", []string{"AXComboBox", "AXPopUpButton"}},
	{"ListView", []string{"AXList", "AXGrid"}},
	{"TreeView", []string{"AXOutline", "AXBrowser"}},
	{"TabControl", []string{"AXTabGroup"}},
	{"Table", []string{"AXTable"}},
	{"TableRow", []string{"AXRow"}},
	{"DataGridItem", []string{"AXCell"}},
	{"Menu", []string{"AXMenu", "AXMenuBar"}},
	{"MenuItem", []string{"AXMenuItem", "AXMenuBarItem"}},
	{"Slider", []string{"AXSlider"}},
	{"ScrollBar", []string{"AXScrollBar"}},
	{"ProgressBar", []string{"AXProgressIndicator", "AXBusyIndicator", "AXLevelIndicator", "AXRelevanceIndicator"}},
	{"Spinner", []string{"AXIncrementor", "AXStepper"}},
	{"ToolBar", []string{"AXToolbar"}},
	{"Splitter", []string{"AXSplitter"}},
	{"Panel", []string{
		"AXGroup", "AXScrollArea", "AXSplitGroup", "AXRadioGroup", "AXLayoutArea", "AXLayoutItem", "AXMatte", "AXRuler",
		"AXSheet", "AXDrawer", "AXPopover", "AXWindow", "AXGenericElement", "AXPage",
	}},
}

// subroleTypes are subroles that mean another type than their role.
var subroleTypes = []struct{ role, subrole, name string }{
	{"AXRadioButton", "AXTabButton", "TabItem"},
	{"AXButton", "AXSortButton", "HeaderItem"},
	{"AXRow", "AXOutlineRow", "TreeViewItem"},
	{"AXGroup", "AXDocument", "Document"},
	{"AXGroup", "AXApplicationStatus", "StatusBar"},
	{"AXGroup", "AXTabPanel", "Panel"},
}

// Types is the tables above by name, and the types that depend on where an
// element is.
type Types struct {
	byRole    map[string]facts.ElementType
	bySubrole map[[2]string]facts.ElementType

	topLevel, label, textEdit, document, image, panel, listView, item, treeView, treeItem,
	table, tableRow, cell, tabControl, tabItem, radio, header, headerItem, button, hyperlink facts.ElementType
}

// NewTypes makes the table of types.
func NewTypes() *Types {
	named := func(name string) facts.ElementType {
		t, _ := facts.ParseElementType(name)
		return t
	}
	k := &Types{
		byRole: map[string]facts.ElementType{}, bySubrole: map[[2]string]facts.ElementType{},
		topLevel: named("TopLevel"), label: named("Label"), textEdit: named("TextEdit"), document: named("Document"), image: named("Image"),
		panel: named("Panel"), listView: named("ListView"), item: named("ListViewItem"), treeView: named("TreeView"), treeItem: named("TreeViewItem"),
		table: named("Table"), tableRow: named("TableRow"), cell: named("DataGridItem"), tabControl: named("TabControl"), tabItem: named("TabItem"),
		radio: named("RadioButton"), header: named("Header"), headerItem: named("HeaderItem"), button: named("Button"), hyperlink: named("Hyperlink"),
	}
	for _, row := range roleTypes {
		for _, role := range row.roles {
			k.byRole[role] = named(row.name)
		}
	}
	for _, row := range subroleTypes {
		k.bySubrole[[2]string{row.role, row.subrole}] = named(row.name)
	}
	return k
}

// typeOf is the type of an element; outer is that of the one it is in. Outside
// of documents a table is how AppKit makes a list with columns.
func (k *Types) typeOf(e *Node, inDocument bool, outer facts.ElementType) facts.ElementType {
	switch {
	case e.parent < 0:
		return k.topLevel
	case e.isHeader:
		return k.header
	}
	kind, ok := k.bySubrole[[2]string{e.role, e.subrole}]
	if !ok {
		kind = k.byRole[e.role]
	}
	switch {
	case kind == k.table && !inDocument:
		return k.listView
	case kind == k.tableRow && outer == k.treeView:
		return k.treeItem
	case kind == k.tableRow && outer == k.listView:
		return k.item
	case kind == k.radio && outer == k.tabControl:
		return k.tabItem
	case kind == k.button && outer == k.header:
		return k.headerItem
	case outer == k.listView && (kind == k.panel || kind == k.cell || kind == k.image && !inDocument):
		return k.item // a view of icons, an item of a page's list
	}
	return kind
}

// secure tells whether an element is one that passwords are typed into.
func (e *Node) secure() bool {
	return e.role == "AXSecureTextField" || e.subrole == "AXSecureTextField" || e.protected
}

// typed tells whether users type into elements with this role.
func (e *Node) typed() bool {
	switch e.role {
	case "AXTextField", "AXTextArea", "AXComboBox", "AXSearchField", "AXSecureTextField":
		return true
	}
	return false
}

// isTab tells whether an element is a tab, which says by its value whether it
// is the selected one.
func (w *Walk) isTab(e *Node) bool {
	return e.role == "AXRadioButton" && (e.subrole == "AXTabButton" || e.parent >= 0 && w.nodes[e.parent].role == "AXTabGroup")
}

// floats tells whether elements with this role may lie outside of the window
// that they belong to.
func (e *Node) floats() bool {
	switch e.role {
	case "AXMenu", "AXSheet", "AXPopover", "AXDrawer":
		return true
	}
	return false
}
