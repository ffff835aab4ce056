package settings

import "github.com/pertain-dev/pertain/internal/files"

// WorkspaceAround is the workspace that a folder which was named is in, as it is
// written or else where its links lead; empty: none. One that belongs to another
// user holds as well.
func WorkspaceAround(tree files.Tree, dir string) string {
	flavor := tree.Flavor()
	find := func(dir string) string {
		root, _ := WorkspaceRoot(tree, dir)
		if path, ok := ForeignWorkspace(tree, dir); ok {
			if foreign := flavor.Dir(path); root == "" || flavor.Inside(root, foreign) {
				return foreign // the nearer one
			}
		}
		return root
	}
	if root := find(dir); root != "" {
		return root
	}
	if real, err := tree.RealPath(dir); err == nil {
		return find(real)
	}
	return ""
}
