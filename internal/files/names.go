package files

import (
	"path/filepath"
	"strings"
)

// Names are what an absolute path of the real disk is called in a project, with slashes: relative to the project's root where it
// lies in it, else as it is. The first is the path as it was given; the second, if there is one, is where links on the way
// really lead, since a link of the repository must not take a file out of what a rule is for. What does not exist yet counts
// as where it would come to be.
func Names(root, path string) []string {
	path = filepath.Clean(path)
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		realRoot = root
	}
	given, lies := nameIn(path, root, realRoot)
	real, err := resolve(path)
	if err != nil {
		return []string{given}
	}
	found, inside := nameIn(real, realRoot, root)
	switch {
	case found == given:
		return []string{given}
	case inside && !lies: // the way to the project is written with other links
		return []string{found}
	}
	return []string{given, found}
}

// nameIn is a path relative to the first of some folders that it lies in.
func nameIn(path string, roots ...string) (name string, inside bool) {
	for _, root := range roots {
		rel, err := filepath.Rel(root, path)
		if err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel), true
		}
	}
	return filepath.ToSlash(path), false
}
