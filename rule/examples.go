package rule

import (
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// Examples are texts that a rule's triggers must, and must not, match.
type Examples struct {
	Match   []Example
	NoMatch []Example
}

// Len counts them.
func (e *Examples) Len() int { return len(e.Match) + len(e.NoMatch) }

// Example is one text and where it is written.
type Example struct {
	Text string
	Span diag.Span
}

// exampleKeys are what `examples` may hold.
var exampleKeys = []string{"match", "no_match"}

const exampleShape = "write `examples: {match: [\"…\"], no_match: [\"…\"]}`"

// examples reads the field of that name.
func (f *Fields) examples() Examples {
	n := f.node.Get("examples")
	switch {
	case n == nil || n.Kind == document.Null || f.Salvaged:
		return Examples{} // of what is no YAML, nested fields cannot be told
	case n.Kind != document.Mapping:
		f.wrong(n, "`examples` must be a map of `match` and `no_match`, not %s; it is left out", n.Kind).Hint = exampleShape
		return Examples{}
	}
	for _, e := range n.Entries {
		if slices.Contains(exampleKeys, e.Key.Text) {
			continue
		}
		d := diag.At(f.rule.Source, e.Key.Span(), diag.RuleUnknownField, "`examples` has no field `%s`; what it holds is not tried", e.Key.Text)
		right := diag.Nearest(e.Key.Text, exampleKeys)
		if right == "" {
			f.list.Add(d.WithHint("the fields are `match` and `no_match`"))
			continue
		}
		f.list.Add(d.WithHint("did you mean `%s`?", right))
		if n.Get(right) == nil {
			f.offer(e, right, "examples."+right)
		}
	}
	return Examples{Match: f.exampleTexts(n, "match"), NoMatch: f.exampleTexts(n, "no_match")}
}

// exampleTexts reads a list of texts; one text counts as a list of one. An empty
// text is an example like any other.
func (f *Fields) exampleTexts(examples *document.Node, key string) []Example {
	n := examples.Get(key)
	if n == nil || n.Kind == document.Null {
		return nil
	}
	items := n.Items
	switch n.Kind {
	case document.Sequence:
	case document.Mapping:
		f.wrong(n, "`examples.%s` must be a list of texts, not %s; it is left out", key, n.Kind).Hint = exampleShape
		return nil
	default:
		items = []*document.Node{n}
	}
	var out []Example
	for _, item := range items {
		if item.Kind != document.String {
			f.wrong(item, "`examples.%s` must hold texts, not %s; this one is left out", key, item.Kind).Hint = "put the text in quotes"
			continue
		}
		out = append(out, Example{Text: item.Text, Span: item.Span()})
	}
	return out
}
