package ax

import (
	"slices"
	"strings"
	"time"
)

// Answer is the values of a list of attributes. The elements in it belong to
// it until they are taken; close releases the others.
type Answer struct {
	system     System
	attributes []Attribute
	values     []Value
}

// Value is a value of another application, copied into memory of our own but
// for elements, which are owned.
type Value struct {
	kind     Kind
	text     string
	a, b     float64 // a number; or the two of a point, a size or a range
	flag     bool
	elements []Ref
	more     bool // there are more elements than were read
}

// Read reads a list of attributes. Of texts at most units UTF-16 units are
// copied, of arrays at most MaxChildren elements.
func Read(s System, element Ref, list List, units int, limit time.Duration) (Answer, Status) {
	answer := Answer{system: s, attributes: list.Attributes()}
	array, status := s.CopyAttributes(element, list, limit)
	if status != StatusSuccess || array == 0 {
		if status == StatusSuccess {
			status = StatusNoValue
		}
		return answer, status
	}
	defer s.Release(array)
	if s.Kind(array) != KindArray {
		return answer, StatusNoValue
	}
	answer.values = make([]Value, min(s.Count(array), len(answer.attributes)))
	for i := range answer.values {
		answer.values[i] = Decode(s, s.Item(array, i), units)
	}
	return answer, StatusSuccess
}

// Decode copies a value; elements get an owner more.
func Decode(s System, value Ref, units int) Value {
	if value == 0 {
		return Value{}
	}
	v := Value{kind: s.Kind(value)}
	switch v.kind {
	case KindText:
		v.text = s.Text(value, units)
	case KindNumber:
		v.a = s.Number(value)
	case KindFlag:
		v.flag = s.Flag(value)
	case KindPoint, KindSize, KindRange:
		v.a, v.b = s.Pair(value)
	case KindElement:
		s.Retain(value)
		v.elements = []Ref{value}
	case KindArray:
		v.elements, v.more = Elements(s, value, MaxChildren)
	}
	return v
}

// Elements takes the first elements of an array; each has an owner more.
func Elements(s System, array Ref, most int) (elements []Ref, more bool) {
	n := s.Count(array)
	for i := range min(n, most) {
		if item := s.Item(array, i); item != 0 && s.Kind(item) == KindElement {
			s.Retain(item)
			elements = append(elements, item)
		}
	}
	return elements, n > most
}

func (a *Answer) at(name Attribute) *Value {
	if i := slices.Index(a.attributes, name); i >= 0 && i < len(a.values) {
		return &a.values[i]
	}
	return &Value{}
}

// text is a text without the space around it; "" if there is none.
func (a *Answer) text(name Attribute) string {
	return strings.TrimSpace(strings.ToValidUTF8(a.at(name).text, ""))
}

// truth is a truth value; some applications give numbers for it.
func (a *Answer) truth(name Attribute) (value, known bool) {
	switch v := a.at(name); v.kind {
	case KindFlag:
		return v.flag, true
	case KindNumber:
		return v.a != 0, true
	}
	return false, false
}

// take hands the first element of an attribute over to the caller; 0: none.
func (a *Answer) take(name Attribute) Ref {
	v := a.at(name)
	if len(v.elements) == 0 {
		return 0
	}
	first := v.elements[0]
	v.elements = v.elements[1:]
	return first
}

// takeAll hands all elements of an attribute over to the caller.
func (a *Answer) takeAll(name Attribute) (elements []Ref, more bool) {
	v := a.at(name)
	elements, v.elements = v.elements, nil
	return elements, v.more
}

// has tells whether there is a value at all.
func (a *Answer) has(name Attribute) bool { return a.at(name).kind != KindNone }

func (a *Answer) close() {
	for i := range a.values {
		for _, element := range a.values[i].elements {
			a.system.Release(element)
		}
		a.values[i].elements = nil
	}
}
