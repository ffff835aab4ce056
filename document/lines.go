package document

import (
	"regexp"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/diag"
)

// expression compiles a regular expression when it is first asked for: most processes
// ask for few of those here.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// documentedField is the rulebook's fallback for a line of frontmatter (docs/reference/rules.md).
var documentedField = expression(`(?m)^(\w+):\s*(.*)$`)

// looseField is a field line as the default reads it: blanks may stand before the colon.
var looseField = expression(`(?m)^(\w+)[ \t]*:\s*(.*)$`)

// maxTyped is how many values of a text that is no YAML are read as YAML each: the library takes longer for one line than for most
// files. Those after them are strings.
const maxTyped = 100

// maxTypedValue is how long such a value may be, in bytes: the library keeps all of a list that a line begins with.
const maxTypedValue = 4 << 10

// parseLines reads `key: value` lines where the whole is no YAML. With typed, each
// value is read as YAML of its own (one that would become a map stays text);
// without, every value is a string. Of duplicate keys the last counts.
func parseLines(source *diag.Source, span diag.Span, typed bool, spent *reading) *Node {
	text := source.Text()[span.Start:span.End]
	root := &Node{Kind: Mapping, style: block, doc: &yamlText{source: source, text: text, base: span.Start}}
	pattern := documentedField()
	if typed {
		pattern = looseField()
	}
	fields := fieldsOf(root)
	start, read := 0, 0
	for l := range strings.Lines(text) {
		trimmed := strings.TrimRight(l, "\r\n")
		if m := pattern.FindStringSubmatchIndex(trimmed); m != nil {
			key := &Node{Kind: String, Text: trimmed[m[2]:m[3]], start: start, doc: root.doc}
			value := lineValue(root.doc, strings.TrimRight(trimmed[m[4]:m[5]], " \t"), start+m[4], typed && read < maxTyped, spent)
			read++
			fields.set(key, value)
		}
		start += len(l)
	}
	return root
}

func lineValue(doc *yamlText, text string, start int, typed bool, spent *reading) *Node {
	if typed && len(text) <= maxTypedValue {
		at := doc.base + start
		node, problems := parseBlock(doc.source, diag.Span{Start: at, End: at + len(text)}, spent)
		if len(problems) == 0 && node != nil && node.Kind != Mapping {
			spent.keep()
			return node
		}
		if len(problems) == 0 && node == nil {
			return &Node{Kind: Null, start: start, doc: doc}
		}
	}
	return &Node{Kind: String, Text: text, start: start, doc: doc}
}

// fields is a map that is being made: a file may have any number of keys, and each is looked for among those before it.
type fields struct {
	node *Node
	at   map[string]int // the first entry of each key
}

func fieldsOf(n *Node) fields {
	f := fields{n, make(map[string]int, len(n.Entries))}
	for i, e := range n.Entries {
		if _, ok := f.at[e.Key.Text]; !ok {
			f.at[e.Key.Text] = i
		}
	}
	return f
}

func (f fields) get(key string) *Node {
	if i, ok := f.at[key]; ok {
		return f.node.Entries[i].Value
	}
	return nil
}

func (f fields) set(key, value *Node) {
	if i, ok := f.at[key.Text]; ok {
		f.node.Entries[i] = Entry{key, value}
		return
	}
	f.at[key.Text] = len(f.node.Entries)
	f.node.Entries = append(f.node.Entries, Entry{key, value})
}

// fill returns the first map with the keys that it lacks, or has only empty,
// taken from the second. The first may be nil.
func fill(first, second *Node) *Node {
	if first == nil {
		return second
	}
	out := *first
	out.Entries = append([]Entry(nil), first.Entries...)
	fields := fieldsOf(&out)
	for _, e := range second.Entries {
		if old := fields.get(e.Key.Text); old == nil || old.isEmpty() {
			fields.set(e.Key, e.Value)
		}
	}
	return &out
}

// isEmpty is true for null, "", [] and {}.
func (n *Node) isEmpty() bool {
	switch n.Kind {
	case Null:
		return true
	case String:
		return n.Text == ""
	case Sequence:
		return len(n.Items) == 0
	case Mapping:
		return len(n.Entries) == 0
	}
	return false
}
