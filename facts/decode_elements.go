package facts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// maxElements bounds the visible elements that are read from a file.
const maxElements = 1_000_000

// maxOdd is how many odd elements are told one by one.
const maxOdd = 100

// decodeElements reads visual.roots; without it there is no tree. One element
// that is not as it should be does not spoil the others; what is beyond the first
// most elements is left out.
func decodeElements(name string, visual Value, most int, parts *Parts) {
	roots := visual.Field("roots")
	switch {
	case roots.IsAbsent():
		return
	case roots.Kind() != Array:
		parts.Absent = map[string]Absence{Visual: {Code: diag.VisualUnavailable, Reason: "`visual.roots` is " + roots.Kind().String() + ", not an array of elements"}}
		return
	}
	n := min(countElements(roots.Items()), most)
	d := elementDecoder{most: most, elements: make([]Element, 0, n), texts: make([]ElementText, 0, n)}
	for i, root := range roots.Items() {
		d.element(root, -1, step{nil, i})
	}
	parts.Tree = NewTreeWithTexts(d.elements, d.texts)
	switch {
	case visual.Field("partial").Bool():
		parts.Tree.MarkPartial("the context says that a part is missing")
	case d.full:
		parts.Tree.MarkPartial(fmt.Sprintf("the context has more than %d elements", most))
	}
	parts.Diagnostics = d.report(name)
}

// countElements is how many there are, so that memory is allocated once.
func countElements(list []Value) int {
	n := len(list)
	for i := range list {
		n += countElements(list[i].Field("children").Items())
	}
	return n
}

type elementDecoder struct {
	elements []Element
	texts    []ElementText
	most     int
	full     bool // there are more than that
	odd      []oddElement
	unnamed  int // odd elements beyond maxOdd
}

// oddElement is one that is not as it should be.
type oddElement struct{ path, problem, hint string }

// step is the way to an element: its index among its siblings, and its parent's.
// The words are made only where a problem is told: to build the path of every
// element would cost the square of the depth.
type step struct {
	parent *step
	index  int
}

// maxPathSteps is how many steps of a path are written on either side.
const maxPathSteps = 32

func (s *step) String() string {
	var way []*step
	for ; s != nil; s = s.parent {
		way = append(way, s)
	}
	slices.Reverse(way)
	b := strings.Builder{}
	b.WriteString("visual.roots")
	for i, s := range way {
		if i >= maxPathSteps && i < len(way)-maxPathSteps {
			if i == maxPathSteps {
				b.WriteString("…")
			}
			continue
		}
		if i > 0 {
			b.WriteString(".children")
		}
		fmt.Fprintf(&b, "[%d]", s.index)
	}
	return b.String()
}

// element reads an element and what is below it.
func (d *elementDecoder) element(v Value, parent int, at step) {
	if len(d.elements) >= d.most {
		d.full = true
		if parent >= 0 {
			d.elements[parent].Cut = true
		}
		return
	}
	if v.Kind() != Object {
		d.tell(&at, "", "is "+v.Kind().String()+"; it was left out", "an element is an object with a `type`, such as Button")
		return
	}
	e := Element{Type: d.elementType(v.Field("type"), &at), Parent: parent}
	e.ID = v.Field("id").Text()
	if name := v.Field("name"); name.Kind() == String {
		e.Name, e.HasName = name.text, true
	}
	if process := v.Field("process"); process.Kind() == String {
		e.Process, e.HasProcess = process.text, true
	}
	for _, s := range v.Field("states").Items() {
		e.States |= ParseState(s.Text())
	}
	e.Bounds, e.HasBounds = decodeBounds(v.Field("bounds"))
	e.Cut = v.Field("cut").Bool()
	text, told := find(v, []string{"text"})
	index := len(d.elements)
	d.elements = append(d.elements, e)
	d.texts = append(d.texts, ElementText{Text: text.Text(), OK: text.Kind() == String, Unread: told && text.IsAbsent()})
	for i, child := range v.Field("children").Items() {
		d.element(child, index, step{&at, i})
	}
}

func (d *elementDecoder) elementType(kind Value, at *step) ElementType {
	if kind.Kind() != String {
		d.tell(at, "", "has no `type`; it counts as `Unknown`", "write one, such as `Button`")
		return UnknownType
	}
	typ, known := ParseElementType(kind.text)
	switch {
	case known:
	case len(d.odd) == maxOdd: // looking for a name that is near takes longer than all the rest
		d.unnamed++
	default:
		d.tell(at, ".type", "is not a known element type; it counts as `Unknown`", diag.DidYouMean(kind.text, elementTypes))
	}
	return typ
}

// decodeBounds reads the parts that are numbers; the others are not known.
func decodeBounds(bounds Value) (b Bounds, any bool) {
	for _, part := range []struct {
		name string
		to   *float64
	}{{"x", &b.X}, {"y", &b.Y}, {"width", &b.Width}, {"height", &b.Height}} {
		*part.to = math.NaN()
		if v := bounds.Field(part.name); v.Kind() == Number {
			*part.to, any = v.Double(), true
		}
	}
	if !any {
		return Bounds{}, false
	}
	return b, true
}

func (d *elementDecoder) tell(at *step, field, problem, hint string) {
	if len(d.odd) == maxOdd {
		d.unnamed++
		return
	}
	d.odd = append(d.odd, oddElement{at.String() + field, problem, hint})
}

// report tells of the odd elements in document order, and how many more there
// are. What the context says does not show.
func (d *elementDecoder) report(name string) diag.List {
	if len(d.odd) == 0 {
		return nil
	}
	source := diag.NewSource(name, "")
	var list diag.List
	for _, o := range d.odd {
		problem := diag.At(source, diag.NoSpan, diag.ContextUnknownType, "`%s` %s", o.path, o.problem)
		problem.Path, problem.Hint = o.path, o.hint
		list.Add(problem)
	}
	if d.unnamed > 0 {
		list.Add(diag.At(source, diag.NoSpan, diag.ContextUnknownType, "%d more elements have no known type", d.unnamed))
	}
	return list
}
