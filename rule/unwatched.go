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
// could not be read though a trigger stands in it, files and folders that were not
// read at all or not to their end. Who relies on a trigger has to know.
func (s *Set) Unwatched() diag.List {
	s = s.orEmpty()
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
	case diag.RuleInvalidYAML:
		if strings.Contains(d.Message, "`ttsr_trigger`") || strings.Contains(d.Message, "`condition`") { // one that stands there twice
			return true
		}
	case diag.RuleTooLarge, diag.RuleEmpty, diag.RuleOutsideWorkspace:
	default:
		return false
	}
	if r == nil {
		return strings.Contains(d.Message, "cannot be read") || strings.Contains(d.Message, "left out") || d.Code == diag.RuleOutsideWorkspace ||
			triggerKey.MatchString(d.Source.Text())
	}
	if r.overfull && d.Code == diag.RuleTooLarge {
		return r.Watches()
	}
	return len(r.Triggers) == 0 && d.Code != diag.RuleOutsideWorkspace && triggerKey.MatchString(head(r))
}

// maxHead is how much of a file without frontmatter is taken for what may have been
// meant to be one, in bytes.
const maxHead = 4096

// head is the frontmatter of a rule. One that is never closed is text, too.
func head(r *Rule) string {
	text := r.Source.Text()
	if before := text[:len(text)-len(r.Content)]; strings.TrimSpace(before) != "" {
		return before
	}
	return text[:min(len(text), maxHead)]
}

// LeftOut are the warnings about files and folders that a limit kept from being read, so
// that there may be rules in them that nobody has seen.
func (s *Set) LeftOut() diag.List {
	s = s.orEmpty()
	read := make(map[string]bool, len(s.all))
	for _, r := range s.all {
		read[r.Path] = true
	}
	var list diag.List
	for _, d := range s.warnings {
		if d.Code == diag.RuleTooLarge && !read[d.File()] {
			list.Add(d)
		}
	}
	return list
}
