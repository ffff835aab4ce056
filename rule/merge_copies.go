package rule

import (
	"slices"
	"strings"
)

// mergeCopies makes one rule of those that have one name and one text: the first keeps
// its place and gets what any of them has, the others are shadowed by it. People
// keep the same rule for several tools.
func (s *Set) mergeCopies() {
	type key struct{ name, text string }
	first := make(map[key]*Rule, len(s.all))
	for _, r := range s.all {
		if r.Disabled || r.Shadowed {
			continue
		}
		k := key{r.Name, plainForm(r.Content)}
		if winner := first[k]; winner == nil {
			first[k] = r
		} else if winner.mayTake(r) {
			winner.take(r)
			r.Shadowed, r.ShadowedBy = true, winner
		}
	}
}

// mayTake tells whether an equal rule may become a part of this one. What the user
// relies on must not hang on a stranger's file: neither becomes the other's.
func (r *Rule) mayTake(other *Rule) bool {
	return r.Level == other.Level || len(r.Triggers) == 0 && len(other.Triggers) == 0
}

// plainForm is a text as it is compared: line ends and white space at the ends do
// not count.
func plainForm(text string) string {
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSpace(text)
}

// take adds to a rule what another one with the same name and text has.
func (r *Rule) take(other *Rule) {
	if r.parts == nil {
		own := *r // as its file says
		r.parts = []*Rule{&own}
	}
	r.parts = append(r.parts, other)
	r.Globs, r.origins, r.withins = nil, nil, nil
	r.Activation = strongest(r.parts)
	for _, p := range r.parts {
		if p.decidesByGlobs() {
			for _, g := range p.Globs {
				at := slices.Index(r.Globs, g)
				if at < 0 {
					r.Globs, r.origins = append(r.Globs, g), append(r.origins, []*Rule{p})
				} else if !slices.ContainsFunc(r.origins[at], p.sameGround) {
					r.origins[at] = append(r.origins[at], p)
				}
			}
		}
		if r.Description == nil {
			r.Description = p.Description
		}
		if r.AlwaysApply == nil || isTrue(p.AlwaysApply) {
			r.AlwaysApply = p.AlwaysApply
		}
		r.Triggers = withAll(r.Triggers, p.Triggers)
		if p.isAlways() || r.Activation != AlwaysActive {
			r.withins = append(r.withins, p.Within)
		}
		if r.Scope == nil {
			r.Scope = p.Scope
		}
	}
	if len(r.Triggers) > 0 {
		r.Trigger = &r.Triggers[0]
	}
	if r.watchesAll() {
		r.Globs, r.origins = nil, nil
	}
	r.Bucket = r.bucket()
}

// watchesAll tells whether one of the parts has triggers for every file: what the
// others say about files must not narrow them.
func (r *Rule) watchesAll() bool {
	return slices.ContainsFunc(r.parts, func(p *Rule) bool { return len(p.Triggers) > 0 && len(p.Globs) == 0 })
}

// sameGround tells whether a glob means the same in two parts.
func (r *Rule) sameGround(other *Rule) bool {
	return r.Base == other.Base && r.Within == other.Within && r.Format == other.Format
}

// isAlways tells whether the rule's own fields put it into every prompt.
func (r *Rule) isAlways() bool {
	return r.Activation == AlwaysActive || r.Activation == ByFields && isTrue(r.AlwaysApply)
}

// decidesByGlobs tells whether the rule's globs count.
func (r *Rule) decidesByGlobs() bool {
	return len(r.Globs) > 0 && (r.Activation == ByFields || len(r.Triggers) > 0)
}

// strongest is how a rule of several parts is activated: always before globs
// before description before not at all.
func strongest(parts []*Rule) Activation {
	best, rank := parts[0].Activation, -1
	for _, p := range parts {
		at := 0
		switch {
		case p.isAlways():
			at = 4
		case p.Activation == ByFields && len(p.Globs) > 0:
			at = 3
		case p.Activation != Manual && p.Activation != Never && p.Description != nil:
			at = 2
		case p.Activation != Manual && p.Activation != Never:
			at = 1
		}
		if at > rank {
			best, rank = p.Activation, at
		}
	}
	if rank == 4 {
		return AlwaysActive
	}
	return best
}

// GlobOrigins are the rules in whose files the glob of this number stands, each with the dialect and base by which it is read
// there: this rule, or those of the same name and text that were merged with it.
func (r *Rule) GlobOrigins(number int) []*Rule {
	if r.origins == nil {
		return []*Rule{r}
	}
	return r.origins[number]
}

// scopes are the folders whose files the rule is for; "": every file.
func (r *Rule) scopes() []string {
	if r.withins == nil {
		return []string{r.Within}
	}
	return r.withins
}

// withAll are the texts of one list and those of another that are not among them; neither list is changed.
func withAll(list, more []string) []string {
	met := make(map[string]bool, len(list))
	for _, t := range list {
		met[t] = true
	}
	out := slices.Clip(list)
	for _, t := range more {
		if !met[t] {
			met[t] = true
			out = append(out, t)
		}
	}
	return out
}
