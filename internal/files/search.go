package files

// FindUp looks for the nearest folder, start itself or one above it, that holds one of the names. It returns the folder and
// the name; of several names in one folder the one given first. What cannot be looked at counts as absent. The way up is the
// one that is written: links are not resolved.
func FindUp(tree Tree, start string, names ...string) (folder, name string, ok bool) {
	f := tree.Flavor()
	dir, err := tree.Abs(start)
	if err != nil {
		return "", "", false
	}
	for {
		for _, name := range names {
			if _, err := tree.Stat(f.Join(dir, name)); err == nil {
				return dir, name, true
			}
		}
		up := f.Dir(dir)
		if up == dir {
			return "", "", false
		}
		dir = up
	}
}

// Within tells whether path, once links are followed, is root or lies below it. Both must exist.
func Within(tree Tree, root, path string) (bool, error) {
	realRoot, err := tree.RealPath(root)
	if err != nil {
		return false, err
	}
	resolved, err := tree.RealPath(path)
	if err != nil {
		return false, err
	}
	return tree.Flavor().Inside(realRoot, resolved), nil
}
