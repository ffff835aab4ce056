//go:build !linux

package writing

import (
	"os"
	"runtime"
)

func replace(folder *os.Root, old *os.File, temporary, name string, before []byte) error {
	if runtime.GOOS == "windows" { // an open file cannot be replaced there
		if !isAt(folder, name, old) || !holds(old, before) {
			return ErrChanged
		}
		_ = old.Close()
		return folder.Rename(temporary, name)
	}
	return replaceCompared(folder, old, temporary, name, before)
}

func remove(folder *os.Root, old *os.File, name string, before []byte) error {
	return removeCompared(folder, old, name, before)
}
