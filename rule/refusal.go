package rule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
)

// withAlwaysIn adds to a note which program of the tool loads the rule always.
func (r *Rule) withAlwaysIn(note string) string {
	if r.Format.AlwaysIn == "" || r.Bucket == Always || r.Shadowed || r.Disabled {
		return note
	}
	if note != "" {
		note += "; "
	}
	return note + r.Format.AlwaysIn + " loads this always"
}

// refusal says why a rule does not apply to a file.
func (s *Set) refusal(i int, r *Rule, f File) Verdict {
	v := s.refused(i, r, f)
	v.Note = r.withAlwaysIn(v.Note)
	return v
}

func (s *Set) refused(i int, r *Rule, f File) Verdict {
	v := Verdict{Rule: r, Why: NoGlobMatch}
	p := s.index.plans[i]
	if p.never {
		v.Why = p.why
	} else if by := s.index.inPlace(i, f); by != nil {
		v.Why, v.Note = IsShadowed, "hidden by the rule of the same name in "+s.fileName(by.Path)+", which is nearer to this file"
		return v
	}
	switch v.Why {
	case IsShadowed:
		v.Note = "hidden by the rule of the same name in " + s.fileName(r.ShadowedBy.Path)
		if r.Export != nil {
			v.Note = "it was exported from " + s.fileName(r.ShadowedBy.Path)
		} else if s.stands(r.ShadowedBy, r) && r.Level != User {
			v.Note = "your own trigger of the same name stays in force: " + s.fileName(r.ShadowedBy.Path)
		}
	case IsNever:
		v.Note = neverNote(r)
	case IsManual:
		v.Note = manualNote(r)
		if r.Format.Contested != nil {
			if more := r.Format.Contested(r); more != "" {
				v.Note += "; " + more
			}
		}
	case IsInvalid:
		v.Note = "none of its globs can be read"
		if r.overfull {
			v.Note = "with the globs of the rules before it, there are more than can be compared"
		} else if _, negated := r.Format.negation(r.Globs[0]); negated && !r.Format.negates() {
			v.Note += "; " + r.Format.Tool + " has no globs that begin with `!`"
		}
	default:
		if v.Note = s.scopeNote(r, p, f); v.Note != "" {
			return v
		}
		if !p.byGlobs {
			v.Note = s.folderNote(r)
			return v
		}
		v.Note = s.globNote(r, p, f)
	}
	return v
}

