package rule

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// winners decides which rule of each name is in force: the first in order of
// precedence, but for a guard of the user's own that the rules before it may not
// hide. The order of all rules stays.
func (s *Set) winners() map[string]*Rule {
	winners := make(map[string]*Rule, len(s.all))
	for _, r := range s.all {
		if r.Shadowed || r.Disabled { // a part of another, or switched off
			continue
		}
		if first := winners[r.Name]; first == nil || s.stands(r, first) || !s.options.Documented && !first.live() && r.live() {
			winners[r.Name] = r
		}
	}
	return winners
}

// stands tells whether a rule is in force in spite of an earlier one of the same
// name: a trigger is what the user relies on to stop a model, so a rule of the
// user's own that has one is hidden by no rule of a workspace that is not
// trusted, and by none without a trigger (docs/reference/rules.md).
func (s *Set) stands(r, earlier *Rule) bool {
	if s.options.Documented || r.Level != User || !r.Watches() {
		return false
	}
	return !earlier.Watches() || earlier.Level != User && !s.trusts(earlier)
}

// live tells whether anything but a person who asks for it can bring the rule to a
// model. What is not hides nothing that is (docs/reference/rules.md).
func (r *Rule) live() bool {
	switch {
	case r.Disabled, r.Activation == Never, r.Activation == Manual:
		return false
	}
	return r.Bucket != None || len(r.Globs) > 0
}

// Watches tells whether a trigger of the rule can fire. In the view of one agent that is not the bucket's to say: the agent may load
// the rule at the start, and Pertain watches it all the same.
func (r *Rule) Watches() bool {
	return (r.Bucket == TTSR || r.When != "" && len(r.Triggers) > 0) && r.Activation != Never && !r.Disabled
}

// trusts tells whether a rule of the project lies in a folder that the user
// trusts, links followed, and in no repository of its own there.
func (s *Set) trusts(r *Rule) bool {
	lies := func(path string) bool {
		if s.options.FoldCase {
			path = strings.ReplaceAll(path, `\`, "/")
		}
		return slices.ContainsFunc(s.options.Trusted, func(folder string) bool { return folder != "" && inside(folder, path) })
	}
	return r.Inner == "" && lies(r.Path) && (r.Real == "" || lies(r.Real))
}

// Binding tells whether the user stands behind a rule: it is one of the user's own, or lies in a folder that the user trusts.
// What a stranger's repository says may be shown to a model, but nobody vouches for it; nor for what lies above a project,
// which may be an archive, or the repository around it.
func (s *Set) Binding(r *Rule) bool { return r.Level == User && !r.above || s.orEmpty().trusts(r) }

// shadow marks a rule as hidden, and reports it if its text is lost. overruled
// says that by precedence it would have been the one to win.
func (s *Set) shadow(r, winner *Rule, overruled bool) {
	r.Shadowed, r.ShadowedBy = true, winner
	if plainForm(r.Content) == plainForm(winner.Content) || r.Real != "" && r.Real == winner.Real {
		return // the same rule twice: nothing is lost
	}
	if !s.options.Documented && !r.live() && winner.live() {
		return // nothing would have brought it to a model
	}
	message, hint := "the rule `%s` in %s is hidden by the one of the same name in %s", "give one of them another file name"
	if overruled {
		message, hint = "the rule `%s` in %s does not hide the trigger of the same name in %s", "a trigger of your own gives way only to one of a workspace that you trust; give one of them another file name"
	}
	d := diag.At(r.Source, diag.NoSpan, diag.RuleShadowed, message, r.Name, r.Path, winner.Path).
		WithHint("%s", hint).
		WithRelated(winner.Source, diag.NoSpan, "this one wins")
	d.Provider = r.Provider
	s.warnings.Add(d)
}

// nearer is a rule of the same tool and name in a folder below the working directory: for the files there it stands in the place of the
// outer one, as it would if one worked in that folder (docs/reference/rules.md).
type nearer struct {
	within string // folded
	by     *Rule
}

// override finds the rules in whose place others stand.
func (x *index) override() {
	type key struct{ provider, short string }
	outers := map[key][]int{}
	for i, r := range x.rules {
		if r.overrides() {
			outers[key{r.Provider, r.short}] = append(outers[key{r.Provider, r.short}], i)
		}
	}
	for _, r := range x.rules {
		if !r.overrides() || !r.nested {
			continue
		}
		for _, i := range outers[key{r.Provider, r.short}] {
			if o := x.rules[i]; outer(o.folder, r.folder) && (r.live() || !o.live()) {
				x.plans[i].nearer = append(x.plans[i].nearer, nearer{x.fold(r.Within), r})
			}
		}
	}
}

// overrides tells whether the nearer of rules of this kind with one name replaces the others.
func (r *Rule) overrides() bool {
	return r.Format != nil && r.Format.Overrides && r.Level == Project && !r.Shadowed && !r.Disabled && !r.documented
}

// inPlace is the rule that stands in the place of one for a file; nil if it holds itself.
func (x *index) inPlace(rule int, f File) *Rule {
	for _, n := range x.plans[rule].nearer {
		if inside(n.within, x.fold(f.Path)) {
			return n.by
		}
	}
	return nil
}

// nearest leaves out the rules in whose place others stand.
func (x *index) nearest(found []hit, f File) []hit {
	stands := func(h hit) bool { return x.inPlace(h.rule, f) != nil }
	if !slices.ContainsFunc(found, stands) {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), stands)
}

// replaced tells whether other rules stand in the place of one for all of some files.
func (s *Set) replaced(r *Rule, files []File) bool {
	if len(files) == 0 || !r.overrides() {
		return false
	}
	s.indexOnce.Do(func() { s.index = newIndex(s) })
	i := slices.Index(s.index.rules, r)
	return i >= 0 && !slices.ContainsFunc(files, func(f File) bool { return s.index.inPlace(i, f) == nil })
}
