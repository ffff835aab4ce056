package glob

import (
	"slices"
	"strings"
)

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

// MayMatchAny says whether a file of one of these names may match one of the globs, whatever the folder that it lies in. No
// names: it may be any file.
func MayMatchAny(globs []*Path, names []string) bool {
	positive := false
	for _, g := range globs {
		if g.Negated() {
			continue
		}
		positive = true
		if len(names) == 0 || slices.ContainsFunc(names, g.mayMatch) {
			return true
		}
	}
	return !positive
}

// mayMatch compares the last segment alone.
func (p *Path) mayMatch(name string) bool {
	return slices.ContainsFunc(p.alternatives(), func(r route) bool {
		last := &r.segments[len(r.segments)-1]
		return last.globstar || last.match(name)
	})
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
