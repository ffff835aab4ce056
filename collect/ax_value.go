package collect

import (
	"slices"
	"strings"
	"time"
)

// axAnswer is the values of a list of attributes. The elements in it belong to
// it until they are taken; close releases the others.
type axAnswer struct {
	system     axSystem
	attributes []axAttribute
	values     []axValue
}

// axValue is a value of another application, copied into memory of our own but
// for elements, which are owned.
type axValue struct {
	kind     axKind
	text     string
	a, b     float64 // a number; or the two of a point, a size or a range
	flag     bool
	elements []axRef
	more     bool // there are more elements than were read
}

// axRead reads a list of attributes. Of texts at most units UTF-16 units are
// copied, of arrays at most axMaxChildren elements.
func axRead(s axSystem, element axRef, list axList, units int, limit time.Duration) (axAnswer, axStatus) {
	answer := axAnswer{system: s, attributes: list.attributes()}
	array, status := s.copyAttributes(element, list, limit)
	if status != axSuccess || array == 0 {
		if status == axSuccess {
			status = axNoValue
		}
		return answer, status
	}
	defer s.release(array)
	if s.kind(array) != axArray {
		return answer, axNoValue
	}
	answer.values = make([]axValue, min(s.count(array), len(answer.attributes)))
	for i := range answer.values {
		answer.values[i] = axDecode(s, s.item(array, i), units)
	}
	return answer, axSuccess
}

// axDecode copies a value; elements get an owner more.
func axDecode(s axSystem, value axRef, units int) axValue {
	if value == 0 {
		return axValue{}
	}
	v := axValue{kind: s.kind(value)}
	switch v.kind {
	case axText:
		v.text = s.text(value, units)
	case axNumber:
		v.a = s.number(value)
	case axFlag:
		v.flag = s.flag(value)
	case axPoint, axSize, axRange:
		v.a, v.b = s.pair(value)
	case axElementKind:
		s.retain(value)
		v.elements = []axRef{value}
	case axArray:
		v.elements, v.more = axElements(s, value, axMaxChildren)
	}
	return v
}

// axElements takes the first elements of an array; each has an owner more.
func axElements(s axSystem, array axRef, most int) (elements []axRef, more bool) {
	n := s.count(array)
	for i := range min(n, most) {
		if item := s.item(array, i); item != 0 && s.kind(item) == axElementKind {
			s.retain(item)
			elements = append(elements, item)
		}
	}
	return elements, n > most
}

func (a *axAnswer) at(name axAttribute) *axValue {
	if i := slices.Index(a.attributes, name); i >= 0 && i < len(a.values) {
		return &a.values[i]
	}
	return &axValue{}
}

// text is a text without the space around it; "" if there is none.
func (a *axAnswer) text(name axAttribute) string {
	return strings.TrimSpace(strings.ToValidUTF8(a.at(name).text, ""))
}

// truth is a truth value; some applications give numbers for it.
func (a *axAnswer) truth(name axAttribute) (value, known bool) {
	switch v := a.at(name); v.kind {
	case axFlag:
		return v.flag, true
	case axNumber:
		return v.a != 0, true
	}
	return false, false
}

// take hands the first element of an attribute over to the caller; 0: none.
func (a *axAnswer) take(name axAttribute) axRef {
	v := a.at(name)
	if len(v.elements) == 0 {
		return 0
	}
	first := v.elements[0]
	v.elements = v.elements[1:]
	return first
}

// takeAll hands all elements of an attribute over to the caller.
func (a *axAnswer) takeAll(name axAttribute) (elements []axRef, more bool) {
	v := a.at(name)
	elements, v.elements = v.elements, nil
	return elements, v.more
}

// has tells whether there is a value at all.
func (a *axAnswer) has(name axAttribute) bool { return a.at(name).kind != axNone }

func (a *axAnswer) close() {
	for i := range a.values {
		for _, element := range a.values[i].elements {
			a.system.release(element)
		}
		a.values[i].elements = nil
	}
}
