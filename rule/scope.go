package rule

import (
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// ScopeProblems are the scopes of the rule's triggers that name nothing. A rule
// that has no other scope never fires. They are among what [Read] returns.
func (r *Rule) ScopeProblems() diag.List {
	var list diag.List
	if len(r.Triggers) == 0 || len(r.Scope) == 0 {
		return nil
	}
	entries, nodes := r.scopeEntries()
	valid := slices.ContainsFunc(entries, func(e ScopeEntry) bool { return e.Message == "" })
	for i, e := range entries {
		if e.Message == "" {
			continue
		}
		effect := "the rule never fires"
		if valid {
			effect = "it watches nothing"
		}
		span := diag.NoSpan
		if nodes[i] != nil {
			span = nodes[i].SpanOf(e.Offset, e.Offset+len(e.Text))
		}
		d := diag.At(r.Source, span, diag.RuleInvalidField, "%s: `%s`; %s", e.Message, e.Text, effect)
		d.Hint, d.Provider = e.Hint, r.Provider
		list.Add(d)
	}
	return list
}

// scopeEntries are the scopes of a rule and, for each, what it is written in: nil if
// they are not those of the rule's file.
func (r *Rule) scopeEntries() (entries []ScopeEntry, nodes []*document.Node) {
	if n := r.Frontmatter.Get("scope"); n != nil {
		items := []*document.Node{n}
		if n.Kind == document.Sequence {
			items = n.Items
		}
		for _, item := range items {
			if item.Kind != document.String {
				continue
			}
			for _, e := range ReadScope(item.Text) {
				entries, nodes = append(entries, e), append(nodes, item)
			}
		}
		if slices.EqualFunc(entries, r.Scope, func(e ScopeEntry, word string) bool { return e.String() == word }) {
			return entries, nodes
		}
	}
	entries = nil
	for _, word := range r.Scope {
		entries = append(entries, ReadScope(word)...)
	}
	return entries, make([]*document.Node, len(entries))
}

// scope reads the field; what is wrong with it is told by ScopeProblems.
func (f *Fields) scope() []string {
	var out []string
	for _, text := range f.Texts("scope") {
		for _, e := range ReadScope(text) {
			out = append(out, e.String())
		}
	}
	return out
}
