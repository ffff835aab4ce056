package cond

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// Path, array word and operator may stand in one key, and a path may be nested
// maps (docs/reference/conditions.md). Here such writings become the plain form: a path that maps
// to an operator object, in which every key is one word.

// plain are the entries of a condition object in the plain form.
func (p *parser) plain(node *document.Node) []document.Entry {
	entries := make([]document.Entry, 0, len(node.Entries))
	spread := false
	for _, e := range node.Entries {
		if p.overlong(e.Key) {
			continue
		}
		if isPlain(e) {
			entries = append(entries, e)
			continue
		}
		spread = true
		entries = p.paths("", e, entries)
	}
	if !spread {
		return entries // YAML sees to it that no key stands there twice
	}
	return p.merged(entries, func(path string) string {
		if known, ok := facts.Find(path); ok {
			return known.Canonical()
		}
		return path
	})
}

// maxJoined is how many words may stand in one key: each is a level of nesting, of which
// a document may have no more than a hundred.
const maxJoined = 32

// overlong tells of a key that joins too many words.
func (p *parser) overlong(key *document.Node) bool {
	if strings.Count(key.Text, ".") < maxJoined {
		return false
	}
	p.add(key, diag.StrategyInvalidWhen, "write it as nested maps, or with fewer words", "this key joins more than %d words", maxJoined)
	return true
}

// isPlain tells whether nothing of a condition's key needs to be taken apart: it
// is a visual condition or a path to a value, or it begins with no root, as composites
// and what is no condition at all.
func isPlain(e document.Entry) bool {
	key := e.Key.Text
	if slices.Contains(visualNames, key) {
		return true
	}
	if row, known := facts.Lookup(key); known && row.Kind != facts.Object {
		return true
	}
	return !slices.Contains(facts.Roots(), key[:facts.Segments(key)[0]])
}

// paths adds what one key says of paths below a prefix.
func (p *parser) paths(prefix string, e document.Entry, out []document.Entry) []document.Entry {
	full, before := e.Key.Text, 0
	if prefix != "" {
		full, before = prefix+"."+full, len(prefix)+1
	}
	key, value := e.Key, e.Value
	if end := pathEnd(full, before, value); end < len(full) {
		key, value = taken(e, end-before)
		full = full[:end]
	}
	key = key.Named(full)
	if full == facts.Visual && len(value.Entries) > 0 { // below it, count is no operator
		for _, child := range value.Entries {
			out = p.paths(full, child, out)
		}
		return out
	}
	row, known := facts.Find(full)
	if value.Kind != document.Mapping || known && row.Kind != facts.Object || slices.Contains(visualNames, full) {
		return append(out, document.Entry{Key: key, Value: value})
	}
	var own []document.Entry // operators on the object itself, which hold for nothing
	for _, child := range value.Entries {
		if isOperatorOf(full, known, child) {
			own = append(own, child)
		} else {
			out = p.paths(full, child, out)
		}
	}
	switch {
	case len(own) == len(value.Entries): // also of none
		out = append(out, document.Entry{Key: key, Value: value})
	case len(own) > 0:
		out = append(out, document.Entry{Key: key, Value: document.MapOf(own...)})
	}
	return out
}

// isOperatorOf tells whether a key below an object, or below something that no
// schema knows, is an operator on it and not the next name of the path.
func isOperatorOf(path string, known bool, child document.Entry) bool {
	key := child.Key.Text
	if _, isPath := facts.Find(path + "." + key); isPath {
		return false
	}
	if isOperatorWord(key[:facts.Segments(key)[0]]) {
		return true
	}
	// What is nearly an operator is a mistake, and so is what leads to no operator.
	return !known && (child.Value.Kind != document.Mapping && len(facts.Segments(key)) == 1 || diag.Nearest(key, OperatorNames()) != "")
}

