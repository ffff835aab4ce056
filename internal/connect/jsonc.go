package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// splice replaces a part of a text: Removed stood at an offset, Inserted stands there now.
type splice struct {
	At       int    `json:"at"` // bytes, in the text before
	Removed  string `json:"removed,omitempty"`
	Inserted string `json:"inserted,omitempty"`
}

// apply makes splices in order, each in the text that the one before has left.
func apply(text string, list []splice) string {
	for _, s := range list {
		text = text[:s.At] + s.Inserted + text[s.At+len(s.Removed):]
	}
	return text
}

// revert undoes splices.
func revert(text string, list []splice) (string, error) {
	for _, s := range slices.Backward(list) {
		if s.At > len(text) || !strings.HasPrefix(text[s.At:], s.Inserted) {
			return "", errors.New("it is not what was written")
		}
		text = text[:s.At] + s.Removed + text[s.At+len(s.Inserted):]
	}
	return text, nil
}

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

func (j *jsonText) splice(at int, removed, inserted string) {
	s := splice{at, removed, inserted}
	j.splices = append(j.splices, s)
	j.text = apply(j.text, []splice{s})
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

// insert puts an item at the end of an object or array, in the layout that is there.
func (j *jsonText) insert(container hujson.Value, text string) error {
	items := itemsOf(container)
	open, end := container.StartOffset, container.EndOffset
	outer := indentAt(j.text, open)
	unit := j.unit()
	if len(items) == 0 {
		inside := j.text[open+1 : end-1]
		kept := strings.TrimRight(inside, " \t\r\n")
		inner := outer + unit
		add := j.newline() + inner + indented(text, inner, unit, j.newline())
		if !strings.Contains(inside[len(kept):], "\n") {
			add += j.newline() + outer
		}
		j.splice(open+1+len(kept), "", add)
		return nil
	}
	last := items[len(items)-1]
	if !strings.Contains(j.text[open:items[0].start], "\n") { // all on one line
		var flat bytes.Buffer
		if err := json.Compact(&flat, wrap(text)); err != nil {
			return err
		}
		j.splice(last.end, "", ", "+unwrap(flat.String()))
		return nil
	}
	inner := indentAt(j.text, items[0].start)
	at, comma := j.lineEnd(last.end)
	add := j.newline() + inner + indented(text, inner, unit, j.newline())
	if comma {
		j.splice(at, "", add+",")
		return nil
	}
	j.splice(at, "", add)
	j.splice(last.end, "", ",")
	return nil
}

// lineEnd is where the line of the last item ends, after a comment, and whether a comma stands after the item.
func (j *jsonText) lineEnd(at int) (end int, comma bool) {
	for i := at; i < len(j.text); {
		rest := j.text[i:]
		switch {
		case rest[0] == ',':
			comma = true
			i++
			at = i
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			i++
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			i += len(strings.TrimRight(line, "\r"))
			at = i
		case strings.HasPrefix(rest, "/*"):
			length := strings.Index(rest, "*/") + 2
			if length < 2 || strings.Contains(rest[:length], "\n") {
				return at, comma
			}
			i += length
			at = i
		default: // the next line, or the end of the container
			return at, comma
		}
	}
	return at, comma
}

// indented is an item with its parts on lines of their own, as far as that reads better.
func indented(text, indent, unit, newline string) string {
	var b bytes.Buffer
	if json.Indent(&b, wrap(text), indent, unit) != nil {
		return text
	}
	// What wraps it is taken off: the first and the last line, and one step of the indentation.
	lines := strings.Split(b.String(), "\n")
	lines = lines[1 : len(lines)-1]
	for i := range lines {
		lines[i] = strings.Replace(lines[i], indent+unit, indent, 1)
	}
	lines[0] = strings.TrimPrefix(lines[0], indent)
	return strings.Join(lines, newline)
}

// wrap makes an item a JSON text: a member is put into an object, an element into an array.
func wrap(text string) []byte {
	if isMember(text) {
		return []byte("{" + text + "}")
	}
	return []byte("[" + text + "]")
}

func unwrap(text string) string { return text[1 : len(text)-1] }

// isMember tells a member from an element: ours are objects.
func isMember(text string) bool { return strings.HasPrefix(text, `"`) && strings.Contains(text, `":`) }

func (j *jsonText) newline() string {
	if strings.Contains(j.text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// unit is one step of indentation: that of the first line that has any.
func (j *jsonText) unit() string {
	for line := range strings.Lines(j.text) {
		rest := strings.TrimLeft(line, " \t")
		if blank := line[:len(line)-len(rest)]; blank != "" && strings.HasPrefix(rest, `"`) {
			return blank
		}
	}
	return "  "
}

// indentAt is what the line of an offset begins with.
func indentAt(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
