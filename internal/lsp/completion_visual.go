package lsp

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// queryWords continue a visual query: types after a slash, attributes and functions in
// brackets.
func queryWords(query string, c cursor) []word {
	start := len(query)
	for start > 0 && (isNameByte(query[start-1]) && query[start-1] != '[' && query[start-1] != ']') {
		start--
	}
	at := c.whole.Start + start
	end := at + len(query) - start
	span := diag.Span{Start: at, End: end}
	before := query[:start]
	if strings.Count(before, "'")%2 == 1 || strings.Count(before, `"`)%2 == 1 {
		return nil // a text to compare with
	}
	var words []word
	add := func(label string, kind wordKind, detail, insert, name string) {
		words = append(words, word{label: label, kind: kind, detail: detail, topic: "visual", name: name, insert: insert, span: span, spans: true})
	}
	attributes := func(sign string) {
		for _, a := range visual.Attributes() {
			add(sign+a.String(), aProperty, a.Kind().String()+", "+a.Doc(), sign+a.String(), "@"+a.String())
		}
	}
	switch {
	case strings.HasSuffix(before, "@"):
		attributes("")
	case strings.HasSuffix(before, "("):
		attributes("@")
	case strings.HasSuffix(before, "["):
		attributes("@")
		for _, name := range visual.Functions() {
			add(name, aFunction, "", name+"(", name)
		}
	case before == "" || strings.HasSuffix(before, "/"):
		prefix := ""
		if before == "" {
			prefix = "//"
		}
		for _, name := range facts.ElementTypes() {
			add(prefix+name, aClass, "", prefix+name, name)
		}
	}
	return words
}
