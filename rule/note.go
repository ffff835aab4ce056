package rule

import (
	"path"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
)

// refusal says why a rule does not apply to a file.
func (s *Set) refusal(i int, r *Rule, f File) Verdict {
	v := Verdict{Rule: r, Why: NoGlobMatch}
	p := &s.index.plans[i]
	if p.never {
		v.Why = p.why
	}
	switch v.Why {
	case IsShadowed:
		v.Note = "hidden by the rule of the same name in " + r.ShadowedBy.Path
	case IsNever:
		v.Note = "its empty list of paths switches it off"
	case IsManual:
		v.Note = manualNote(r)
	case IsInvalid:
		v.Note = "none of its globs can be read"
		if !r.Format.Negation {
			v.Note += "; " + r.Format.Tool + " has no globs that begin with `!`"
		}
	default:
		if !p.byGlobs {
			v.Note = s.placeNote(r)
			if r.Format.NearestWins && inside(p.within, s.index.fold(f.Path)) {
				v.Why = IsShadowed
				v.Note = "a file of this kind nearer to this one wins (some tools read both)"
			}
			return v
		}
		v.Note = s.globNote(r, p, f)
	}
	return v
}

func manualNote(r *Rule) string {
	switch {
	case r.Activation == Manual:
		return "it applies only when somebody asks for it: " + r.URI()
	case r.Activation == OnDescription:
		return "the model should decide, but there is no description to decide by"
	case r.Frontmatter == nil && len(r.Format.GlobKeys) > 0:
		return "it has no frontmatter that says when it applies; somebody must ask for it: " + r.URI()
	}
	return "it has neither globs nor a description nor `alwaysApply`; somebody must ask for it: " + r.URI()
}

// placeNote names the folder that a rule is for.
func (s *Set) placeNote(r *Rule) string {
	within := r.Within
	if within == "" {
		within = r.Base
	}
	return "it is for the files below " + s.folderName(within)
}

// folderName shows a folder relative to the project's root.
func (s *Set) folderName(folder string) string {
	if folder == s.options.Root {
		return "the project root"
	}
	if s.options.Root != "" && inside(s.options.Root, folder) {
		return "`" + strings.TrimPrefix(folder[len(s.options.Root):], "/") + "`"
	}
	return "`" + folder + "`"
}

// globNote looks for the glob that the author probably meant.
func (s *Set) globNote(r *Rule, p *plan, f File) string {
	file := s.index.fold(f.Path)
	if !inside(p.base, file) || p.within != "" && !inside(p.within, file) {
		return s.placeNote(r)
	}
	rel := strings.TrimPrefix(file[len(p.base):], "/")
	for _, c := range p.globs {
		if c.glob.Negated() && c.glob.Match(rel) {
			return "`" + c.text + "` takes this file out"
		}
	}
	for _, c := range p.globs {
		if note := s.nearMiss(r, c, rel); note != "" {
			return note
		}
	}
	if len(r.Globs) == 1 {
		return "`" + r.Globs[0] + "` does not match this file"
	}
	return "none of its " + strconv.Itoa(len(r.Globs)) + " globs matches this file"
}

// nearMiss tries what authors often mean by a glob that does not match.
func (s *Set) nearMiss(r *Rule, c compiled, rel string) string {
	meant := strings.TrimPrefix(strings.TrimPrefix(c.text, "./"), "/")
	tries := []struct{ pattern, because string }{
		{strings.TrimSuffix(meant, "/") + "/**", "names a folder, not the files in it"},
	}
	if !c.glob.HasSlash() {
		tries = append([]struct{ pattern, because string }{
			{"**/" + meant, "matches only in " + s.folderName(r.Base)},
		}, tries...)
	}
	for _, t := range tries {
		if matches(t.pattern, rel) {
			return "`" + c.text + "` " + t.because + "; `" + t.pattern + "` would match this file"
		}
	}
	if matches(glob.Fold(meant), glob.Fold(rel)) {
		return "`" + c.text + "` differs from this file's path in upper and lower case"
	}
	if _, rest, ok := strings.Cut(meant, "/"); ok && matches("**/"+rest, rel) && !strings.HasPrefix(meant, "**") && path.Ext(rel) != "" {
		return "`" + c.text + "` is relative to " + s.folderName(r.Base) + ", and this file is elsewhere"
	}
	return ""
}

func matches(pattern, rel string) bool {
	c, err := glob.CompilePath(pattern)
	return err == nil && c.Match(rel)
}
