package rule

// Binding tells whether the user stands behind a rule: it is one of the user's own, or lies in a folder that the user trusts.
// What a stranger's repository says may be shown to a model, but nobody vouches for it.
func (s *Set) Binding(r *Rule) bool { return r.Level == User || s.trusts(r) }
