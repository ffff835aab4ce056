package glob

import "strings"

// CompileAnywhere reads a glob that stands where no folder is meant, as in the scope
// of a trigger: one without a slash matches in every folder.
func CompileAnywhere(pattern string) (*Path, *SyntaxError) {
	g, bad := CompilePath(pattern)
	if bad != nil || g.HasSlash() || g.Rooted() {
		return g, bad
	}
	not := ""
	if g.Negated() {
		not, pattern = "!", pattern[1:]
	}
	for strings.HasPrefix(pattern, "./") {
		pattern = pattern[2:]
	}
	return CompilePath(not + "**/" + pattern)
}

// MatchAny says whether one of the files matches one of the globs, and none that
// is negated.
func MatchAny(globs []*Path, files []string) bool {
	for _, file := range files {
		matched, positive := false, false
		for _, g := range globs {
			if g.Negated() {
				if g.Match(file) {
					matched, positive = false, true
					break
				}
				continue
			}
			positive = true
			matched = matched || g.Match(file)
		}
		if matched || !positive {
			return true
		}
	}
	return false
}
