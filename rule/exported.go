package rule

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/mark"
)

// exporting is the view of `pertain export` and `pertain import`, which is no agent's: every rule stands beside the others.
const exporting = "export"

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

// hideExported makes files that were exported from rules of the set no rules of their own: their text is there already. A file whose
// sources are not all here is out of date where rules are still kept where it came from (see outdated); else it stays a rule, whatever
// it says of itself, and so does a section of one. Where an agent loads several
// files that were made from one rule, the one with the fewest others in it is kept, and what it repeats is not.
func (s *Set) hideExported() {
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
	made := make(map[string]bool, len(exports))
	for _, r := range exports {
		made[s.slashed(r.Path)] = true
	}
	again := func(r *Rule) int { // made from a file that was exported itself: that one is settled first
		if slices.ContainsFunc(r.Export.Sources, func(path string) bool { return made[s.slashed(path)] }) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(exports, func(a, b *Rule) int {
		return cmp.Or(again(a)-again(b), len(a.Export.Sources)-len(b.Export.Sources))
	})
	for _, r := range exports {
		var sources []*Rule
		for _, path := range r.Export.Sources {
			if source := have[s.slashed(path)]; source != nil {
				sources = append(sources, source)
			}
		}
		if len(sources) < len(r.Export.Sources) && s.outdated(r) {
			continue
		}
		if len(sources) < len(r.Export.Sources) || !s.hideBehind(r, sources) {
			have[s.slashed(r.Path)] = r // what is left of a rule may be exported again
			for _, path := range r.Export.Sources {
				if path = s.slashed(path); have[path] == nil && len(r.Export.Sources) == 1 {
					have[path] = r
				}
			}
		}
	}
}

// hideBehind takes what was exported out of the view, where the rules that it was made from are in it; false if it stays.
func (s *Set) hideBehind(r *Rule, sources []*Rule) bool {
	texts := make([]string, len(sources))
	for i, source := range sources {
		texts[i] = source.Text()
		if source.Export != nil { // an agent that knows no frontmatter reads it as text
			texts[i] = mark.Body(texts[i])
		}
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
	r.leave(sources[0])
	return true
}

// leave takes what was exported out of the view: the whole file, or its section.
func (r *Rule) leave(source *Rule) {
	if r.Export.section && r.Export.rest != "" {
		r.Content, r.Imported = r.Export.rest, nil
		return
	}
	r.Shadowed, r.ShadowedBy = true, source
}

// outdated takes an exported file out of the view although a rule that it was made from was renamed, removed or switched off: what is kept
// beside that rule is what counts, and the next export says the same. An agent loads the file all the same, and it stays in the agent's
// view. It is false if no rules are kept there any longer: then the file is all that is left of them.
func (s *Set) outdated(r *Rule) bool {
	if s.options.Agent != "" && s.options.Agent != exporting {
		return false
	}
	here := make(map[string]bool, len(s.all))
	for _, other := range s.all {
		here[s.slashed(other.Path)] = other.Export == nil && !other.Disabled
	}
	missing := slices.DeleteFunc(slices.Clone(r.Export.Sources), func(source string) bool { return here[s.slashed(source)] })
	folders := map[string]bool{}
	for _, source := range missing {
		if dir := path.Dir(s.slashed(source)); dir != s.slashed(s.options.Root) { // many tools have their files at the root
			folders[dir] = true
		}
	}
	for _, other := range s.all {
		own := other.Level == r.Level && (other.Provider == "pertain" || other.Provider == "native")
		if other.Export != nil || !own && !folders[path.Dir(s.slashed(other.Path))] {
			continue
		}
		d := diag.At(r.Source, diag.NoSpan, diag.RuleShadowed, "the file was exported from %s, which is no rule here any longer", missing[0]).
			WithHint("run `pertain export` again, with --prune if no rule becomes this file: agents load what it says")
		d.Provider = r.Provider
		s.warnings.Add(d)
		r.leave(other)
		return true
	}
	return false
}

func (s *Set) slashed(path string) string {
	if s.options.FoldCase {
		return strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	}
	return path
}
