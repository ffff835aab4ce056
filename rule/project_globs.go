package rule

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/internal/glob"
)

// ProjectGlobs are the rule's globs in one language and relative to the project,
// whatever the dialects and folders of its files are; root is the project's folder,
// absolute, with slashes. extended says that they have groups such as `@(a|b)`. A
// rule whose globs can match nothing gets one glob that matches nothing.
func (r *Rule) ProjectGlobs(root string) (globs []string, extended bool) {
	for number, text := range r.Globs {
		for _, from := range r.GlobOrigins(number) {
			p, ok := compileGlob(from, text, false)
			if !ok {
				continue
			}
			extended = extended || from.Format.Extglobs
			below := relativeFolder(root, from.Base)
			for _, piece := range p.pieces {
				body := piece.text
				if from.Format.Gitignore {
					body = anyCase(body)
				}
				if body = below + body; p.negated {
					if piece.folder {
						continue
					}
					body = "!" + body
				}
				globs = append(globs, body)
			}
		}
	}
	if globs == nil && len(r.Globs) > 0 {
		globs = []string{"/"} // no file is called so
	}
	return globs, extended
}

// relativeFolder is a folder as it stands before a glob; empty for the root, and
// for what lies elsewhere.
func relativeFolder(root, folder string) string {
	if rest, ok := strings.CutPrefix(folder, strings.TrimSuffix(root, "/")+"/"); ok && rest != "" && !path.IsAbs(rest) {
		return escapeGlob(rest) + "/"
	}
	return ""
}

// escapeGlob makes a glob that matches a path and nothing else.
func escapeGlob(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`*?[]{}()\!`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// anyCase makes a glob match whatever the case of its letters.
func anyCase(s string) string {
	var b strings.Builder
	escaped, class := false, false
	for _, r := range s {
		upper, lower := unicode.ToUpper(r), unicode.ToLower(r)
		switch {
		case class && upper != lower:
			b.WriteString(string(lower) + string(upper))
		case !class && upper != lower && escaped:
			b.WriteRune(r)
		case !class && upper != lower:
			b.WriteString("[" + string(lower) + string(upper) + "]")
		default:
			b.WriteRune(r)
		}
		if !escaped {
			switch r {
			case '[':
				class = true
			case ']':
				class = false
			}
		}
		escaped = r == '\\' && !escaped
	}
	return b.String()
}

// narrowing is the files outside of which a trigger can never fire, since each entry
// of its scope has globs: a list for each entry. nil: any file.
type narrowing [][]*glob.Path

// narrowed reads the scope of a rule with a trigger.
func (r *Rule) narrowed() narrowing {
	if r.documented || r.overfull || len(r.Scope) == 0 {
		return nil
	}
	var out narrowing
	for _, word := range r.Scope {
		for _, e := range ReadScope(word) {
			if e.Message != "" { // it watches nothing
				continue
			}
			if e.Globs == nil {
				return nil
			}
			var globs []*glob.Path
			for _, text := range e.Globs {
				g, bad := glob.CompileAnywhere(text)
				if bad != nil {
					return nil
				}
				globs = append(globs, g)
			}
			out = append(out, globs)
		}
	}
	return out
}

func (n narrowing) takes(paths []string) bool {
	return n == nil || slices.ContainsFunc(n, func(globs []*glob.Path) bool { return glob.MatchAny(globs, paths) })
}

// scopePaths are the names of a file as the scope of a rule knows it: relative to the project.
func (s *Set) scopePaths(r *Rule, f File) []string {
	var out []string
	paths := []string{f.Path, f.Real}
	if r.Level == User {
		paths = append(paths, s.ownPaths(f)...)
	}
	for _, path := range paths {
		if path == "" {
			continue
		}
		if s.options.Root != "" && inside(s.options.Root, path) {
			path = strings.TrimPrefix(path[len(s.options.Root):], "/")
		}
		out = append(out, path)
	}
	return out
}

// inScope leaves out the triggers that cannot fire in a file.
func (s *Set) inScope(found []hit, f File) []hit {
	narrow := func(h hit) bool { return s.index.plans[h.rule].narrow != nil }
	if !slices.ContainsFunc(found, narrow) {
		return found
	}
	return slices.DeleteFunc(slices.Clone(found), func(h hit) bool {
		return !s.index.plans[h.rule].narrow.takes(s.scopePaths(s.all[h.rule], f))
	})
}

// scopeNote says that the scope of a trigger leaves a file out; empty: it does not.
func (s *Set) scopeNote(r *Rule, p *plan, f File) string {
	if p.narrow.takes(s.scopePaths(r, f)) {
		return ""
	}
	return "its trigger watches only `" + strings.Join(r.Scope, "`, `") + "`, and this file is none of these"
}

// severalGlobs are the globs that an author wrote as one, with something else than commas between them, or in parentheses; nil if it
// is one.
func severalGlobs(f *Format, text string) []string {
	bare := text
	if inner, ok := strings.CutPrefix(text, "("); ok && !f.Extglobs && strings.HasSuffix(inner, ")") && !strings.ContainsAny(inner[:len(inner)-1], "()") {
		bare = inner[:len(inner)-1]
	}
	split := func(parts []string, each string) []string {
		var out []string
		for _, p := range parts {
			if p = strings.Trim(p, ",; \t\r\n"); p == "" {
				continue
			}
			if each != "" && !strings.ContainsAny(p, each) || strings.Count(p, "{") != strings.Count(p, "}") {
				return nil // a name, or what stands between the braces of one glob
			}
			out = append(out, p)
		}
		return out
	}
	if strings.ContainsAny(bare, "()[\\") {
		return nil
	}
	for _, parts := range [][]string{
		split(strings.Split(bare, ";"), ""),
		split(strings.Fields(bare), "*"), // names have blanks, too
	} {
		if len(parts) > 1 {
			return parts
		}
	}
	if !f.Extglobs && !strings.Contains(bare, "{") {
		if parts := split(strings.Split(bare, "|"), "*/."); len(parts) > 1 {
			return parts
		}
	}
	if bare != text && strings.ContainsAny(bare, "*/.") {
		return []string{bare}
	}
	return nil
}

// commaGlobs are the globs that an author wrote as one with commas between them, for a tool that knows no such lists; nil if it is one.
func commaGlobs(f *Format, text string) []string {
	if !f.OnePattern {
		return nil
	}
	var out []string
	for _, item := range glob.SplitList(text) {
		out = append(out, item.Text)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// separated says how to write several globs.
func separated(f *Format, globs []string) string {
	key := f.GlobKeys[0]
	if len(globs) == 1 {
		return "write `" + key + ": \"" + globs[0] + "\"`, without the parentheses"
	}
	if f.OnePattern {
		return "write each as an element of a list: `" + key + ": [\"" + strings.Join(globs, "\", \"") + "\"]`"
	}
	return "commas stand between globs: `" + key + ": \"" + strings.Join(globs, ", ") + "\"`"
}
