package files

import "path/filepath"

// Inside tells whether a path of the real disk is a folder or below it, and stays
// there when links are followed as far as they exist. Both are absolute; the path
// need not exist.
func Inside(dir, path string) bool {
	return below(dir, path) && below(followed(dir), followed(path))
}

func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// followed follows the links of the part of a path that exists.
func followed(path string) string {
	for rest := ""; ; {
		if found, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(found, rest)
		}
		up := filepath.Dir(path)
		if up == path {
			return filepath.Join(path, rest)
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = up
	}
}
