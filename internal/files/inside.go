package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Inside tells whether a path of the real disk is a folder or below it, and stays
// there when links are followed as far as they exist. Both are absolute; the path
// need not exist. What cannot be looked at, and a link that leads nowhere, is not
// inside. Whoever reads the file afterwards asks again for what was opened, as
// [Tree.Open] does.
func Inside(dir, path string) bool {
	if !below(dir, path) {
		return false
	}
	real, ok := followed(dir)
	if !ok {
		return false
	}
	target, ok := followed(path)
	return ok && below(real, target)
}

func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// followed follows the links of the part of a path that exists. ok is false if
// that cannot be done to the end.
func followed(path string) (_ string, ok bool) {
	switch found, err := realPath(path); {
	case err == nil:
		return found, true
	case !errors.Is(err, fs.ErrNotExist):
		return "", false
	}
	part, rest := Present(Native(), path, func(part string) bool {
		_, err := os.Lstat(part)
		return !errors.Is(err, fs.ErrNotExist)
	})
	found, err := realPath(part)
	if err != nil {
		return "", false // a link to nothing, which may be something in a moment
	}
	return filepath.Join(found, rest), true
}
