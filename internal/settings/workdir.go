package settings

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
)

// WorkingDir is a working directory, absolute, as the folders above it are to be looked at. It stays as it is written, also
// below a link above the repository, as /tmp is one on some systems. But a link in a repository leads to a folder that is none
// of the repository's, and a link into one has that repository above it: there it is the path without links.
func WorkingDir(tree files.Tree, dir string) string {
	if !tree.Flavor().IsAbs(dir) {
		return dir // nobody said where that is
	}
	real, err := tree.RealPath(dir)
	if err != nil || real == dir {
		return dir
	}
	flavor := tree.Flavor()
	written, above := marked(tree, dir), marked(tree, real)
	if len(written) != len(above) {
		return real
	}
	for i, folder := range written {
		root, err := tree.RealPath(folder)
		if err != nil || flavor.Key(root) != flavor.Key(above[i]) {
			return real
		}
		rel, _ := flavor.Rel(folder, dir)
		if flavor.Key(flavor.Join(root, rel)) != flavor.Key(real) {
			return real // a link to another folder of the same repository
		}
	}
	return dir
}

// marked are the folders, dir and those above it, that hold what makes a workspace, whoever made it.
func marked(tree files.Tree, dir string) []string {
	var folders []string
	for _, dir := range files.Upward(tree, files.PresentFolder(tree, dir), workspaceNames...) {
		if isWorkspace(tree, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// isWorkspace tells whether a folder holds what makes a workspace, whoever made it.
func isWorkspace(tree files.Tree, dir string) bool {
	return slices.ContainsFunc(workspaceNames, func(name string) bool {
		_, err := tree.Stat(tree.Flavor().Join(dir, name))
		return err == nil
	})
}
