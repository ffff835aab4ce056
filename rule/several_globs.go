package rule

import (
	"regexp"
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
)

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
			if p = strings.TrimSpace(p); p == "" {
				continue
			}
			if each != "" && !strings.ContainsAny(p, each) {
				return nil
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

// blankAfter is a comma between globs.
var blankAfter = regexp.MustCompile(`\s*,\s*`)

// separated says how to write several globs.
func separated(f *Format, globs []string) string {
	key := f.GlobKeys[0]
	if len(globs) == 1 {
		return "write `" + key + ": \"" + globs[0] + "\"`, without the parentheses"
	}
	if f.OnePattern {
		return "write each as an element of a list: `" + key + ": [\"" + strings.Join(globs, "\", \"") + "\"]`"
	}
	return "commas stand between globs: `" + key + ": \"" + blankAfter.ReplaceAllString(strings.Join(globs, ", "), ", ") + "\"`"
}
