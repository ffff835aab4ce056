package files

import (
	"errors"
	"io/fs"
	"sort"
	"strings"
	"syscall"
)

// Present takes an absolute path apart: the longest part of it, from the root on, that is there, and the names after it, without a
// separator before them. there is asked a few times, however many folders a path names that are not there: what is below such a one is
// not there either. part is empty if not even the root is there, or the path is not absolute.
func Present(flavor Flavor, path string, there func(part string) bool) (part, rest string) {
	path = flavor.Clean(path)
	if !flavor.IsAbs(path) {
		return "", path
	}
	if there(path) {
		return path, ""
	}
	volume, _ := flavor.split(path)
	separator := flavor.Separator()
	ends := []int{len(volume) + len(separator)} // of the parts that are shorter than the path, the root first
	for i := ends[0]; i < len(path); i++ {
		if path[i] == separator[0] {
			ends = append(ends, i)
		}
	}
	n := sort.Search(len(ends), func(i int) bool { return !there(path[:ends[i]]) })
	if n == 0 {
		return "", path
	}
	part = path[:ends[n-1]]
	return part, strings.TrimPrefix(path[len(part):], separator)
}

// PresentFolder is a folder, or the nearest one above it that is there; the folder itself where none is. Who goes up from a folder starts here:
// nothing can be found in folders that are not there, and a path may name any number of those.
func PresentFolder(tree Tree, folder string) string {
	if part, _ := Present(tree.Flavor(), folder, func(part string) bool { return !Missing(tree, part) }); part != "" {
		return part
	}
	return folder
}

// Missing tells whether a path leads to nothing. What cannot be looked at is not missing, unless no path of its length can be.
func Missing(tree Tree, path string) bool {
	_, err := tree.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
