//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package writing

import (
	"io/fs"
	"os"
	"time"
)

// leftoverAge is how old a temporary file must be before it is taken for one that a dead process left: nobody writes that long.
const leftoverAge = time.Hour

func claimed(*os.File) bool { return true }

func removeLeftover(folder *os.Root, name string) {
	if info, err := folder.Lstat(name); err == nil && time.Since(info.ModTime()) > leftoverAge {
		_ = folder.Remove(name)
	}
}

func isOwn(fs.FileInfo) bool { return true } // another's cannot be removed

func keepOwner(*os.File, fs.FileInfo) {} // the folder decides
