package visual

import (
	"context"
	"math"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// Attribute is something that a query can read from an element.
type Attribute uint8

const (
	NoAttribute Attribute = iota
	Name
	Text
	Process
	Selected
	Focused
	Disabled
	ReadOnly
	Offscreen
	Password
	BoundsX
	BoundsY
	BoundsWidth
	BoundsHeight
)

// attributes describes the attributes, in the order of their numbers (docs/reference/visual.md).
var attributes = []struct {
	name  string
	kind  facts.Kind
	state facts.States // of a boolean
	doc   string
}{
	{"", facts.Absent, 0, ""},
	{"name", facts.String, 0, "name of the element"},
	{"text", facts.String, 0, "text content, read only when a query names it"},
	{"process", facts.String, 0, "name of the process that owns the element"},
	{"selected", facts.Bool, facts.Selected, "whether it is selected"},
	{"focused", facts.Bool, facts.Focused, "whether it has the keyboard focus"},
	{"disabled", facts.Bool, facts.Disabled, "whether it is disabled"},
	{"readonly", facts.Bool, facts.ReadOnly, "whether it can be read only"},
	{"offscreen", facts.Bool, facts.Offscreen, "whether it is outside of what is shown"},
	{"password", facts.Bool, facts.Password, "whether it hides what is typed"},
	{"bounds.x", facts.Number, 0, "left edge on the screen, in pixels"},
	{"bounds.y", facts.Number, 0, "upper edge on the screen, in pixels"},
	{"bounds.width", facts.Number, 0, "width in pixels"},
	{"bounds.height", facts.Number, 0, "height in pixels"},
}

// Attributes are all attributes in the order of the documentation.
func Attributes() []Attribute {
	all := make([]Attribute, 0, len(attributes)-1)
	for a := Name; int(a) < len(attributes); a++ {
		all = append(all, a)
	}
	return all
}

// String is the attribute's name, without the @.
func (a Attribute) String() string { return attributes[a].name }

// Kind is facts.String, facts.Bool or facts.Number.
func (a Attribute) Kind() facts.Kind { return attributes[a].kind }

// Doc says in a few words what the attribute is.
func (a Attribute) Doc() string { return attributes[a].doc }

// attributeByName finds an attribute without case; NoAttribute if there is none.
func attributeByName(name string) Attribute {
	for a := Name; int(a) < len(attributes); a++ {
		if strings.EqualFold(attributes[a].name, name) {
			return a
		}
	}
	return NoAttribute
}

func attributeNames() []string {
	var names []string
	for _, a := range Attributes() {
		names = append(names, a.String())
	}
	return names
}

// textOf is a string attribute of an element, but for @text, which is not read
// from the element alone.
func (a Attribute) textOf(e *facts.Element) (text string, ok bool) {
	if a == Process {
		return e.Process, e.HasProcess
	}
	return e.Name, e.HasName
}

// numberOf is a bounds attribute of an element.
func (a Attribute) numberOf(e *facts.Element) (number float64, ok bool) {
	switch a {
	case BoundsX:
		number = e.Bounds.X
	case BoundsY:
		number = e.Bounds.Y
	case BoundsWidth:
		number = e.Bounds.Width
	default:
		number = e.Bounds.Height
	}
	return number, e.HasBounds && !math.IsNaN(number)
}

// Of reads the attribute of an element; the absent Value if it has none. It
// reads the element's text for [Text] only.
func (a Attribute) Of(ctx context.Context, tree *facts.Tree, element int) facts.Value {
	e := tree.At(element)
	switch {
	case a == Text:
		if text, ok := tree.Text(ctx, element); ok {
			return facts.Text(text)
		}
	case a.Kind() == facts.String:
		if text, ok := a.textOf(e); ok {
			return facts.Text(text)
		}
	case a.Kind() == facts.Bool:
		return facts.Flag(e.States&attributes[a].state != 0)
	case a.Kind() == facts.Number:
		if number, ok := a.numberOf(e); ok {
			return facts.Num(number)
		}
	}
	return facts.Value{}
}