// neverNote says what keeps a rule from ever being loaded: what its author wrote, or
// what the agent that is asked about does with it.
func neverNote(r *Rule) string {
	paths := r.Frontmatter.Get("paths")
	switch on, isFlag := r.Frontmatter.Get("enabled").Bool(); {
	case r.Disabled && (isFlag && !on || r.When == ""):
		return "`enabled: false` switches it off"
	case r.Disabled:
		return "the settings of " + r.Format.Tool + " switch it off"
	case r.When != NotAtAll, slices.Contains(r.Format.GlobKeys, "paths") && paths != nil && paths.Kind == document.Sequence && len(paths.Items) == 0:
		return "its empty list of paths switches it off"
	case r.Format.Whole, r.Format.Memory: // nothing else keeps such a file out
		return "the files before it take all the room that " + r.Format.Tool + " has for them"
	case r.Lost:
		return r.Format.Tool + " cannot read its frontmatter, and does not load it"
	case r.Frontmatter.Get("excludeAgent") != nil:
		return "its `excludeAgent` keeps " + r.Format.Tool + " out"
	}
	return r.Format.Tool + " never loads it: none of its fields brings a rule to the model there; docs/agents.md lists those that do"
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

// folderNote names the folder that a rule is for.
func (s *Set) folderNote(r *Rule) string {
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

// fileName shows a file relative to the project's root.
func (s *Set) fileName(path string) string {
	slash := path
	if s.options.FoldCase {
		slash = strings.ReplaceAll(path, `\`, "/")
	}
	if s.options.Root != "" && inside(s.options.Root, slash) {
		return strings.TrimPrefix(slash[len(s.options.Root):], "/")
	}
	return path
}

// globNote looks for the glob that the author probably meant.
func (s *Set) globNote(r *Rule, p *plan, f File) string {
	file := s.index.fold(f.Path)
	near := func(c compiled) (rel string, ok bool) {
		if !inside(c.base, file) || c.within != "" && !inside(c.within, file) {
			return "", false
		}
		if rel = strings.TrimPrefix(file[len(c.base):], "/"); c.from.Format.Gitignore {
			rel = glob.Fold(rel)
		}
		return rel, true
	}
	elsewhere := true
	for _, c := range p.globs {
		rel, ok := near(c)
		if !ok {
			continue
		}
		elsewhere = false
		if c.negated && c.match(rel) {
			if c.from.Format.Alone {
				return "`" + c.text + "` means every other file"
			}
			return "`" + c.text + "` takes this file out"
		}
	}
	if elsewhere {
		return s.folderNote(r)
	}
	for i, list := range s.misses(p) {
		rel, ok := near(p.globs[i])
		if !ok {
			continue
		}
		if p.globs[i].never != "" && len(p.globs) == 1 {
			return "`" + p.globs[i].text + "` does not match this file: " + p.globs[i].never
		}
		for _, m := range list {
			path := rel
			if m.folds {
				path = glob.Fold(rel)
			}
			if m.glob.match(path) {
				return m.note
			}
		}
	}
	if len(r.Globs) == 1 {
		return "`" + r.Globs[0] + "` does not match this file"
	}
	return "none of its " + strconv.Itoa(len(r.Globs)) + " globs matches this file"
}

// nearMiss is a glob that the author may have meant by one that does not match.
type nearMiss struct {
	glob  pattern // as the tool reads it
	folds bool    // the path is compared without case
	note  string
}

// nearMisses are what authors often mean, compiled once.
func (s *Set) nearMisses(c compiled) []nearMiss {
	r := c.from
	meant := strings.TrimPrefix(strings.TrimPrefix(c.text, "./"), "/")
	if plain := singleBraces(meant); plain != meant && (r.Format.Extglobs || r.Format.Alone) {
		if g, ok := compileGlob(r, plain, s.options.FoldCase); ok {
			return []nearMiss{{g, false, "`" + c.text + "` has braces around one item, which are a part of the name; `" + plain + "` would match this file"}}
		}
	}
	if c.negated {
		return nil // it matches too much, if anything
	}
	if s.options.FoldCase {
		meant = glob.Fold(meant)
	}
	var out []nearMiss
	try := func(pattern string, folds bool, note string) {
		if g, ok := compileGlob(r, pattern, s.options.FoldCase); ok && !g.negated {
			out = append(out, nearMiss{g, folds, "`" + c.text + "` " + note})
		}
	}
	if c.never != "" {
		try(meant, false, "does not match this file: "+c.never)
		return out
	}
	if len(c.pieces) == 1 && !c.pieces[0].glob.HasSlash() {
		try("**/"+meant, false, "matches only in "+s.folderName(r.Base)+"; `**/"+meant+"` would match this file")
	}
	folder := strings.TrimSuffix(meant, "/")
	try(folder+"/**", false, "names a folder, not the files in it; `"+folder+"/**` would match this file")
	if i := strings.LastIndexByte(folder, '/'); i > 0 && !strings.HasSuffix(folder[:i], "**") && folder[i+1:] != "**" {
		deep := folder[:i] + "/**" + folder[i:]
		try(deep, false, "does not enter folders below; `"+deep+"` would match this file")
	}
	try(glob.Fold(meant), true, "differs from this file's path in upper and lower case")
	if _, rest, ok := strings.Cut(meant, "/"); ok && !strings.HasPrefix(meant, "**") && !strings.HasPrefix(rest, "**") {
		try("**/"+rest, false, "is relative to "+s.folderName(r.Base)+", and this file is elsewhere")
	}
	return out
}

// misses finds the near misses of all globs, the first time somebody asks.
func (s *Set) misses(p *plan) [][]nearMiss {
	p.nearOnce.Do(func() {
		for _, c := range p.globs {
			p.near = append(p.near, s.nearMisses(c))
		}
	})
	return p.near
}
