package facts

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// scanJSON reads a JSON object quickly; programs send one with every question.
// ok is false for whatever is not quite right: the slow way finds the words.
func scanJSON(data []byte) (v Value, ok bool) {
	s := scanner{in: jsonscan.New(string(data)), items: make([]Value, 0, 32), fields: make([]Field, 0, 32)}
	v, ok = s.value(0)
	return v, ok && s.in.End()
}

// keyTwice tells whether two fields have one key: which of them was meant, nobody knows.
func keyTwice(fields []Field) bool {
	if len(fields) > 16 {
		known := make(map[string]bool, len(fields))
		for _, f := range fields {
			if known[f.Name] {
				return true
			}
			known[f.Name] = true
		}
		return false
	}
	for i := range fields {
		for j := range i {
			if fields[i].Name == fields[j].Name {
				return true
			}
		}
	}
	return false
}

// scanner keeps the parts of lists that are not complete yet, so that each list
// is allocated once, at its size.
type scanner struct {
	in     *jsonscan.Reader
	items  []Value
	fields []Field
}

func (s *scanner) value(depth int) (Value, bool) {
	if depth > maxJSONDepth {
		return Value{}, false
	}
	switch s.in.Next() {
	case '{':
		start := len(s.fields)
		ok := s.in.Object(func(key string) bool {
			v, ok := s.value(depth + 1)
			s.fields = append(s.fields, Field{key, v})
			return ok
		})
		ok = ok && !keyTwice(s.fields[start:])
		v := Fields(slices.Clone(s.fields[start:])...)
		s.fields = s.fields[:start]
		return v, ok
	case '[':
		start := len(s.items)
		ok := s.in.Array(func() bool {
			v, ok := s.value(depth + 1)
			s.items = append(s.items, v)
			return ok
		})
		v := List(slices.Clone(s.items[start:])...)
		s.items = s.items[:start]
		return v, ok
	case '"':
		text, ok := s.in.String()
		return Text(text), ok
	case 't', 'f':
		flag, ok := s.in.Bool()
		return Flag(flag), ok
	case 'n':
		return Value{}, s.in.Null()
	}
	digits, ok := s.in.Digits()
	if !ok {
		return Value{}, false
	}
	v, ok := ParseNumber(digits)
	if !ok {
		v = beyond()
	}
	return v, true
}
