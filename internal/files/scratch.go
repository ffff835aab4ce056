package files

import (
	"os"
	"path/filepath"
)

// Scratch makes a folder for this process alone, with these files in it, by their paths with slashes; a path that ends
// with a slash and has no text is a folder. It lies where the system keeps such things, and never inside of avoid. The caller
// removes it.
func Scratch(avoid string, texts map[string]string) (dir string, remove func(), err error) {
	parent := os.TempDir()
	if !filepath.IsAbs(parent) || Inside(avoid, parent) {
		if parent, err = os.UserCacheDir(); err != nil {
			return "", nil, err
		}
	}
	if dir, err = os.MkdirTemp(parent, "pertain-"); err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if name[len(name)-1] == '/' {
			err = os.MkdirAll(path, 0o700)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			remove()
			return "", nil, err
		}
	}
	return dir, remove, nil
}
