package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxLinks is how many links to one file are followed.
const maxLinks = 40

// linkTarget is the path of a file without links. The file need not exist, and a
// link to it may lead nowhere yet.
func linkTarget(path string) string {
	for range maxLinks {
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

// sameFile tells whether two paths lead to one file, also to one that does not exist
// yet.
func sameFile(x, y string) bool {
	a, errA := os.Stat(x)
	b, errB := os.Stat(y)
	if errA == nil && errB == nil {
		return os.SameFile(a, b)
	}
	x, y = linkTarget(x), linkTarget(y)
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // they seldom tell letters' cases apart
		return strings.EqualFold(x, y)
	}
	return x == y
}
