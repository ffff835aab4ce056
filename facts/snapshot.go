package facts

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// Absence says why a value is not there. The zero value is the usual reason:
// the context simply does not have it.
type Absence struct {
	Code     diag.Code // extra.provider_timeout, extra.permission_unavailable, …; empty: not in the context
	Provider string    // id of the collector that was asked
	Reason   string    // a few words for people; never text from the context
}

// Snapshot is the context at one moment.
type Snapshot struct {
	values      []Value // by Path.Index; objects are not stored
	objects     Value   // the whole as nested objects, for templates
	tree        *Tree
	absent      map[string]Absence // by need or path, for what was collected in vain
	diagnostics diag.List
}

// Parts are what a snapshot is made of. Values are nested as in the file form
// of a context: an object with the roots as its fields. What is left out is
// absent.
type Parts struct {
	Values      Value              // attachments, clipboard, assistant, environment, extra
	Tree        *Tree              // nil: not available
	Absent      map[string]Absence // why parts are not there, by need (clipboard.text, extra.browser, visual) or path
	Diagnostics diag.List          // what is odd about the context itself and was read nevertheless
}

// NewSnapshot makes a snapshot; the parts must not be changed afterwards.
func NewSnapshot(parts Parts) *Snapshot {
	s := &Snapshot{
		values:      make([]Value, len(theSchema.paths)),
		objects:     parts.Values,
		tree:        parts.Tree,
		absent:      parts.Absent,
		diagnostics: parts.Diagnostics,
	}
	for _, p := range theSchema.paths {
		if p.base == nil {
			s.values[p.index] = descend(parts.Values, p.segments)
		} else {
			s.values[p.index] = project(s.values[p.base.index], p.leaf)
		}
	}
	return s
}

// descend walks an object along names.
func descend(v Value, names []string) Value {
	for _, name := range names {
		if v.Kind() != Object {
			return Value{}
		}
		v = v.Field(name)
	}
	return v
}

// project collects a field of every item; items that lack it are left out
// (docs/reference/paths.md).
func project(array Value, leaf []string) Value {
	if array.Kind() != Array {
		return Value{}
	}
	items := make([]Value, 0, len(array.Items()))
	for _, item := range array.Items() {
		if v := descend(item, leaf); !v.IsAbsent() {
			items = append(items, v)
		}
	}
	return List(items...)
}

// At returns the value of a path, or the absent Value.
func (s *Snapshot) At(p *Path) Value {
	if i := p.index; uint(i) < uint(len(s.values)) {
		return s.values[i]
	}
	return s.unstored(p)
}

// unstored is the value of a path that does not stand in the snapshot itself.
func (s *Snapshot) unstored(p *Path) Value {
	if p.index >= 0 { // the zero snapshot
		return Value{}
	}
	return s.picked(p)
}

// Item returns the value of a path relative to an item of an array.
func Item(item Value, relative string) Value {
	for {
		name, rest, more := strings.Cut(relative, ".")
		item = item.Field(name)
		if !more || item.Kind() != Object {
			if more {
				return Value{}
			}
			return item
		}
		relative = rest
	}
}

// Tree is the visible elements, or nil when they are not available.
func (s *Snapshot) Tree() *Tree { return s.tree }

// Primary is the index of the element that `.` means in a query.
func (s *Snapshot) Primary() (int, bool) {
	if s.tree == nil {
		return 0, false
	}
	id := s.At(primaryPath)
	if id.Kind() != String {
		return 0, false
	}
	return s.tree.ByID(id.text)
}

var primaryPath = theSchema.byName["attachments.visual.primary"]

// WhyAbsent says why a need (clipboard.text, extra.browser, visual) or a path
// has no value: what is said of the path itself counts before what is said of
// its need.
func (s *Snapshot) WhyAbsent(name string) Absence {
	if why, told := s.absent[name]; told {
		return why
	}
	if p, ok := theSchema.byName[name]; ok && p.base != nil {
		if why, told := s.absent[p.base.Name]; told {
			return why
		}
	}
	if why, told := s.absent[needOf(name)]; told {
		return why
	}
	switch p, ok := Find(name); {
	case !ok:
		return Absence{}
	case p.Stored():
		return Absence{Reason: s.At(p).Reason()}
	case s.At(p.first).Kind() == Absent:
		return s.WhyAbsent(p.first.Name)
	case s.At(p.first).Kind() == Array:
		return Absence{Reason: "the array has no such item"}
	}
	return Absence{}
}

// Late are the needs and paths that have no value because collecting them took
// too long, sorted.
func (s *Snapshot) Late() []string {
	var names []string
	for name, why := range s.absent {
		if why.Code == diag.ExtraProviderTimeout {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Diagnostics are what is odd about the context itself and was read nevertheless, such as
// an element of a type that is not known. It must not be changed.
func (s *Snapshot) Diagnostics() diag.List { return s.diagnostics }

// Values is the whole context but the tree, as nested objects.
func (s *Snapshot) Values() Value { return s.objects }

// With returns a snapshot in which a path has another value. The path must be
// in the schema and must not be a projection.
func (s *Snapshot) With(name string, v Value) *Snapshot {
	p, ok := Lookup(name)
	if !ok || p.base != nil {
		return s
	}
	return NewSnapshot(Parts{Values: put(s.objects, p.segments, v), Tree: s.tree, Absent: s.absent, Diagnostics: s.diagnostics})
}

func put(object Value, segments []string, v Value) Value {
	if len(segments) == 0 {
		return v
	}
	if object.Kind() != Object {
		object = Fields()
	}
	return object.with(segments[0], put(object.Field(segments[0]), segments[1:], v))
}

// Known are the names of all paths that have a value, sorted; for summaries
// that must not show the values themselves.
func (s *Snapshot) Known() []string {
	var names []string
	for _, p := range theSchema.paths {
		if p.Kind != Object && !s.At(p).IsAbsent() {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}
