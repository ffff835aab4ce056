package settings

import "github.com/pertain-dev/pertain/internal/files"

// WorkspaceAround is the workspace that a folder which was named is in, as it is
// written or else where its links lead; empty: none. One that belongs to another
// user holds as well. What is behind a link that leads out of a workspace is none of
// its own: the workspace of the link holds.
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
		return linkedFrom(tree, root)
	}
	if real, err := tree.RealPath(dir); err == nil {
		return find(real)
	}
	return ""
}

// linkedFrom is the workspace whose link leads out of it to the root of another one; without one, that root. Whoever made the
// link chose where it leads, and the user named no more than its name.
func linkedFrom(tree files.Tree, root string) string {
	flavor := tree.Flavor()
	real, err := tree.RealPath(root)
	if err != nil || real == root || flavor.Dir(root) == root {
		return root
	}
	for _, outer := range marked(tree, flavor.Dir(root)) {
		ground, err := tree.RealPath(outer)
		if err == nil && !flavor.Inside(ground, real) {
			root, real = outer, ground
		}
	}
	return root
}
