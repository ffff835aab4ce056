package rule

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/visible"
)

// Import is a file whose text was put into that of a rule: the part of the rule's content that it takes.
type Import struct {
	Path       string // absolute, without links
	Start, End int    // in bytes of Content
}

// Once is what a text for a model holds already, so that nothing stands there twice: neither a text with several names, nor a file
// that several rules import. The zero value holds nothing.
type Once struct {
	files map[string]bool // absolute paths
	texts map[string]bool // in their plain form
}

// AddFile says that the text of a file is there.
func (o *Once) AddFile(path string) {
	if o.files == nil {
		o.files, o.texts = map[string]bool{}, map[string]bool{}
	}
	if path != "" {
		o.files[path] = true
	}
}

// Take is what a rule adds, and from then on it is there; see [Once.Rest].
func (o *Once) Take(r *Rule) string {
	rest := o.Rest(r)
	o.add(r)
	return rest
}

// Rest is what a rule would add: its content without the imports that have come already. It is empty if all of it has.
func (o *Once) Rest(r *Rule) string {
	if o.holds(r) {
		return ""
	}
	var b strings.Builder
	at, cut := 0, false
	for _, part := range r.Imported {
		if part.Start < at { // inside of one that has come
			continue
		}
		if o.files[part.Path] || o.texts[seenForm(r.Content[part.Start:part.End])] {
			b.WriteString(r.Content[at:part.Start])
			at, cut = part.End, true
		}
	}
	b.WriteString(r.Content[at:])
	if !cut {
		return r.Content
	}
	return strings.TrimSpace(b.String())
}

// holds tells whether the whole of a rule has come, as a text or as a file that another one imports.
func (o *Once) holds(r *Rule) bool {
	if o.texts[seenForm(r.Content)] {
		return true
	}
	if !o.files[r.Path] && (r.Real == "" || !o.files[r.Real]) {
		return false
	}
	for _, path := range r.Includes { // what imports others need not have led that far
		if !o.files[path] {
			return false
		}
	}
	return true
}

func (o *Once) add(r *Rule) {
	o.AddFile(r.Path)
	o.AddFile(r.Real)
	o.texts[seenForm(r.Content)] = true
	for _, part := range r.Imported {
		o.AddFile(part.Path)
		o.texts[seenForm(r.Content[part.Start:part.End])] = true
	}
}

// seenForm is a text as a model gets it and texts are compared.
func seenForm(text string) string { return plainForm(visible.Strip(text)) }
