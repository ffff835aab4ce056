package rule

import (
	"path"
	"strings"
	"unicode"
)

// ProjectGlobs are the rule's globs in one language and relative to the project,
// whatever the dialects and folders of its files are; root is the project's folder,
// absolute, with slashes. extended says that they have groups such as `@(a|b)`. A
// rule whose globs can match nothing gets one that does not.
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
	if rest, ok := strings.CutPrefix(folder, strings.TrimSuffix(root, "/")+"/"); ok && !path.IsAbs(rest) {
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
