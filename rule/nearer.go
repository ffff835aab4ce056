package rule

import "slices"

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
