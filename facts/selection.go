package facts

import (
	"regexp"
	"strings"
	"sync"
)

// A path may pick from arrays: files[0], files[^1] and files[-1] (the last),
// files[1..3] (the end not included). Such a path is in no table: [Find] makes
// it of the rows that it goes over.

// pathStep is one step of such a path, from the array of its first row on.
type pathStep struct {
	field string // the name of a field; of an array that of each item
	pick  pick
}

// The grammar of a path: names joined by dots, brackets after arrays.
const (
	boundForm = `(?:\d+|-\d+|\^\d+)`
	pickForm  = `\[(?:` + boundForm + `?|` + boundForm + `?\.\.` + boundForm + `?)\]`
	nameForm  = `[A-Za-z_][\w-]*(?:` + pickForm + `)*`
)

var (
	pathForm     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^` + nameForm + `(?:\.` + nameForm + `)+$`) })
	relativeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^` + nameForm + `(?:\.` + nameForm + `)*$`) })
	picksForm    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pickForm) })
	picksFirst   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^` + pickForm) })
)

// IsPath tells whether a text has the form of a path; relative ones need no dot.
func IsPath(text string, relative bool) bool {
	if relative {
		return relativeForm().MatchString(text)
	}
	return pathForm().MatchString(text)
}

// Picked is the length of the brackets that a text begins with and that pick from
// an array, such as [0]; 0: it begins with none.
func Picked(text string) int {
	if strings.HasPrefix(text, "[]") {
		return 2
	}
	return len(picksFirst().FindString(text))
}

// Segments are the offsets at which the names of a path end: at dots that are not
// in brackets, and at the end.
func Segments(path string) []int {
	var ends []int
	depth := 0
	for i := range len(path) {
		switch path[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '.':
			if depth == 0 {
				ends = append(ends, i)
			}
		}
	}
	return append(ends, len(path))
}

// Find finds a path, also one that picks from arrays. What it returns is a row of
// the schema, or made anew with each call.
func Find(name string) (*Path, bool) {
	if p, ok := theSchema.byName[name]; ok {
		return p, true
	}
	if !strings.Contains(name, "[") || !pathForm().MatchString(name) {
		return nil, false
	}
	return theSchema.picked(name)
}

// picked makes a path of the rows that it goes over.
func (s *schema) picked(name string) (*Path, bool) {
	open := strings.IndexByte(name, '[')
	first, known := s.byName[name[:open]]
	if !known || first.Kind != Array {
		return nil, false
	}
	p := &Path{Name: name, Kind: Array, Item: first.Item, Needs: first.Needs, Doc: first.Doc, Of: first.Of, index: -1, first: first, row: first}
	var canonical strings.Builder
	canonical.WriteString(first.Name)
	within := false // an item, or each of several: fields may follow
	for rest := name[open:]; rest != ""; {
		if rest[0] == '.' {
			end := strings.IndexAny(rest[1:], ".[") + 1
			if end == 0 {
				end = len(rest)
			}
			row, known := s.byName[p.row.Name+"[]"+rest[:end]]
			if !within || !known {
				return nil, false
			}
			if p.Kind == Object {
				p.Kind, p.Item = row.Item, Absent
			} else {
				p.Item = row.Item
			}
			p.row, p.Doc, p.Of, within = row, row.Doc, row.Of, false
			p.steps = append(p.steps, pathStep{field: rest[1:end]})
			canonical.WriteString(rest[:end])
			rest = rest[end:]
			continue
		}
		if p.Kind != Array {
			return nil, false
		}
		end := strings.IndexByte(rest, ']') + 1
		picked := readPick(rest[1 : end-1])
		p.steps = append(p.steps, pathStep{pick: picked})
		canonical.WriteString(picked.String())
		rest = rest[end:]
		within = p.row.Item == Object
		switch picked.kind {
		case pickIndex:
			p.Kind, p.Item = p.Item, Absent
		case pickEach:
			if rest == "" || rest[0] != '.' {
				return nil, false // as files[] alone, which is no path
			}
		}
	}
	p.canonical = canonical.String()
	return p, true
}

// EmptyPick is what stands in brackets and never picks anything, such as [2..1]; empty if there is no such thing.
func (p *Path) EmptyPick() string {
	for _, st := range p.steps {
		if st.field == "" && st.pick.isEmpty() {
			return st.pick.String()
		}
	}
	return ""
}

// picked is the value of a path that picks from arrays.
func (s *Snapshot) picked(p *Path) Value {
	v := s.At(p.first)
	for _, st := range p.steps {
		switch {
		case st.field == "":
			v = st.pick.of(v)
		case v.Kind() == Array:
			v = project(v, []string{st.field})
		default:
			v = v.Field(st.field)
		}
	}
	return v
}

// Canonical is one name for all ways to write a path: files[-1] is files[^1].
func (p *Path) Canonical() string {
	if p.canonical != "" {
		return p.canonical
	}
	return p.Name
}

// Stored tells whether the path is a row of the schema, whose value a snapshot
// holds; others are picked from such values.
func (p *Path) Stored() bool { return p.index >= 0 }

// Row is the row of the schema whose values the path picks; itself, if it is one.
func (p *Path) Row() *Path { return p.schemaRow() }

// withoutPicks is a path with [] for whatever stands in brackets.
func withoutPicks(name string) string { return picksForm().ReplaceAllString(name, "[]") }

// picksBack puts the brackets of a name into another one that has as many; other
// names stay as they are.
func picksBack(into, name string) string {
	picks := picksForm().FindAllString(name, -1)
	if strings.Count(into, "[]") != len(picks) {
		return into
	}
	for _, pick := range picks {
		at := strings.Index(into, "[]")
		into = into[:at] + "\x00" + pick[1:] + into[at+2:]
	}
	return strings.ReplaceAll(into, "\x00", "[")
}
