package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/strategy"
)

// strategyWords are those for the frontmatter of a strategy.
func (s *server) strategyWords(ctx context.Context, b *buffer, c cursor) []word {
	keys := c.keys
	switch {
	case len(keys) > 0 && keys[0] == "when", c.key == "when":
		return b.conditionWords(c)
	case len(keys) == 0 && c.key == "":
		present := b.topKeys()
		var words []word
		for _, name := range strategy.FieldNames() {
			if !slices.Contains(present, name) || c.word != "" && strings.HasPrefix(name, c.word) && b.text.string[c.whole.Start:c.whole.End] == name {
				words = append(words, word{label: name, kind: aField, detail: about("strategies", name), topic: "strategies"})
			}
		}
		return words
	case c.key == "from" && len(keys) == 0, c.key == "source" && c.parent() == "from":
		return s.sourceWords(ctx, b)
	case c.key == "icon" && len(keys) == 0:
		var words []word
		for _, name := range strategy.Icons(c.word) {
			words = append(words, word{label: name, kind: aValue})
		}
		return words
	case c.item && slices.Equal(keys, []string{"preprocessors"}):
		var words []word
		registry := preprocess.Registry()
		for _, id := range registry.IDs() {
			info, _ := registry.Info(id)
			words = append(words, word{label: id, kind: aFunction, detail: info.Description, topic: "preprocessors"})
		}
		return words
	case slices.Equal(keys, []string{"tools"}) && c.key != "":
		return []word{{label: "true", kind: aChoice}, {label: "false", kind: aChoice}}
	}
	return schemaWords(schemaOf("strategy"), "strategies", c)
}

// topKeys are the fields that the frontmatter has already.
func (b *buffer) topKeys() []string {
	first, last, ok := b.fences()
	if !ok {
		return nil
	}
	var keys []string
	for line := range strings.Lines(b.text.string[min(first, last.start):last.start]) {
		if end := keyEnd(strings.TrimRight(line, "\r\n")); end > 0 && line[0] != ' ' {
			keys = append(keys, unquote(line[:end]))
		}
	}
	return keys
}

// conditionWords are those for a condition.
func (b *buffer) conditionWords(c cursor) []word {
	if c.key == "when" {
		return []word{{label: "true", kind: aChoice}, {label: "false", kind: aChoice}}
	}
	at := conditionAt(c.keys[1:])
	if c.key != "" { // the value of an operator
		return b.operandWords(at.step(c.key), c)
	}
	if at.kind == inOperand { // an item of its list
		return b.operandWords(at, c)
	}
	switch at.kind {
	case inCondition:
		return append(joinedWords(at, c.word), pathWords(c)...)
	case inPath:
		return append(joinedWords(at, c.word), nextSegments(at.path, c.word)...)
	case inOperators:
		return append(operatorWords(at, ""), joinedWords(at, c.word)...)
	case inItem:
		return itemWords(at)
	case inRange:
		return []word{
			{label: "min", kind: anOp, topic: "operators"}, {label: "max", kind: anOp, topic: "operators"}, {label: "equals", kind: anOp, topic: "operators"},
		}
	case inVisual:
		words := []word{{label: "query", kind: aKeyword, detail: "what to look for, such as //Button[@name='Save']"}}
		if at.path != "visual.exists" {
			words = append(words, operatorWords(scope{kind: inOperators}, "")...)
		}
		return words
	case inVisualKinds:
		var words []word
		for _, name := range visualKeys {
			_, short, _ := strings.Cut(name, ".")
			words = append(words, word{label: short, kind: aKeyword, detail: about("conditions", name), topic: "visual", name: name})
		}
		return words
	}
	return nil
}

// pathWords are what a condition begins with: words that combine, queries and paths.
// With an item of a list, the word is a key all the same.
func pathWords(c cursor) []word {
	var words []word
	suffix := ""
	if c.item {
		suffix = ": "
	}
	add := func(label string, kind wordKind, detail, topic string) {
		w := word{label: label, kind: kind, detail: detail, topic: topic}
		if suffix != "" {
			w.insert = label + suffix
		}
		words = append(words, w)
	}
	for _, name := range slices.Concat(composites, visualKeys) {
		topic := "conditions"
		if strings.HasPrefix(name, facts.Visual) {
			topic = "visual"
		}
		add(name, aKeyword, about("conditions", name), topic)
	}
	for _, p := range facts.Paths() {
		if p.Kind != facts.Object {
			add(p.Name, aProperty, kindOfPath(p)+", "+p.Doc, "paths")
		}
	}
	for _, root := range facts.Roots() {
		if root != facts.Visual {
			add(root, aProperty, "paths as nested maps", "paths")
		}
	}
	return words
}

