package lsp

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// word is something that may be written at an offset.
type word struct {
	label  string
	kind   wordKind
	detail string // a few words beside it
	topic  string // of the reference, which says more
	name   string // in the reference; empty: the label
	insert string // instead of the label
	span   diag.Span
	spans  bool // span says what is replaced
}

// wordKind is one of the protocol's kinds of completion.
type wordKind int

const (
	aFunction wordKind = 3
	aField    wordKind = 5
	aVariable wordKind = 6
	aClass    wordKind = 7
	aProperty wordKind = 10
	aValue    wordKind = 12
	aKeyword  wordKind = 14
	aFile     wordKind = 17
	aChoice   wordKind = 20
	anOp      wordKind = 24
)

type completionItem struct {
	Label         string    `json:"label"`
	Kind          wordKind  `json:"kind"`
	Detail        string    `json:"detail,omitempty"`
	Documentation *markup   `json:"documentation,omitempty"`
	SortText      string    `json:"sortText"`
	TextEdit      *textEdit `json:"textEdit"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

// maxWords is how many words are offered; with more, the editor asks again as somebody
// types on.
const maxWords = 1_000

// completion offers what may be written at an offset.
func (s *server) completion(ctx context.Context, params positionParams) (any, error) {
	list := completionList{Items: []completionItem{}}
	b, by := s.open(params.TextDocument.URI)
	if b == nil {
		return list, nil
	}
	offset := b.text.offset(params.Position, by)
	words, c := s.words(ctx, b, offset)
	for i, w := range words {
		if len(list.Items) == maxWords {
			list.IsIncomplete = true
			break
		}
		span := c.whole
		if w.spans {
			span = w.span
		}
		insert := w.insert
		if insert == "" {
			insert = w.label
		}
		item := completionItem{
			Label: w.label, Kind: w.kind, Detail: w.detail, SortText: sortText(i),
			TextEdit: &textEdit{Range: textRange{b.text.position(span.Start, by), b.text.position(span.End, by)}, NewText: insert},
		}
		if text := w.explain(); text != "" {
			item.Documentation = markdown(text)
		}
		list.Items = append(list.Items, item)
	}
	return list, ctx.Err()
}

// sortText keeps the order in which words are offered.
func sortText(number int) string {
	const digits = "0123456789"
	return string([]byte{digits[number/1000%10], digits[number/100%10], digits[number/10%10], digits[number%10]})
}

// explain is what the reference says about a word.
func (w word) explain() string {
	name := w.name
	if name == "" {
		name = w.label
	}
	return explain(w.topic, name)
}

// words are those for an offset, by what the document is.
func (s *server) words(ctx context.Context, b *buffer, offset int) ([]word, cursor) {
	where, start := b.partOf(offset)
	var c cursor
	if where == fields {
		c = cursorAt(b.text.string, start, offset)
	}
	var words []word
	switch {
	case where == outside:
	case b.kind == strategyFile && (where == body || c.text):
		words = b.placeholders(offset)
	case where == body:
	case b.kind == strategyFile:
		words = s.strategyWords(ctx, b, c)
	case b.kind == ruleFile:
		words = s.ruleWords(ctx, b, c)
	case b.kind == settingsFile:
		words = s.settingWords(ctx, b, c)
	case b.kind == contextFile:
		words = schemaWords(schemaOf("context"), "paths", c)
	case b.kind == testFile:
		words = s.caseWords(ctx, b, c)
	}
	if c.key == "" && !c.item && where == fields {
		words = asKeys(b, c, words)
	}
	return words, c
}

// asKeys writes words as keys: with their colon, unless there is one.
func asKeys(b *buffer, c cursor, words []word) []word {
	rest := b.text.string[c.whole.End:]
	if strings.HasPrefix(rest, ":") || c.quote != 0 && strings.HasPrefix(rest, string(c.quote)+":") {
		return words
	}
	for i, w := range words {
		switch {
		case w.insert != "":
		case c.quote != 0:
			words[i].insert = w.label + string(c.quote) + ": "
			if strings.HasPrefix(rest, string(c.quote)) {
				words[i].insert = w.label
			}
		default:
			words[i].insert = w.label + ": "
		}
	}
	return words
}

// schemaWords are keys and values that a schema knows.
func schemaWords(root part, topic string, c cursor) []word {
	at := root
	for _, key := range c.keys {
		at = at.below(root, key)
	}
	var words []word
	if c.key != "" || c.item {
		if c.key != "" {
			at = at.below(root, c.key)
		}
		for _, v := range at.values(root) {
			words = append(words, word{label: v, kind: aChoice})
		}
		if c.key != "" || len(words) > 0 {
			return words
		}
	}
	prefix := strings.Join(append(c.keys[:len(c.keys):len(c.keys)], ""), ".")
	for _, name := range at.names(root) {
		words = append(words, word{label: name, kind: aField, detail: at.below(root, name).description(), topic: topic, name: prefix + name})
	}
	return words
}
