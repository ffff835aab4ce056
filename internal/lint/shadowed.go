package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// manyNames is how many names two tools have in common at least whose rules are kept
// for both.
const manyNames = 5

// withoutSynced leaves out that rules hide others which are copies of them for
// another tool, and that copies have the fields of the tools they are for. Where two tools share many names with different texts, that is told
// once, and not for each of them.
func withoutSynced(list diag.List, rules []*rule.Rule) diag.List {
	byPath := make(map[string]*rule.Rule, len(rules))
	for _, r := range rules {
		byPath[r.Path] = r
	}
	copies := map[string][]*rule.Rule{} // by their whole text
	for _, r := range rules {
		copies[wholeText(r)] = append(copies[wholeText(r)], r)
	}
	type pair struct{ hidden, winner string }
	of := func(d *diag.Diagnostic) (pair, bool) {
		r := byPath[d.File()]
		if d.Code != diag.RuleShadowed || r == nil || r.ShadowedBy == nil || r.Provider == r.ShadowedBy.Provider {
			return pair{}, false
		}
		return pair{r.Provider, r.ShadowedBy.Provider}, true
	}
	list = slices.DeleteFunc(slices.Clone(list), func(d diag.Diagnostic) bool {
		_, ok := of(&d)
		return ok && byPath[d.File()].KeptAlike(byPath[d.File()].ShadowedBy) || d.Code == diag.RuleWrongKey && keptFor(byPath[d.File()], d, copies)
	})
	count := map[pair]int{}
	for i := range list {
		if p, ok := of(&list[i]); ok {
			count[p]++
		}
	}
	told := map[pair]bool{}
	out := list[:0]
	for i := range list {
		d := list[i]
		p, ok := of(&d)
		if ok && count[p] >= manyNames {
			if told[p] {
				continue
			}
			told[p] = true
			d.Message = fmt.Sprintf("%d rules of `%s` have the names of rules of `%s` and other texts; who reads both has those of `%s` alone", count[p], p.hidden, p.winner, p.winner)
			d.Hint = "this is the first of them; give them other names, or the same text"
		}
		out = append(out, d)
	}
	return out
}

// keptFor tells whether the field that a warning is about is that of another tool for which the very same file is kept, under the same
// name.
func keptFor(r *rule.Rule, d diag.Diagnostic, copies map[string][]*rule.Rule) bool {
	if r == nil || d.Span.End > len(r.Source.Text()) || d.Span.Start < 0 {
		return false
	}
	key := strings.Trim(r.Source.Text()[d.Span.Start:d.Span.End], `"'`)
	return slices.ContainsFunc(copies[wholeText(r)], func(other *rule.Rule) bool {
		return other.Provider != r.Provider && slices.Contains(other.Format.FieldNames(), key)
	})
}

// wholeText is a rule's name without folders, and its file without the differences that editors make.
func wholeText(r *rule.Rule) string {
	return path.Base(r.Name) + "\x00" + strings.TrimSpace(strings.ReplaceAll(r.Source.Text(), "\r\n", "\n"))
}
