//go:build unix

package repository

import (
	"errors"
	"os"
	"syscall"
)

// openRegular opens a regular file. It looks before it opens, because opening a
// device may do anything, and at what it has opened, because something else may
// have been put there in between: a pipe opens at once and is refused.
func openRegular(path string, follow bool) (*os.File, error) {
	look, flags := os.Lstat, syscall.O_NOFOLLOW
	if follow {
		look, flags = os.Stat, 0
	}
	info, err := look(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|flags, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, errIrregular
	}
	return f, nil
}

func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// openFolder opens a folder to list it, and nothing else.
func openFolder(path string, follow bool) (*os.File, error) {
	flags := syscall.O_NOFOLLOW
	if follow {
		flags = 0
	}
	return os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|flags, 0)
}
