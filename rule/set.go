package rule

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/diag"
)

// Options say how a set answers. The zero value is the default.
type Options struct {
	Documented bool   // exactly as the rulebook describes: rule:// reaches rulebook rules only
	Root       string // the project's root, absolute, with slashes; for notes
	FoldCase   bool   // paths are compared without case

	// Agent is the one whose view this is: the rules are those that it loads, in its
	// order. Empty: all agents together.
	Agent string
	// Beside: rules with one name do not hide each other, as the agent has it.
	Beside bool

	// Trusted are the folders of the project that the user trusts, absolute, with
	// slashes, as they are written and without links. What lies elsewhere comes from
	// strangers: its rules hide no rule of the user's own that has a trigger.
	Trusted []string
}

// Set is all rules in order of precedence. It is immutable and safe for
// concurrent use. A nil one has no rules.
type Set struct {
	options  Options
	all      []*Rule // shadowed and disabled ones too
	rules    []*Rule // those that are neither
	byName   map[string]*Rule
	warnings diag.List

	indexOnce sync.Once
	index     *index
}

// NewSet makes a set of rules that are in order of precedence: of several with
// one name the first that is not switched off wins, but no trigger of the user's own is lost to a stranger
// (see [Options.Trusted]). It takes the rules over. A loser whose text is another
// than the winner's is reported.
func NewSet(rules []*Rule, warnings diag.List, options Options) *Set {
	s := &Set{options: options, all: rules, warnings: slices.Clone(warnings)}
	if !options.Documented {
		s.hideExported()
	}
	if !options.Documented && options.Agent == "" {
		s.mergeCopies()
	}
	if !options.Documented {
		s.nameFolders()
	}
	if !options.Documented && options.Agent == "" {
		s.orderFolders()
	}
	s.byName = s.winners()
	met := make(map[*Rule]bool, len(s.byName))
	for _, r := range s.all {
		if r.Shadowed || r.Disabled { // a part of another, or switched off
			continue
		}
		if winner := s.byName[r.Name]; winner != r && !options.Beside {
			s.shadow(r, winner, !met[winner])
			continue
		}
		met[r] = true
		s.rules = append(s.rules, r)
	}
	s.weigh()
	s.checkNames()
	s.warnings = s.warnings.Limit()
	return s
}

func (s *Set) orEmpty() *Set {
	if s == nil {
		return &Set{}
	}
	return s
}

// All are all rules, shadowed and disabled ones too. The slice must not be changed.
func (s *Set) All() []*Rule { return s.orEmpty().all }

// Rules are the rules that are neither shadowed nor disabled. The slice must not be changed.
func (s *Set) Rules() []*Rule { return s.orEmpty().rules }

// Bucket are the rules of one bucket that are neither shadowed nor disabled.
func (s *Set) Bucket(b Bucket) []*Rule {
	var out []*Rule
	for _, r := range s.Rules() {
		if r.Bucket == b {
			out = append(out, r)
		}
	}
	return out
}

// Alone is a set that holds only one rule of this set, for questions about that rule alone.
func (s *Set) Alone(r *Rule) *Set {
	return &Set{options: s.orEmpty().options, all: []*Rule{r}, rules: []*Rule{r}, byName: map[string]*Rule{r.Name: r}}
}

// Warnings is everything that was found while loading.
func (s *Set) Warnings() diag.List { return s.orEmpty().warnings }

// triggerKey tells a line with a field that an author meant to be a trigger, also in
// frontmatter that cannot be read.
var triggerKey = regexp.MustCompile(`(?i)^["']?(?:ttsr[_-]?trigger|condition)["']?[ \t]*:`)

// namesTrigger tells whether a text has such a line. What no such line begins with is not
// given to the expression, which takes much longer.
func namesTrigger(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if line != "" && strings.IndexByte(`"'tTcC`, line[0]) >= 0 && triggerKey.MatchString(line) {
			return true
		}
	}
	return false
}

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
	named := map[*diag.Source]bool{} // a file may have many warnings, and be large
	names := func(source *diag.Source, text string) bool {
		is, known := named[source]
		if !known {
			is = namesTrigger(text)
			named[source] = is
		}
		return is
	}
	var out diag.List
	for _, d := range s.warnings {
		if d.Source != nil && unwatches(d, files[d.File()], names) {
			out.Add(d)
		}
	}
	return out
}

// unwatches tells whether a warning about the file of a rule, nil if there is none,
// concerns its triggers; names tells whether the text of a source names one.
func unwatches(d diag.Diagnostic, r *Rule, names func(source *diag.Source, text string) bool) bool {
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
			names(d.Source, d.Source.Text())
	}
	if r.overfull && d.Code == diag.RuleTooLarge {
		return r.Watches()
	}
	return len(r.Triggers) == 0 && d.Code != diag.RuleOutsideWorkspace && names(r.Source, head(r))
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
