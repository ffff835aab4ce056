//go:build !unix

package repository

import "os"

// openRegular opens a regular file, and looks at what it has opened.
func openRegular(path string, follow bool) (*os.File, error) {
	look := os.Lstat
	if follow {
		look = os.Stat
	}
	info, err := look(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, errIrregular
	}
	return f, nil
}

func notFolder(error) bool { return false }

// openFolder opens a folder to list it, and nothing else.
func openFolder(path string, follow bool) (*os.File, error) {
	look := os.Lstat
	if follow {
		look = os.Stat
	}
	info, err := look(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errIrregular
	}
	return os.Open(path)
}
