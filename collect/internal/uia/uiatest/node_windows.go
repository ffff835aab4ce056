package uiatest

import "github.com/pertain-dev/pertain/collect/internal/uia/api"

// NewNode is an element with a control type, a name and the elements in it.
func NewNode(control int32, name string, children ...*Node) *Node {
	return &Node{control: control, name: name, Children: children, properties: map[api.Property]any{}}
}

// With gives the element a property.
func (n *Node) With(p api.Property, value any) *Node {
	n.properties[p] = value
	return n
}

// Says gives the element the text pattern, with a text and what is selected in it.
func (n *Node) Says(text string, selected ...string) *Node {
	n.text, n.selected = &text, selected
	return n
}

// Editor is a window with one of everything that matters.
func Editor() *Node {
	return NewNode(50032, "Letter - Editor",
		NewNode(50037, ""),
		NewNode(50010, "Menu", NewNode(50011, "File", NewNode(50011, "hidden")).With(api.PropertyIsOffscreen, true)),
		NewNode(50004, "Text").Says("Dear all", "all").With(api.PropertyHasFocus, true).With(api.PropertyHasValue, true).With(api.PropertyValueReadOnly, false).
			With(api.PropertyBounds, []float64{10, 20, 300, 400}),
		NewNode(50004, "Secret").Says("hunter2").With(api.PropertyIsPassword, true).With(api.PropertyHasValue, true).With(api.PropertyValue, "hunter2"),
		NewNode(50004, "Path").With(api.PropertyHasValue, true).With(api.PropertyValue, `C:\letters`),
		NewNode(50008, "Files",
			NewNode(50007, " a.txt ").With(api.PropertyIsSelected, true),
			NewNode(50007, "b.txt").With(api.PropertyIsEnabled, false)),
		NewNode(50025, "Own", NewNode(50027, "grip"), NewNode(50000, "OK")),
		NewNode(50036, "Grid", NewNode(50029, "row", NewNode(50029, "cell"))),
		NewNode(50014, "Bar", NewNode(50027, "handle")),
		NewNode(50020, "Ready"),
		NewNode(49999, "Odd"),
	).With(api.PropertyBounds, []float64{0, 0, 800, 600})
}
