package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/glob"
)

// maxGlobWeight is what all globs of a set may weigh, those in scopes included: some fifty thousand ordinary ones. Braces
// count as what they stand for, so that a stranger's repository cannot make every comparison take seconds.
const maxGlobWeight = 1 << 20

// Overfull tells that the rule's globs, with those of the rules before it, are more than a set may have: it applies to no
// file, and its triggers watch nothing.
func (r *Rule) Overfull() bool { return r.overfull }

// weigh takes the globs of rules up to the limit, the user's own first, and tells of those that did not fit.
func (s *Set) weigh() {
	total := 0
	var left [2][]*Rule // without triggers, and with them
	for _, level := range []Level{User, Project} {
		for _, r := range s.all {
			switch {
			case r.Shadowed || r.Disabled || (r.Level == User) != (level == User) || !r.comparesGlobs():
			case total <= maxGlobWeight:
				total += r.globWeight()
			case r.Watches():
				r.overfull = true
				left[1] = append(left[1], r)
			default:
				r.overfull = true
				left[0] = append(left[0], r)
			}
		}
	}
	for i, rules := range left {
		if len(rules) == 0 {
			continue
		}
		effect := "it applies to no file"
		if i == 1 {
			effect = "its triggers watch nothing"
		}
		if more := len(rules) - 1; more > 0 {
			effect += fmt.Sprintf(", nor do those of %d more like it", more)
		}
		d := diag.At(rules[0].Source, diag.NoSpan, diag.RuleTooLarge, "with the globs of the rules before it, there are more than can be compared: %s", effect).
			WithHint("write fewer globs, with fewer alternatives in braces")
		d.Provider = rules[0].Provider
		s.warnings.Add(d)
	}
}

// comparesGlobs tells whether files are compared with globs of the rule.
func (r *Rule) comparesGlobs() bool {
	if len(r.Triggers) > 0 && slices.ContainsFunc(r.Scope, func(word string) bool { return strings.Contains(word, "(") }) {
		return true
	}
	return r.decidesByGlobs() && (len(r.Triggers) > 0 || !r.isAlways())
}

// globWeight is what the rule's globs weigh. What cannot be read weighs nothing: it is never compared.
func (r *Rule) globWeight() int {
	total := 0
	for number, text := range r.Globs {
		for _, from := range r.GlobOrigins(number) {
			if from.Format != nil && from.Format.Gitignore {
				total += weightOfLines(text)
				continue
			}
			total += weightOf(text, from.Format != nil && from.Format.Extglobs)
		}
	}
	if len(r.Triggers) > 0 {
		for _, word := range r.Scope {
			for _, e := range scopesWithGlobs(word) {
				for _, text := range e.Globs {
					total += weightOf(text, false)
				}
			}
		}
	}
	return total
}

// weightOf is what a glob weighs. One without groups need not be read for that.
func weightOf(text string, extended bool) int {
	if !strings.ContainsAny(text, "{(") {
		return 2 + 2*len(text)
	}
	if extended {
		p, err := glob.CompileExtended(strings.TrimLeft(text, "/"))
		if err != nil {
			return 0
		}
		return p.Weight()
	}
	p, err := glob.CompilePath(strings.TrimLeft(text, "/"))
	if err != nil {
		return 0
	}
	return p.Weight()
}

// weightOfLines is what a glob weighs whose braces are written out as lines of .gitignore, some of them only, however many they stand for.
func weightOfLines(text string) int {
	if !strings.Contains(text, "{") {
		return weightOf(text, false)
	}
	total := 0
	lines, _ := gitignorePieces(text)
	for _, line := range lines {
		total += weightOf(line, false)
	}
	return total
}

// scopesWithGlobs are the entries of a scope, if one of them may have globs.
func scopesWithGlobs(word string) []ScopeEntry {
	if !strings.Contains(word, "(") {
		return nil
	}
	return ReadScope(word)
}
