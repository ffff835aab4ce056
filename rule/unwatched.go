package rule

import (
	"regexp"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// triggerKey finds a field that an author meant to be a trigger, also in
// frontmatter that cannot be read.
var triggerKey = regexp.MustCompile(`(?im)^[ \t]*["']?(?:ttsr[_-]?trigger|condition)["']?[ \t]*:`)

// Unwatched is what was found while loading that keeps a rule from watching
// anything, or may: expressions and values that are no triggers, frontmatter that
// could not be read though a trigger stands in it, files that could not be read at
// all. Who relies on a trigger has to know.
func (s *Set) Unwatched() diag.List {
	files := make(map[string]*Rule, len(s.all))
	for _, r := range s.all {
		files[r.Path] = r
	}
	var out diag.List
	for _, d := range s.warnings {
		if d.Source != nil && unwatches(d, files[d.File()]) {
			out.Add(d)
		}
	}
	return out
}

// unwatches tells whether a warning about the file of a rule, nil if there is none,
// concerns its triggers.
func unwatches(d diag.Diagnostic, r *Rule) bool {
	switch d.Code {
	case diag.RuleInvalidTrigger:
		return true
	case diag.RuleInvalidField, diag.RuleUnknownField, diag.RuleWrongKey:
		return strings.Contains(d.Message, "`ttsr_trigger`") || strings.Contains(d.Message, "`condition`") || strings.Contains(d.Hint, "`ttsr_trigger`")
	case diag.RuleInvalidYAML, diag.RuleTooLarge, diag.RuleEmpty:
	default:
		return false
	}
	if r == nil {
		return strings.Contains(d.Message, "cannot be read") || triggerKey.MatchString(d.Source.Text())
	}
	return len(r.Triggers) == 0 && triggerKey.MatchString(r.Source.Text()[:len(r.Source.Text())-len(r.Content)])
}
