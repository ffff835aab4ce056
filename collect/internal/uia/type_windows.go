package uia

import "github.com/pertain-dev/pertain/facts"

// Control types that mean more than their element type (UIA_…ControlTypeId).
const (
	controlEdit     = 50004
	controlText     = 50020
	controlCustom   = 50025
	controlThumb    = 50027
	controlDataItem = 50029
	controlDocument = 50030
	firstControl    = 50000
)

// controlTypes are the element types of the control types, from 50000 on, in
// their order.
var controlTypes = [...]string{
	"Button", "Table", "CheckBox", "ComboBox", "TextEdit", "Hyperlink", "Image", "ListViewItem", "ListView", "Menu", // Button, Calendar … Menu
	"Menu", "MenuItem", "ProgressBar", "RadioButton", "ScrollBar", "Slider", "Spinner", "StatusBar", "TabControl", "TabItem", // MenuBar … TabItem
	"Label", "ToolBar", "Label", "TreeView", "TreeViewItem", "Unknown", "Panel", "Unknown", "DataGrid", "DataGridItem", // Text, ToolBar, ToolTip … DataItem
	"Document", "Button", "Panel", "Panel", "Header", "HeaderItem", "Table", "Panel", "Splitter", "Panel", // Document, SplitButton … SemanticZoom
	"ToolBar", // AppBar
}

// types are the types that depend on where an element is.
type types struct {
	table                                         [len(controlTypes)]facts.ElementType
	panel, splitter, grid, row, slider, scrollBar facts.ElementType
}

func newTypes() types {
	named := func(name string) facts.ElementType {
		t, _ := facts.ParseElementType(name)
		return t
	}
	s := types{
		panel: named("Panel"), splitter: named("Splitter"), grid: named("Table"), row: named("TableRow"),
		slider: named("Slider"), scrollBar: named("ScrollBar"),
	}
	for i, name := range controlTypes {
		s.table[i] = named(name)
	}
	return s
}

// typeOf is the type of an element; parent is that of the one it is in. Only the
// window itself is a TopLevel. Custom is what programs call their own controls,
// most of which hold others. A thumb is the handle of a scroll bar or slider;
// elsewhere it is what moves a border. Browsers give rows and cells of tables
// the same type.
func (s *types) typeOf(control int32, isTop, hasChildren bool, parent facts.ElementType) facts.ElementType {
	at := int(control) - firstControl
	switch {
	case isTop:
		return facts.TopLevelType
	case at < 0 || at >= len(s.table):
		return facts.UnknownType
	case control == controlCustom && hasChildren:
		return s.panel
	case control == controlThumb && parent != s.slider && parent != s.scrollBar:
		return s.splitter
	case control == controlDataItem && hasChildren && parent == s.grid:
		return s.row
	}
	return s.table[at]
}

// isTyped tells whether a control is one that users type into.
func isTyped(control int32) bool { return control == controlEdit || control == controlDocument }