func kindOfPath(p *facts.Path) string {
	plain := func(k facts.Kind) string { return strings.TrimPrefix(strings.TrimPrefix(k.String(), "an "), "a ") }
	if p.Kind == facts.Array {
		return "array of " + plain(p.Item) + "s"
	}
	return plain(p.Kind)
}

// joinedWords are keys that join path and operator, once there is a whole path.
func joinedWords(at scope, typed string) []word {
	i := strings.LastIndexByte(typed, '.')
	if i < 0 {
		return nil
	}
	below := at.step(typed[:i])
	prefix := typed[:i+1]
	switch below.kind {
	case inOperators:
		return operatorWords(below, prefix)
	case inItem:
		words := itemWords(below)
		for i := range words {
			words[i].name, words[i].label = words[i].label, prefix+words[i].label
		}
		return words
	case inPath:
		words := nextSegments(below.path, "")
		for i := range words {
			words[i].label = prefix + words[i].label
		}
		return words
	}
	return nil
}

// nextSegments are what may follow an object's path: names, and whole rests.
func nextSegments(path, _ string) []word {
	var words []word
	for _, p := range facts.Paths() {
		rest, ok := strings.CutPrefix(p.Name, path+".")
		if ok {
			words = append(words, word{label: rest, kind: aProperty, detail: strings.TrimPrefix(kindOfPath(p)+", "+p.Doc, "object, "), topic: "paths", name: p.Name})
		}
	}
	return words
}

func operatorWords(at scope, prefix string) []word {
	var words []word
	for _, name := range at.operators() {
		words = append(words, word{label: prefix + name, kind: anOp, detail: about("operators", name), topic: "operators", name: name})
	}
	return words
}

// itemWords are fields of an array's items, or operators where items are plain values.
func itemWords(at scope) []word {
	if at.array == nil {
		return nil
	}
	var words []word
	for _, name := range at.array.ItemFields() {
		field, _ := at.array.ItemField(name)
		words = append(words, word{label: name, kind: aProperty, detail: field.Item.String() + ", " + field.Doc, topic: "paths", name: field.Name})
	}
	if len(words) == 0 {
		return operatorWords(scope{kind: inOperators, values: at.array.Item, of: at.array.Row().Of}, "")
	}
	return words
}

// operandWords are values: of closed sets, of booleans, and parts of visual queries.
func (b *buffer) operandWords(at scope, c cursor) []word {
	if at.op == "query" {
		return queryWords(b.text.string[c.whole.Start:c.whole.Start+len(c.word)], c)
	}
	values := at.of
	if at.values == facts.Bool || at.op == "caseSensitive" {
		values = []string{"true", "false"}
	}
	var words []word
	for _, v := range values {
		words = append(words, word{label: v, kind: aChoice})
	}
	return words
}

// placeholders are those of a template, where one is begun.
func (b *buffer) placeholders(offset int) []word {
	text := b.text.string
	start := offset
	for start > 0 && isNameByte(text[start-1]) {
		start--
	}
	if start == 0 || text[start-1] != '{' || start > 1 && text[start-2] == '{' {
		return nil
	}
	end := offset
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	closing := "}"
	if strings.HasPrefix(text[end:], "}") {
		closing = ""
	}
	span := diag.Span{Start: start, End: end}
	words := []word{{label: "Argument", kind: aVariable, detail: "what the user adds", topic: "templates", insert: "Argument" + closing, span: span, spans: true}}
	registry := preprocess.Registry()
	for _, id := range registry.IDs() {
		info, _ := registry.Info(id)
		for _, name := range info.Variables {
			words = append(words, word{label: name, kind: aVariable, detail: "set by " + id, topic: "preprocessors", name: id, insert: name + closing, span: span, spans: true})
		}
	}
	for _, p := range facts.Paths() {
		if p.Kind != facts.Object {
			words = append(words, word{label: p.Name, kind: aProperty, detail: p.Doc, topic: "paths", insert: p.Name + closing, span: span, spans: true})
		}
	}
	return words
}

func isNameByte(c byte) bool {
	return c == '.' || c == '_' || c == '[' || c == ']' || c == '^' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
