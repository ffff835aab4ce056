package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// jsonText is a JSON text, comments allowed, that is edited by inserting and removing parts of it.
type jsonText struct {
	text    string
	splices []splice

	root *hujson.Value // of the text as it is; nil: it has not been read
}

// parse reads the text, once until it is changed; an error says where it is wrong.
func (j *jsonText) parse() (hujson.Value, error) {
	if j.root != nil {
		return *j.root, nil
	}
	v, err := parseJSON(j.text, len(j.splices) == 0)
	if err == nil {
		j.root = &v
	}
	return v, err
}

// withoutText is the place and the kind of a mistake: what stands there may be no settings at all, and nobody else's to see.
func withoutText(message string) string {
	parts := strings.SplitN(message, ": ", 3)
	return strings.Join(parts[:min(len(parts), 2)], ": ")
}

// parseJSON reads a text; foreign: others wrote it, and a name may stand in it twice.
func parseJSON(text string, foreign bool) (hujson.Value, error) {
	if strings.TrimSpace(text) == "" {
		return hujson.Value{}, errors.New("it is empty")
	}
	if jsonscan.TooDeep(text) {
		return hujson.Value{}, errors.New("it is nested too deeply")
	}
	v, err := hujson.Parse([]byte(text + "\n")) // the library wants that a comment ends; no offset is moved by it
	if err != nil {
		return v, fmt.Errorf("it is not JSON: %s", withoutText(strings.TrimPrefix(err.Error(), "hujson: ")))
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return v, errors.New("it is not a JSON object")
	}
	if !foreign {
		return v, nil
	}
	if name, twice := doubled(v); twice {
		return v, fmt.Errorf("the key %q stands in it twice, and programs differ in which one counts; keep one", name)
	}
	return v, nil
}

// doubled finds a name that an object has twice.
func doubled(v hujson.Value) (name string, found bool) {
	_, isObject := v.Value.(*hujson.Object)
	var seen map[string]bool
	if isObject && lengthOf(v) > 1 {
		seen = map[string]bool{}
	}
	for _, it := range itemsOf(v) {
		if seen != nil {
			if seen[it.name] {
				return it.name, true
			}
			seen[it.name] = true
		}
		if name, found := doubled(it.value); found {
			return name, true
		}
	}
	return "", false
}

// item is a member or an element of a value.
type item struct {
	name       string // of a member
	start, end int    // bytes, with the name
	value      hujson.Value
}

// itemsOf are the members or elements of a value, whatever it is, as far as they are asked for.
func itemsOf(v hujson.Value) iter.Seq2[int, item] {
	return func(yield func(int, item) bool) {
		for i := range lengthOf(v) {
			if !yield(i, itemAt(v, i)) {
				return
			}
		}
	}
}

func lengthOf(v hujson.Value) int {
	switch c := v.Value.(type) {
	case *hujson.Object:
		return len(c.Members)
	case *hujson.Array:
		return len(c.Elements)
	}
	return 0
}

// itemAt is one of as many items as lengthOf says.
func itemAt(v hujson.Value, i int) item {
	at := valueAt(&v, i)
	if c, ok := v.Value.(*hujson.Object); ok {
		name, _ := c.Members[i].Name.Value.(hujson.Literal)
		return item{textOf(name), c.Members[i].Name.StartOffset, at.EndOffset, *at}
	}
	return item{"", at.StartOffset, at.EndOffset, *at}
}

// valueAt is where the value of an item is kept.
func valueAt(v *hujson.Value, i int) *hujson.Value {
	if c, ok := v.Value.(*hujson.Object); ok {
		return &c.Members[i].Value
	}
	return &v.Value.(*hujson.Array).Elements[i]
}

// textOf is what a string says, and any other literal as it is written.
func textOf(l hujson.Literal) string {
	if len(l) > 1 && l[0] == '"' && bytes.IndexByte(l, '\\') < 0 && utf8.Valid(l) { // as nearly all are
		return string(l[1 : len(l)-1])
	}
	return l.String()
}

func member(v hujson.Value, name string) (hujson.Value, bool) {
	if i := indexOf(v, name); i >= 0 {
		return *valueAt(&v, i), true
	}
	return hujson.Value{}, false
}

// indexOf is the number of a member; -1: there is none.
func indexOf(v hujson.Value, name string) int {
	if c, ok := v.Value.(*hujson.Object); ok {
		return slices.IndexFunc(c.Members, func(m hujson.ObjectMember) bool {
			text, _ := m.Name.Value.(hujson.Literal)
			return textOf(text) == name
		})
	}
	return -1
}

// put makes sure that an object has a member, in objects that are made as needed. A member that is there stays.
func (j *jsonText) put(path []string, name, value string) error {
	v, err := j.parse()
	if err != nil {
		return err
	}
	for i, step := range path {
		next, ok := member(v, step)
		if !ok {
			inner := fmt.Sprintf("{%s:%s}", quote(name), value)
			for _, outer := range slices.Backward(path[i+1:]) {
				inner = fmt.Sprintf("{%s:%s}", quote(outer), inner)
			}
			return j.insert(v, quote(step)+":"+inner)
		}
		if _, ok := next.Value.(*hujson.Object); !ok {
			return fmt.Errorf("`%s` is not an object", strings.Join(path[:i+1], "."))
		}
		v = next
	}
	if _, ok := member(v, name); ok {
		return nil
	}
	return j.insert(v, quote(name)+":"+value)
}

// add makes sure that an array has an element, at the end.
func (j *jsonText) add(path []string, value string) error {
	last := len(path) - 1
	v, err := j.parse()
	if err != nil {
		return err
	}
	for i, step := range path {
		next, ok := member(v, step)
		if !ok {
			return j.put(path[:last], path[last], "["+value+"]")
		}
		_, isObject := next.Value.(*hujson.Object)
		_, isArray := next.Value.(*hujson.Array)
		if i < last && !isObject || i == last && !isArray {
			return fmt.Errorf("`%s` is not what this agent's settings have there", strings.Join(path[:i+1], "."))
		}
		v = next
	}
	wanted, err := hujson.Parse([]byte(value))
	if err != nil {
		return err
	}
	for _, e := range itemsOf(v) {
		if same(e.value, wanted) {
			return nil
		}
	}
	return j.insert(v, value)
}

// same tells whether a value is the same as another, comments, layout and the order of members aside. It looks at no more of one
// than the other has.
func same(a, b hujson.Value) bool {
	switch a := a.Value.(type) {
	case hujson.Literal:
		b, ok := b.Value.(hujson.Literal)
		return ok && a.Kind() == b.Kind() && (textOf(a) == textOf(b) || a.Kind() == '0' && a.Float() == b.Float())
	case *hujson.Array:
		b, ok := b.Value.(*hujson.Array)
		return ok && slices.EqualFunc(a.Elements, b.Elements, same)
	case *hujson.Object:
		if _, ok := b.Value.(*hujson.Object); !ok || len(a.Members) != lengthOf(b) {
			return false
		}
		for _, m := range a.Members {
			name, _ := m.Name.Value.(hujson.Literal)
			if other, ok := member(b, textOf(name)); !ok || !same(m.Value, other) {
				return false
			}
		}
		return true
	}
	return false
}

func quote(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // people read it
	_ = encoder.Encode(s)        // a text can be written
	return strings.TrimSuffix(b.String(), "\n")
}
