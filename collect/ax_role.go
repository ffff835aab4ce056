package collect

import "github.com/pertain-dev/pertain/facts"

// axTypes says which type a role is (AXRoleConstants.h; NSAccessibility's and
// the browsers' own are among them). What stands nowhere is Unknown.
var axTypes = []struct {
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

// axSubtypes are subroles that mean another type than their role.
var axSubtypes = []struct{ role, subrole, name string }{
	{"AXRadioButton", "AXTabButton", "TabItem"},
	{"AXButton", "AXSortButton", "HeaderItem"},
	{"AXRow", "AXOutlineRow", "TreeViewItem"},
	{"AXGroup", "AXDocument", "Document"},
	{"AXGroup", "AXApplicationStatus", "StatusBar"},
	{"AXGroup", "AXTabPanel", "Panel"},
}

// axKinds is the tables above by name, and the types that depend on where an
// element is.
type axKinds struct {
	byRole    map[string]facts.ElementType
	bySubrole map[[2]string]facts.ElementType

	topLevel, label, textEdit, document, image, panel, listView, item, treeView, treeItem,
	table, tableRow, cell, tabControl, tabItem, radio, header, headerItem, button, hyperlink facts.ElementType
}

func newAXKinds() *axKinds {
	named := func(name string) facts.ElementType {
		t, _ := facts.ParseElementType(name)
		return t
	}
	k := &axKinds{
		byRole: map[string]facts.ElementType{}, bySubrole: map[[2]string]facts.ElementType{},
		topLevel: named("TopLevel"), label: named("Label"), textEdit: named("TextEdit"), document: named("Document"), image: named("Image"),
		panel: named("Panel"), listView: named("ListView"), item: named("ListViewItem"), treeView: named("TreeView"), treeItem: named("TreeViewItem"),
		table: named("Table"), tableRow: named("TableRow"), cell: named("DataGridItem"), tabControl: named("TabControl"), tabItem: named("TabItem"),
		radio: named("RadioButton"), header: named("Header"), headerItem: named("HeaderItem"), button: named("Button"), hyperlink: named("Hyperlink"),
	}
	for _, row := range axTypes {
		for _, role := range row.roles {
			k.byRole[role] = named(row.name)
		}
	}
	for _, row := range axSubtypes {
		k.bySubrole[[2]string{row.role, row.subrole}] = named(row.name)
	}
	return k
}

// typeOf is the type of an element; outer is that of the one it is in. Outside
// of documents a table is how AppKit makes a list with columns.
func (k *axKinds) typeOf(e *axNode, inDocument bool, outer facts.ElementType) facts.ElementType {
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
func (e *axNode) secure() bool {
	return e.role == "AXSecureTextField" || e.subrole == "AXSecureTextField" || e.protected
}

// typed tells whether users type into elements with this role.
func (e *axNode) typed() bool {
	switch e.role {
	case "AXTextField", "AXTextArea", "AXComboBox", "AXSearchField", "AXSecureTextField":
		return true
	}
	return false
}

// isTab tells whether an element is a tab, which says by its value whether it
// is the selected one.
func (w *axWalk) isTab(e *axNode) bool {
	return e.role == "AXRadioButton" && (e.subrole == "AXTabButton" || e.parent >= 0 && w.nodes[e.parent].role == "AXTabGroup")
}

// floats tells whether elements with this role may lie outside of the window
// that they belong to.
func (e *axNode) floats() bool {
	switch e.role {
	case "AXMenu", "AXSheet", "AXPopover", "AXDrawer":
		return true
	}
	return false
}
