package jsontext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names are keys that a reader asks for, by their letters alone: some parsers take keys that differ from them in case, or in
// underscores.
type Names struct {
	known map[string]string // by letters
	bare  map[string]bool   // those whose values have keys of somebody else's
}

// NewNames are those keys. The keys in the values of the bare ones are somebody else's.
func NewNames(bare []string, keys ...string) *Names {
	n := &Names{map[string]string{}, map[string]bool{}}
	for _, key := range bare {
		n.known[letters(key)], n.bare[key] = key, true
	}
	for _, key := range keys {
		n.known[letters(key)] = key
	}
	return n
}

// letters are the letters of a key, without case and underscores.
func letters(key string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_':
			return -1
		case 'ſ', 'K': // whose upper or lower case is a letter of ASCII
			return unicode.ToLower(unicode.ToUpper(r))
		}
		return unicode.ToLower(r)
	}, key)
}

// maxName is how long a key may be that is one of them, in bytes.
const maxName = 64

// canonical is how the reader writes a key; "": it is no other than the key.
func (n *Names) canonical(key string) string {
	if len(key) > maxName {
		return ""
	}
	var memory [maxName]byte
	lower := memory[:0]
	for i := range len(key) {
		c := key[i]
		switch {
		case c >= utf8.RuneSelf:
			return other(n.known[letters(key)], key)
		case c == '_':
			continue
		case 'A' <= c && c <= 'Z':
			c |= ' '
		}
		lower = append(lower, c)
	}
	return other(n.known[string(lower)], key)
}

func other(name, key string) string {
	if name == key {
		return ""
	}
	return name
}

// walk goes over the keys of a valid text, from the first to the last, without recursion: texts may be nested deep.
type walk struct {
	text  []byte
	at    int
	names *Names // nil: none are asked for
	open  []nest
	all   []member // of everything that is open

	key    Value // the present one
	again  bool  // it came in its object before
	before member
}

// member is where a member of an object stands, from its key to its end.
type member struct{ from, to int }

// nest is an object or a list that has not ended.
type nest struct {
	object bool
	valued bool           // the next string is a value
	bare   bool           // its keys are somebody else's
	inside bool           // the present value has keys of somebody else's
	comma  int            // where the present member begins, with the comma before it
	first  int            // of its members
	now    int            // the present one
	many   map[string]int // where they are more than few, the last of each key
}

// fewKeys is up to how many keys are compared each with each.
const fewKeys = 16

// scratch is memory for a walk over a small text, so that none is allocated.
type scratch struct {
	open [6]nest
	all  [16]member
}

func (s *scratch) walk(text []byte, names *Names) walk {
	return walk{text: text, names: names, open: s.open[:0], all: s.all[:0]}
}

// next goes on to the next key; false: there is none.
func (w *walk) next() bool {
	for w.at < len(w.text) {
		from := w.at
		w.at++
		switch w.text[from] {
		case '{', '[':
			bare := len(w.open) > 0 && (w.top().bare || w.top().inside)
			w.open = append(w.open, nest{object: w.text[from] == '{', bare: bare, comma: from + 1, first: len(w.all)})
		case '}', ']':
			w.all = w.all[:w.top().first]
			if w.open = w.open[:len(w.open)-1]; len(w.open) == 0 {
				return false
			}
		case ',':
			n := w.top()
			if n.valued, n.comma = false, from; n.object {
				w.all[n.now].to = from
			}
		case '"':
			w.at = skipString(w.text, from)
			if len(w.open) > 0 && w.top().object && !w.top().valued {
				w.take(Value{w.text, from, w.at})
				return true
			}
		}
	}
	return false
}

func (w *walk) top() *nest { return &w.open[len(w.open)-1] }

// take takes a key.
func (w *walk) take(key Value) {
	n := w.top()
	n.valued = true
	w.key, w.before, w.again = key, member{}, false
	if at := w.find(key); at >= 0 {
		w.before, w.again = w.all[at], true
		w.all[at].from, n.now = key.from, at
	} else {
		n.now, w.all = len(w.all), append(w.all, member{from: key.from})
	}
	n.inside = w.names != nil && !n.bare && w.names.bare[string(key.Word())]
}

// find gives the member of a key; -1: there is none yet.
func (w *walk) find(key Value) int {
	n := w.top()
	if len(w.all)-n.first <= fewKeys {
		for i := n.first; i < len(w.all); i++ {
			if key.sameText(w.keyOf(i)) {
				return i
			}
		}
		return -1
	}
	if n.many == nil {
		n.many = make(map[string]int, 2*fewKeys)
	}
	for i := n.first + len(n.many); i < len(w.all); i++ {
		n.many[w.keyOf(i).Text()] = i
	}
	if at, ok := n.many[key.Text()]; ok {
		return at
	}
	return -1
}

// keyOf is the key of a member.
func (w *walk) keyOf(at int) Value {
	from := w.all[at].from
	return Value{w.text, from, skipString(w.text, from)}
}

// strange is how the reader writes the present key; "": as it is.
func (w *walk) strange() string {
	if w.top().bare {
		return ""
	}
	inside := w.key.text[w.key.from+1 : w.key.to-1]
	if bytes.IndexByte(inside, '\\') >= 0 { // it is found by its text anyway
		return w.names.canonical(w.key.Text())
	}
	return w.names.canonical(string(inside))
}

// Odd tells of a value whether some parser may read it in another way than others: whether keys are written in another
// way than they are known by, or come again in their object.
func (n *Names) Odd(v Value) (strange, repeats bool) {
	var memory scratch
	w := memory.walk(v.Raw(), n)
	for w.next() {
		strange = strange || w.strange() != ""
		repeats = repeats || w.again
	}
	return strange, repeats
}

// Known gives a valid text with keys as they are known.
func (n *Names) Known(text []byte) []byte {
	var out []byte
	at := 0
	var memory scratch
	w := memory.walk(text, n)
	for w.next() {
		if name := w.strange(); name != "" {
			out = append(append(out, text[at:w.key.from]...), Quote(name)...)
			at = w.key.to
			w.top().inside = n.bare[name]
		}
	}
	return append(out, text[at:]...)
}

// First gives a valid text as those read it who take the first of several members with one key.
func First(text []byte) []byte {
	var out []byte
	at := 0
	var memory scratch
	w := memory.walk(text, nil)
	for w.next() {
		if w.again {
			out = append(out, text[at:w.top().comma]...)
			at = skip(text, space(text, space(text, w.key.to)+1))
			w.at = at
		}
	}
	return append(out, text[at:]...)
}
