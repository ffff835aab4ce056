package plan

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// locate finds a placeholder in the file that its template came from: the
// strategy's own, or the one that `from` names.
func (b *builder) locate(text string, hole part) (*diag.Source, diag.Span) {
	length := len(hole.text) + len("{}")
	whole, known := b.wholes[text]
	if !known {
		whole = b.find(func(source string) int { return strings.LastIndex(source, text) })
		if b.wholes == nil {
			b.wholes = map[string]place{}
		}
		b.wholes[text] = whole
	}
	if whole.source != nil {
		return whole.source, diag.Span{Start: whole.at + hole.at, End: whole.at + hole.at + length}
	}
	// A text that YAML has folded or unescaped: its placeholders stand there as they are.
	if alone := b.find(func(source string) int { return strings.Index(source, "{"+hole.text+"}") }); alone.source != nil {
		return alone.source, diag.Span{Start: alone.at, End: alone.at + length}
	}
	return b.in.Strategy.Source, diag.NoSpan
}

// place is where a text stands; no source: nowhere.
type place struct {
	source *diag.Source
	at     int
}

// find looks into the strategy's own file, then into those that it includes.
func (b *builder) find(index func(source string) int) place {
	for _, source := range append([]*diag.Source{b.in.Strategy.Source}, b.in.Strategy.Includes...) {
		if source == nil {
			continue
		}
		if at := index(source.Text()); at >= 0 {
			return place{source, at}
		}
	}
	return place{}
}
