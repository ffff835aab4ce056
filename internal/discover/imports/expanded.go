package imports

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/rule"
)

// expanded is a text with what it imports, and where that stands in it.
type expanded struct {
	text  string
	parts []rule.Import // by their beginnings, outer ones first
}

// of is the text of an imported file.
func (e expanded) of(path string) expanded {
	e.parts = append([]rule.Import{{Path: path, End: len(e.text)}}, e.parts...)
	return e
}

// trimmed is the text without the white space at its ends.
func (e expanded) trimmed() expanded {
	text := strings.TrimSpace(e.text)
	before := strings.Index(e.text, text)
	out := expanded{text: text, parts: slices.Clone(e.parts)}
	for i := range out.parts {
		p := &out.parts[i]
		p.Start, p.End = min(max(p.Start-before, 0), len(text)), min(max(p.End-before, 0), len(text))
	}
	return out
}

// expandedBuilder puts such a text together.
type expandedBuilder struct {
	strings.Builder
	parts []rule.Import
}

func (b *expandedBuilder) add(e expanded) {
	at := b.Len()
	b.WriteString(e.text)
	for _, p := range e.parts {
		p.Start, p.End = p.Start+at, p.End+at
		b.parts = append(b.parts, p)
	}
}
