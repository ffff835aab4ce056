package export

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
)

// dialect is what an agent makes of a glob.
type dialect struct {
	gitignore bool // a line of .gitignore, without case
	baseName  bool // without a slash it is meant in any folder
	anywhere  bool // and nothing can say that it is meant in one folder alone
	extended  bool // groups such as `@(a|b)` mean something, and braces around a single item nothing
	all       bool // `**` and its like mean that the rule is always on
}

// projectGlobs are the globs of a rule in one language, relative to the root. What Claude Code means by one is written as people
// write it. extended says that groups such as `+(a|b)` in them are no text.
func projectGlobs(r *rule.Rule, root string) (list []string, extended bool) {
	add := func(g string) {
		if g = strings.TrimSuffix(g, "/"); g != "" && !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	for i, text := range r.Globs {
		for _, from := range r.GlobOrigins(i) {
			if from.Format == nil {
				continue
			}
			one := &rule.Rule{Globs: []string{text}, Format: from.Format, Base: from.Base}
			if from.Format.Gitignore && !slashInBraces.MatchString(text) {
				below := ""
				if rel, ok := strings.CutPrefix(from.Base, strings.TrimSuffix(root, "/")+"/"); ok {
					below = escapeGlob(rel) + "/"
				}
				for _, g := range fromGitignore(text) {
					add(below + g)
				}
				continue
			}
			globs, groups := one.ProjectGlobs(root)
			if slices.Equal(globs, []string{"/"}) { // it can match nothing
				continue
			}
			for _, g := range globs {
				if groups {
					g = plainGroups(g)
				}
				add(g)
			}
			extended = extended || groups
		}
	}
	return list, extended && slices.ContainsFunc(list, groups.MatchString)
}

// folderGlobs are the globs of a rule that end with a slash and so match folders alone, which no file is: written without it they take more.
// Where a tool means what lies in the folder, that is among the rule's globs by itself.
func folderGlobs(r *rule.Rule, root string) []string {
	var out []string
	for i, text := range r.Globs {
		for _, from := range r.GlobOrigins(i) {
			if from.Format == nil || from.Format.Gitignore || !strings.HasSuffix(text, "/") || slices.Contains(out, text) {
				continue
			}
			one := &rule.Rule{Globs: []string{text}, Format: from.Format, Base: from.Base}
			globs, _ := one.ProjectGlobs(root)
			if len(globs) == 1 && globs[0] != "/" && strings.HasSuffix(globs[0], "/") {
				out = append(out, text)
			}
		}
	}
	return out
}

// slashInBraces is a glob whose alternatives are paths: each would be read by itself.
var slashInBraces = regexp.MustCompile(`\{[^}]*/[^}]*\}`)

// fromGitignore says as paths what a line of .gitignore means to Claude Code. That a file may be called like a folder, and the
// other way round, is left out.
func fromGitignore(g string) []string {
	if strings.HasPrefix(g, "./") || strings.HasPrefix(g, "#") || strings.HasPrefix(g, "!") {
		return nil // it means nothing there
	}
	name, below := strings.CutSuffix(g, "/**")
	if trimmed, ok := strings.CutSuffix(name, "/"); ok {
		name, below = trimmed, true
	}
	anchored := strings.Contains(name, "/")
	switch name = strings.TrimLeft(name, "/"); {
	case name == "":
		return nil
	case name == "**", name == "*" && !anchored:
		return []string{"**"}
	case !anchored:
		name = "**/" + name
	}
	last := lastSegment(name)
	switch {
	case name == "**/*":
		return []string{name}
	case last == "*" || last == "**":
		return []string{strings.TrimSuffix(name, last) + "**"}
	case below:
		return []string{name + "/**"}
	case strings.Contains(last, "."):
		return []string{name}
	}
	return []string{name, name + "/**"}
}

func lastSegment(g string) string { return g[strings.LastIndexByte(g, '/')+1:] }

// group is a simple group of extended globs that braces can say.
var group = regexp.MustCompile(`([@?])\(([^()\\{}\[\]]*)\)`)

// plainGroups writes groups as braces where that is the same.
func plainGroups(g string) string {
	return group.ReplaceAllStringFunc(g, func(m string) string {
		items := strings.ReplaceAll(m[2:len(m)-1], "|", ",")
		if m[0] == '?' {
			items = "," + items
		}
		if !strings.Contains(items, ",") {
			return items
		}
		return "{" + items + "}"
	})
}

// groups is anything that only extended globs have.
var groups = regexp.MustCompile(`[@?*+!]\(|\{[^{},]*\.\.[^{},]*\}`)

// say writes a glob in a dialect. The loss says what of it is another there; exact is false if it cannot be said at all.
// anyCase says that the glob is compared without case where it comes from.
func (d dialect) say(g string, extended, anyCase bool) (text, loss string, exact bool) {
	if strings.ContainsAny(g, "\n\r\x00") || visible.Strip(g) != g {
		return "", "", false
	}
	if groups.MatchString(g) {
		switch {
		case extended != d.extended && (extended || strings.Contains(g, "..")):
			return "", "", false
		case !extended && d.extended:
			g = strings.NewReplacer(`\(`, `\(`, `\)`, `\)`, "(", `\(`, ")", `\)`).Replace(g)
		}
	}
	g = guarded(g)
	if d.extended || d.baseName {
		g = singleBraces.ReplaceAllString(g, "$1$2")
	}
	switch {
	case d.all && isEverything(g):
		return everyFile, "", true // the same files, once one is touched
	case d.gitignore:
		return sayGitignore(g, anyCase)
	case d.baseName && !strings.Contains(g, "/"):
		if d.anywhere {
			return g, "globs: it is taken in any folder; that it is for files of the root alone is said before the text", true
		}
		return "/" + g, "", true
	}
	return g, "", true
}

// everyFile matches every file, and is none of the globs that agents take for a rule that is always on.
const everyFile = "**/?*"

func isEverything(g string) bool { return g == "**" || g == "**/*" || g == everyFile }

// singleBraces are braces around one item.
var singleBraces = regexp.MustCompile(`(^|[^\\])\{([^{},\\]*)\}`)

// sayGitignore writes a glob as a line of .gitignore, which Claude Code compares without case: what would be meant in any folder gets a slash before it.
func sayGitignore(g string, anyCase bool) (text, loss string, exact bool) {
	if isEverything(g) {
		return "**/*", "", true
	}
	if strings.HasSuffix(g, " ") || strings.HasSuffix(g, `\`) {
		return "", "", false
	}
	trimmed := strings.TrimSuffix(strings.TrimSuffix(g, "/*"), "/**")
	if strings.HasSuffix(g, "/**/*") {
		g = trimmed + "/**"
	} else {
		trimmed = strings.TrimSuffix(g, "/**")
	}
	last := lastSegment(trimmed)
	switch {
	case letterClass.MatchString(g) || !anyCase && capital.MatchString(g):
		loss = "globs: Claude Code compares paths without case, so `" + g + "` takes more"
	case trimmed == g && !strings.Contains(strings.TrimPrefix(last, "."), "."): // folders have dots before their names
		loss = "globs: Claude Code takes what lies below a folder that `" + g + "` matches, too"
	}
	if !strings.Contains(trimmed, "/") || strings.HasPrefix(g, "#") || strings.HasPrefix(g, "!") {
		g = "/" + g
	}
	return g, loss, true
}

// capital is a letter that somebody wrote in this case on purpose. A glob of small letters alone is rarely meant to leave out the others, and
// to tell it of every glob would hide what else is lost.
var capital = regexp.MustCompile(`\p{Lu}`)

// letterClass is a class that tells letters of one case from the other.
var letterClass = regexp.MustCompile(`\[[^\]]*\pL[^\]]*\]`)

// guarded writes what a list of globs would take for its own: a comma between patterns, blanks and quotes around one.
func guarded(g string) string {
	var b strings.Builder
	depth, class := 0, false
	runes := []rune(g)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		edge := i == 0 || i == len(runes)-1
		switch {
		case r == '\\' && i+1 < len(runes):
			b.WriteRune(r)
			i++
			r = runes[i]
		case class:
			class = r != ']'
		case r == '[' && slices.Contains(runes[i:], ']'):
			class = true
		case r == '{':
			depth++
		case r == '}' && depth > 0:
			depth--
		case r == ',' && depth == 0, edge && strings.ContainsRune(" \t\"'`", r):
			b.WriteString("[" + string(r) + "]")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// escapeGlob makes a glob that matches a path and nothing else.
func escapeGlob(path string) string {
	var b strings.Builder
	for _, r := range path {
		if strings.ContainsRune(`*?[]{}()\!,`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// sameGlob is a glob as it is compared: ways to write one thing are one.
func sameGlob(g string) string {
	g = strings.TrimPrefix(strings.TrimPrefix(g, "./"), "/")
	g = singleBraces.ReplaceAllString(guarded(g), "$1$2")
	if isEverything(g) {
		return "**"
	}
	if folder, ok := strings.CutSuffix(g, "/**/*"); ok {
		return folder + "/**"
	}
	return g
}

func sameGlobs(list []string) []string {
	out := make([]string, len(list))
	for i, g := range list {
		out[i] = sameGlob(g)
	}
	return sortedUnique(out)
}

// staticFolder is the folder that all of these globs are in, without wildcards; empty: the root. whole says that they mean
// all that is in it.
func staticFolder(globs []string) (folder string, whole bool) {
	for i, g := range globs {
		parts := strings.Split(g, "/")
		n := slices.IndexFunc(parts, func(p string) bool { return strings.ContainsAny(p, `*?[]{}()\!`) })
		if n < 0 {
			n = len(parts) - 1
		}
		n = min(n, len(parts)-1)
		at := strings.Join(parts[:n], "/")
		if i > 0 && at != folder || at == "" {
			return "", false
		}
		rest := strings.Join(parts[n:], "/")
		folder, whole = at, (i == 0 || whole) && (rest == "**" || rest == "**/*")
	}
	return folder, whole
}
