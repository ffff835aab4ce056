package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// jsonText is a JSON text, comments allowed, that is edited by inserting and removing parts of it.
type jsonText struct {
	text    string
	splices []splice
}

// parse reads the text; an error says where it is wrong.
func (j *jsonText) parse() (hujson.Value, error) {
	text := j.text
	if strings.TrimSpace(text) == "" {
		return hujson.Value{}, errors.New("it is empty")
	}
	if jsonscan.TooDeep(text) {
		return hujson.Value{}, errors.New("it is nested too deeply")
	}
	v, err := hujson.Parse([]byte(text + "\n")) // the library wants that a comment ends; no offset is moved by it
	if err != nil {
		return v, fmt.Errorf("it is not JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return v, errors.New("it is not a JSON object")
	}
	if name, twice := doubled(v); twice {
		return v, fmt.Errorf("the key %q stands in it twice, and programs differ in which one counts; keep one", name)
	}
	return v, nil
}

// doubled finds a name that an object has twice.
func doubled(v hujson.Value) (name string, found bool) {
	seen := map[string]bool{}
	for _, it := range itemsOf(v) {
		if _, isObject := v.Value.(*hujson.Object); isObject && seen[it.name] {
			return it.name, true
		}
		seen[it.name] = true
		if name, found := doubled(it.value); found {
			return name, true
		}
	}
	return "", false
}

// items are the members or elements of a value, whatever it is.
type item struct {
	name       string // of a member
	start, end int    // bytes, with the name
	value      hujson.Value
}

func itemsOf(v hujson.Value) []item {
	var out []item
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			name, _ := m.Name.Value.(hujson.Literal)
			out = append(out, item{name.String(), m.Name.StartOffset, m.Value.EndOffset, m.Value})
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			out = append(out, item{"", e.StartOffset, e.EndOffset, e})
		}
	}
	return out
}

func member(v hujson.Value, name string) (hujson.Value, bool) {
	if _, ok := v.Value.(*hujson.Object); ok {
		for _, i := range itemsOf(v) {
			if i.name == name {
				return i.value, true
			}
		}
	}
	return hujson.Value{}, false
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
	for _, e := range itemsOf(v) {
		if equal(e.value, value) {
			return nil
		}
	}
	return j.insert(v, value)
}

// equal tells whether a value is the same as another, comments and layout aside.
func equal(v hujson.Value, text string) bool {
	v = v.Clone()
	v.Standardize()
	var a, b any
	return json.Unmarshal(v.Pack(), &a) == nil && json.Unmarshal([]byte(text), &b) == nil && fmt.Sprint(a) == fmt.Sprint(b)
}

func quote(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // people read it
	_ = encoder.Encode(s)        // a text can be written
	return strings.TrimSuffix(b.String(), "\n")
}
