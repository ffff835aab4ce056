package rule

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/mark"
)

// unite makes one rule of those that have one name and one text: the first keeps
// its place and gets what any of them has, the others are shadowed by it. People
// keep the same rule for several tools.
func (s *Set) unite() {
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
		for _, t := range p.Triggers {
			if !slices.Contains(r.Triggers, t) {
				r.Triggers = append(slices.Clip(r.Triggers), t)
			}
		}
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

// GlobOrigins are the rules whose files have one of the globs, by its number, each with the dialect and base by which it is read
// there: this one, or those of its name and text that were made one with it.
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

// Export is what a file says about having been written by `pertain export`, and not changed since.
type Export struct {
	// Sources are the files that it was made from: as the mark says, relative to the project or `~/…`, until the search that found
	// the file makes them absolute, with slashes.
	Sources []string

	section bool   // only a section of the file was
	inner   string // what was, as it stands there
	rest    string // what is left without the section
}

// text is a file's text without the marks of `pertain export`.
func (r *Rule) text(body string, memory bool) string {
	whole := r.Source.Text()
	if m, ok := mark.Find(whole); ok {
		if m.Intact {
			r.Export = &Export{Sources: m.Sources, inner: mark.Strip(body)}
		}
		return trim(mark.Strip(body))
	}
	if !memory {
		return trim(body)
	}
	s, ok, err := mark.FindSection(body)
	if !ok || err != nil {
		return trim(body)
	}
	before, after := body[:s.Start], body[s.Stop:]
	if !s.Fresh && s.Intact {
		r.Export = &Export{Sources: s.Sources, section: true, inner: s.Inner, rest: trim(before + after)}
	}
	return trim(before + s.Inner + after)
}

// foldExports makes files that were exported from rules of the set no rules of their own: their text is there already. A file whose
// sources are not all here stays a rule, whatever it says of itself, and so does a section of one. Where an agent loads several
// files that were made from one rule, the one with the fewest others in it is kept, and what it repeats is not.
func (s *Set) foldExports() {
	have := make(map[string]*Rule, len(s.all))
	var exports []*Rule
	for _, r := range s.all {
		switch {
		case r.Disabled:
		case r.Export == nil:
			have[s.slashed(r.Path)] = r
		case len(r.Export.Sources) > 0:
			exports = append(exports, r)
		}
	}
	slices.SortStableFunc(exports, func(a, b *Rule) int { return len(a.Export.Sources) - len(b.Export.Sources) })
	for _, r := range exports {
		var sources []*Rule
		for _, path := range r.Export.Sources {
			if source := have[s.slashed(path)]; source != nil {
				sources = append(sources, source)
			}
		}
		if len(sources) < len(r.Export.Sources) || !s.fold(r, sources) {
			for _, path := range r.Export.Sources {
				if path = s.slashed(path); have[path] == nil && len(r.Export.Sources) == 1 {
					have[path] = r
				}
			}
		}
	}
}

// fold takes what was exported out of the view, where the rules that it was made from are in it; false if it stays.
func (s *Set) fold(r *Rule, sources []*Rule) bool {
	texts := make([]string, len(sources))
	for i, source := range sources {
		texts[i] = source.Text()
	}
	switch same := mark.HoldsOnly(r.Export.inner, texts); {
	case same:
	case slices.ContainsFunc(sources, func(source *Rule) bool { return source.Export != nil }):
		return false // another file says that it is of the same rule; what it says is not the same
	default:
		d := diag.At(r.Source, diag.NoSpan, diag.RuleShadowed, "the file says that it was exported from %s, but does not hold just its text", sources[0].Path).
			WithHint("run `pertain export` again, or look at the file: agents load what it says").
			WithRelated(sources[0].Source, diag.NoSpan, "this is the rule")
		d.Provider = r.Provider
		s.warnings.Add(d)
	}
	if r.Export.section && r.Export.rest != "" {
		r.Content = r.Export.rest
		return true
	}
	r.Shadowed, r.ShadowedBy = true, sources[0]
	return true
}

func (s *Set) slashed(path string) string {
	if s.options.FoldCase {
		return strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	}
	return path
}
