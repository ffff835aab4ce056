package hook

import (
	"path/filepath"
	"slices"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/packed"
	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// watchers are the rules with triggers that count for a call: all that is needed before a call.
type watchers struct {
	broken   bool // some trigger cannot be used
	unread   bool // some files of rules were not read
	fleet    bool // there are rules of a fleet that cannot be used
	full     bool // not all triggers fit: which are left out, only all together tell
	triggers []stream.Trigger
	rules    []watcherRule // in the same order
}

// watcherRule is what is told of a rule beside its trigger.
type watcherRule struct {
	path    string
	binding bool
	account bool // the user's account has it, and the environment has not
	// needs are texts for each pattern, one of which is in whatever matches it; none: any text may match.
	needs [][]string
}

// watching gives the rules with triggers that count for a call that names some files.
func (s *session) watching(named []string) (watchers, error) {
	cached := s.keptFor("triggers", named)
	if body, root, ok := cached.read(); ok {
		if w, ok := unpackWatchers(body); ok {
			s.root = root
			return w, nil
		}
	}
	if err := cached.watch(func() error { return s.load(named) }); err != nil {
		return watchers{}, err
	}
	w := s.watchers()
	cached.write(w.pack)
	return w, nil
}

// watchers are those of the rules that were read.
func (s *session) watchers() watchers {
	var w watchers
	known := make(map[string]bool, len(s.book.All()))
	for _, r := range s.book.All() {
		known[r.Path] = true
	}
	for _, d := range s.book.Unwatched() {
		switch d.Code {
		case diag.RuleOutsideWorkspace, diag.RuleEmpty:
			w.unread = true
		case diag.RuleTooLarge:
			read := known[d.File()]
			w.broken, w.unread = w.broken || read, w.unread || !read
		default:
			w.broken = true
		}
	}
	w.addAll(s)
	_, problems := stream.Compile(w.triggers, stream.Options{})
	for _, p := range problems {
		w.broken, w.full = true, w.full || p.Full
	}
	return w
}

// addAll adds all rules that have triggers: also those of the account that the environment has not.
func (w *watchers) addAll(s *session) {
	w.fleet = s.book.FleetProblem() != nil
	w.add(s.book, s.book.Rules(), s.root, false)
	if s.usualBook == nil {
		return
	}
	w.fleet = w.fleet || s.usualBook.FleetProblem() != nil
	known := map[string]bool{}
	for _, r := range s.book.All() {
		known[r.Path] = true
	}
	w.add(s.usualBook, slices.DeleteFunc(slices.Clone(s.usualBook.Rules()), func(r *rule.Rule) bool { return known[r.Path] }), s.root, true)
}

// add adds the rules of a book that have triggers.
func (w *watchers) add(book *pertain.Rulebook, rules []*rule.Rule, root string, account bool) {
	named := make(map[string]*rule.Rule, len(rules))
	for _, r := range rules {
		named[r.Name] = r
	}
	for _, t := range stream.FromRules(slashed(rules), filepath.ToSlash(root)) {
		r := named[t.Name]
		w.triggers, w.rules = append(w.triggers, t), append(w.rules, watcherRule{r.Path, book.Binding(r), account, needs(&t)})
	}
}

// needs are the texts without which a trigger's patterns match nothing.
func needs(t *stream.Trigger) [][]string {
	out := make([][]string, len(t.Patterns))
	for i, pattern := range t.Patterns {
		if re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}); bad == nil {
			if l := re.Required(); !l.Folded {
				out[i] = l.Any
			}
		}
	}
	return out
}

// maxNeeds is how much text is looked through for what patterns need, in bytes; in more of it looking for each takes longer
// than compiling all.
const maxNeeds = 32 << 10

// within are the watchers that may fire in some texts.
func (w watchers) within(texts []string) watchers {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	if w.full || size > maxNeeds {
		return w
	}
	out := watchers{broken: w.broken, unread: w.unread, fleet: w.fleet}
	for i := range w.triggers {
		if slices.ContainsFunc(w.rules[i].needs, func(any []string) bool {
			return slices.ContainsFunc(texts, regex.Literals{Any: any}.In)
		}) {
			out.triggers, out.rules = append(out.triggers, w.triggers[i]), append(out.rules, w.rules[i])
		}
	}
	return out
}

// use takes watchers for the rules of this call.
func (s *session) use(w watchers) *stream.Set {
	s.bound, s.ofAccount = map[string]bool{}, map[string]bool{}
	if s.rules == nil {
		s.rules = map[string]*rule.Rule{}
	}
	for i, t := range w.triggers {
		s.bound[t.Name] = s.bound[t.Name] || w.rules[i].binding
		s.ofAccount[t.Name] = s.ofAccount[t.Name] || w.rules[i].account
		if s.rules[t.Name] == nil {
			r := &rule.Rule{Name: t.Name, Path: w.rules[i].path, Level: rule.Project, Content: t.Body}
			if t.Own {
				r.Level = rule.User
			}
			s.rules[t.Name] = r
		}
	}
	if w.broken {
		s.problem(errTrigger)
	}
	if w.unread {
		s.problem(errUnread)
	}
	if w.fleet {
		s.problem(errFleet)
		s.lack = errFleet
	}
	set, _ := stream.Compile(w.triggers, stream.Options{}) // what is wrong is known
	return set
}

func (w watchers) pack(p *packed.Writer) {
	p.Flag(w.broken)
	p.Flag(w.unread)
	p.Flag(w.fleet)
	p.Flag(w.full)
	p.Count(len(w.triggers))
	for i, t := range w.triggers {
		for _, text := range []string{t.Name, t.Path, t.Body, string(t.InterruptMode)} {
			p.Text(text)
		}
		p.Flag(t.Own)
		p.Flag(t.Extglobs)
		for _, list := range [][]string{t.Patterns, t.Scope, t.Globs} {
			p.List(list)
		}
		p.Text(w.rules[i].path)
		p.Flag(w.rules[i].binding)
		p.Flag(w.rules[i].account)
		for _, texts := range w.rules[i].needs {
			p.List(texts)
		}
	}
}

func unpackWatchers(p *packed.Reader) (watchers, bool) {
	w := watchers{broken: p.Flag(), unread: p.Flag(), fleet: p.Flag(), full: p.Flag(), triggers: make([]stream.Trigger, p.Count())}
	w.rules = make([]watcherRule, len(w.triggers))
	for i := range w.triggers {
		t := stream.Trigger{
			Name: p.Text(), Path: p.Text(), Body: p.Text(), InterruptMode: stream.InterruptMode(p.Text()), Own: p.Flag(), Extglobs: p.Flag(),
			Patterns: p.List(), Scope: p.List(), Globs: p.List(),
		}
		r := watcherRule{path: p.Text(), binding: p.Flag(), account: p.Flag(), needs: make([][]string, len(t.Patterns))}
		for j := range r.needs {
			r.needs[j] = p.List()
		}
		w.triggers[i], w.rules[i] = t, r
	}
	return w, p.Done()
}