// pathEnd is where the path ends in a key: the longest known one comes first,
// then an array word or operator. before is the length of what stands in the maps
// around.
func pathEnd(full string, before int, value *document.Node) int {
	ends := facts.Segments(full)
	word := func(i int) string { return full[ends[i]+1 : ends[i+1]] } // after the i-th name
	if full[:ends[0]] == facts.Visual {
		for _, end := range ends {
			if slices.Contains(visualNames, full[:end]) {
				return end
			}
		}
		return len(full)
	}
	for i := len(ends) - 1; i >= 0 && ends[i] > before; i-- {
		row, known := facts.Find(full[:ends[i]])
		if !known {
			continue
		}
		valueAt := row.Kind != facts.Object
		single := row.Kind != facts.Object && row.Kind != facts.Array && value.Kind != document.Mapping // what follows is meant for an operator
		if i == len(ends)-1 || valueAt && isOperatorWord(word(i)) || single {
			return ends[i]
		}
		break
	}
	if value.Kind == document.Mapping || value.Kind == document.Null {
		return len(full) // a path that no schema knows
	}
	for i := 1; i < len(ends)-1; i++ {
		if ends[i] > before && isOperatorWord(word(i)) {
			return ends[i]
		}
	}
	return len(full)
}

// taken takes a key apart: the first bytes are the key of a map in which the rest
// is the key.
func taken(e document.Entry, at int) (key, value *document.Node) {
	return e.Key.Part(0, at), document.MapOf(document.Entry{Key: e.Key.Part(at+1, len(e.Key.Text)), Value: e.Value})
}

// keyEnd tells where the first word of a key ends; its length: the key is one word.
type keyEnd func(e document.Entry) int

// together are the entries of an object with every key one word, and words that
// stand in several keys as one.
func (p *parser) together(object *document.Node, end keyEnd) []document.Entry {
	entries, copied := object.Entries, false
	for i, e := range object.Entries {
		if p.overlong(e.Key) {
			return nil
		}
		if at := end(e); at < len(e.Key.Text) {
			if !copied {
				entries, copied = slices.Clone(entries), true
			}
			entries[i].Key, entries[i].Value = taken(e, at)
		}
	}
	if !copied && !object.Derived() {
		return entries
	}
	return p.merged(entries, func(word string) string { return word })
}

// wholeKey is for objects in which nothing is joined.
func wholeKey(e document.Entry) int { return len(e.Key.Text) }

// operatorEnd is for operator objects: `not.equals`, `any.path.glob`,
// `length.min`.
func operatorEnd(e document.Entry) int {
	if end := facts.Segments(e.Key.Text)[0]; isOperatorWord(e.Key.Text[:end]) {
		return end
	}
	return len(e.Key.Text)
}

// itemEnd is for what must hold for an item: a path within it, or `not`.
func itemEnd(array *facts.Path) keyEnd {
	return func(e document.Entry) int {
		key := e.Key.Text
		ends := facts.Segments(key)
		for i := len(ends) - 1; i >= 0; i-- {
			if isField(array, key[:ends[i]]) {
				return ends[i]
			}
		}
		if key[:ends[0]] == "not" {
			return ends[0]
		}
		if e.Value.Kind != document.Mapping && e.Value.Kind != document.Null {
			for i := range len(ends) - 1 {
				if isOperatorWord(key[ends[i]+1 : ends[i+1]]) {
					return ends[i]
				}
			}
		}
		return len(key)
	}
}

// merged puts together what is written under one name in several places.
func (p *parser) merged(entries []document.Entry, name func(string) string) []document.Entry {
	out := make([]document.Entry, 0, len(entries))
	first := make(map[string]int, len(entries))
	for _, e := range entries {
		key := name(e.Key.Text)
		at, known := first[key]
		if !known {
			first[key] = len(out)
			out = append(out, e)
			continue
		}
		switch was := out[at].Value; {
		case was.Kind == document.Mapping && e.Value.Kind == document.Mapping && len(was.Entries)+len(e.Value.Entries) > 0:
			out[at].Value = document.MapOf(slices.Concat(was.Entries, e.Value.Entries)...)
		case !sameOperand(was, e.Value):
			p.add(e.Key, diag.StrategyInvalidWhen, "keep one of the two; where both must hold, put each condition under `all:`",
				"`%s` stands here a second time, with another operand", e.Key.Text)
		}
	}
	return out
}

// sameOperand tells whether two operands are written alike.
func sameOperand(a, b *document.Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text {
		return false
	}
	return slices.EqualFunc(a.Items, b.Items, sameOperand) && len(a.Entries) == 0 && len(b.Entries) == 0
}

// isOperatorWord tells whether a word may stand in an operator object.
func isOperatorWord(word string) bool {
	_, isOperator := operatorNamed(word)
	return isOperator || word == caseSensitive
}
