package files

import (
	"os"
	"path/filepath"
)

// LinkTarget is the path of a file on the real disk without links. The file need not exist, and a link to it may lead
// nowhere yet.
func LinkTarget(path string) string {
	for range MaxLinks {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return path
}
