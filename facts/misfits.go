package facts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// maxMisfits bounds what is told about one context: whoever has more mistakes
// begins with these.
const maxMisfits = 20

// maxOthers is how many keys below `extra`, where anybody's may stand, are compared with
// the names of the schema.
const maxOthers = 200

// Misfits are the keys of a context that no schema knows, and the values of
// another kind than the schema says: both are allowed, and can be mistakes
// only if a person wrote the file. The elements of `visual` are not looked at
// ([Snapshot.Diagnostics] tells about them), nor is what follows a root of
// `extra` that belongs to somebody else.
func Misfits(name string, context Value) diag.List {
	m := misfits{source: diag.NewSource(name, "")}
	m.object("", context)
	return m.list
}

type misfits struct {
	source *diag.Source
	list   diag.List
}

func (m *misfits) tell(path, hint, problem string) {
	if len(m.list) == maxMisfits {
		return
	}
	d := diag.At(m.source, diag.NoSpan, diag.ContextUnknownType, "%s", problem)
	d.Path, d.Hint = path, hint
	m.list.Add(d)
}

// object looks at the fields of an object that the schema has at a path, the
// whole context at "".
func (m *misfits) object(path string, object Value) {
	names := namesWithin(path)
	others := 0
	for _, f := range object.Fields() {
		if len(m.list) == maxMisfits {
			return
		}
		if others == maxOthers && !slices.Contains(names, f.Name) {
			continue
		}
		below := joinPath(path, f.Name)
		switch {
		case below == "visual":
		case slices.Contains(names, f.Name):
			m.value(below, f.Value)
		case path == "extra" && diag.Nearest(f.Name, names) == "":
			others++
		default:
			m.unknown(path, f.Name, names)
		}
	}
}

// value looks at a value whose path the schema has.
func (m *misfits) value(path string, v Value) {
	row, ok := Lookup(path)
	kind := Object
	if ok {
		kind = row.Kind
	}
	switch {
	case v.Kind() == Absent:
	case v.Kind() != kind:
		m.wrongKind(path, kind, v.Kind(), namesWithin(path))
	case kind == Object:
		m.object(path, v)
	case kind == Array:
		m.items(path, row, v)
	}
}

func (m *misfits) items(path string, row *Path, array Value) {
	names := row.ItemFields()
	for i, item := range array.Items() {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case item.Kind() == Absent:
		case item.Kind() != row.Item:
			m.wrongKind(at, row.Item, item.Kind(), names)
		case row.Item == Object:
			for _, f := range item.Fields() {
				if len(m.list) == maxMisfits {
					return
				}
				field, ok := row.ItemField(f.Name)
				switch {
				case !ok:
					m.unknown(at, f.Name, names)
				case f.Value.Kind() != Absent && f.Value.Kind() != field.Item:
					m.wrongKind(at+"."+f.Name, field.Item, f.Value.Kind(), nil)
				}
			}
		}
		if len(m.list) == maxMisfits {
			return
		}
	}
}

func (m *misfits) unknown(path, key string, names []string) {
	hint := diag.DidYouMean(key, names)
	if hint == "" {
		hint = "known here are `" + strings.Join(names, "`, `") + "`"
	}
	what, where := "a key", "the context"
	if isPlainName(key) { // else it may be anything, also what nobody should read here
		what = "`" + key + "`"
	}
	if path != "" {
		where = "`" + path + "`"
	}
	m.tell(joinPath(path, key), hint, what+" is no part of "+where+", so nothing reads it")
}

func (m *misfits) wrongKind(path string, want, is Kind, names []string) {
	hint := ""
	switch {
	case want == Object && is == String && len(names) > 0:
		hint = "write `" + lastName(path) + ": {" + firstText(path, names) + ": ...}`"
		if strings.HasSuffix(path, "]") {
			hint = "write `{" + names[0] + ": ...}`"
		}
	case want == Array:
		hint = "write a list: `[...]`"
	case want == String && (is == Number || is == Bool):
		hint = "put it in quotes"
	}
	m.tell(path, hint, "`"+path+"` must be "+want.String()+", not "+is.String())
}

// firstText is the name that a bare text in the place of an object is most
// likely meant for: the first that is a text.
func firstText(path string, names []string) string {
	for _, name := range names {
		if p, ok := Lookup(joinPath(path, name)); ok && p.Kind == String {
			return name
		}
	}
	return names[0]
}

// namesWithin are the keys that the schema has below a path, in its order.
func namesWithin(path string) []string {
	if path == "" {
		return Roots()
	}
	var names []string
	for _, p := range theSchema.paths {
		rest, ok := strings.CutPrefix(p.Name, path+".")
		name, _, _ := strings.Cut(rest, ".")
		name, _, _ = strings.Cut(name, "[")
		if ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// isPlainName tells whether a key looks like one that somebody meant as a name of
// the schema.
func isPlainName(key string) bool {
	if key == "" || len(key) > 40 {
		return false
	}
	return strings.IndexFunc(key, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
}
