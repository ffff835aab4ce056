package rule

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/mark"
)

// Export is what a file says about having been written by `pertain export`, and not changed since.
type Export struct {
	// Sources are the files that it was made from: as the mark says, relative to the project or `~/…`, until the search that found
	// the file makes them absolute, with slashes.
	Sources []string

	section     bool   // only a section of the file was
	inner, rest string // the section, and what is left without it
}

// text is a file's text without the marks of `pertain export`.
func (r *Rule) text(body string, memory bool) string {
	whole := r.Source.Text()
	if m, ok := mark.Find(whole); ok {
		if m.Intact {
			r.Export = &Export{Sources: m.Sources}
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
	content := r.Content
	if r.Export.section {
		content = r.Export.inner
	}
	switch same := mark.HoldsOnly(content, texts); {
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
