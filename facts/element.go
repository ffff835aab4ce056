package facts

import "strings"

// ElementType is a kind of visible element; see [ElementTypes].
type ElementType uint8

// elementTypes are all types, in the order of their numbers (docs/reference/visual.md).
var elementTypes = []string{
	"Unknown", "Label", "TextEdit", "Document", "Button", "Hyperlink", "Image", "CheckBox", "RadioButton", "ComboBox", "ListView",
	"ListViewItem", "TreeView", "TreeViewItem", "DataGrid", "DataGridItem", "TabControl", "TabItem", "Table", "TableRow", "Menu", "MenuItem",
	"Slider", "ScrollBar", "ProgressBar", "Spinner", "ToolBar", "StatusBar", "Header", "HeaderItem", "Splitter", "Panel", "TopLevel", "Screen",
}

// Some types have a meaning of their own in queries.
const (
	UnknownType  ElementType = 0
	TopLevelType ElementType = 32
	ScreenType   ElementType = 33
)

// ElementTypes are the names of all types; a type's number is its index here.
func ElementTypes() []string { return append([]string(nil), elementTypes...) }

// ParseElementType finds a type by its name, without case.
func ParseElementType(name string) (ElementType, bool) {
	for i, t := range elementTypes {
		if strings.EqualFold(t, name) {
			return ElementType(i), true
		}
	}
	return UnknownType, false
}

// String is the type's name.
func (t ElementType) String() string {
	if int(t) < len(elementTypes) {
		return elementTypes[t]
	}
	return elementTypes[UnknownType]
}

// States is the set of an element's states.
type States uint8

const (
	Focused States = 1 << iota
	Selected
	Disabled
	ReadOnly
	Offscreen
	Password
)

// stateNames are the states in the order of their bits.
var stateNames = []string{"focused", "selected", "disabled", "readonly", "offscreen", "password"}

// ParseState finds a state by its name, without case; 0 if there is none.
func ParseState(name string) States {
	for i, s := range stateNames {
		if strings.EqualFold(s, name) {
			return 1 << i
		}
	}
	return 0
}

// Names are the states in the set, in a fixed order.
func (s States) Names() []string {
	var out []string
	for i, name := range stateNames {
		if s&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// Bounds is an element's rectangle in pixels of the screen. A part that is not
// known is NaN.
type Bounds struct{ X, Y, Width, Height float64 }

// Element is one visible element. Elements of a [Tree] stand in document order:
// a parent before its children, so that the subtree of element i is i to End-1.
type Element struct {
	ID         string
	Type       ElementType
	Name       string
	HasName    bool // an element without a name has no @name, not an empty one
	Process    string
	HasProcess bool // Process counts though it is empty; [NewTree] sets it where Process is not
	States     States
	Bounds     Bounds
	HasBounds  bool // at least a part of Bounds is known
	Cut        bool // not all of its children were read; see [Tree.MarkPartial]
	Parent     int  // index of the parent, -1 for a root
	End        int  // index after the last element of the subtree
}

// MaxText is how many code points of an element's text are read (docs/reference/paths.md).
const MaxText = 65_536
