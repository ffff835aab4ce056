package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// unfinished begins the names of folders that PutFolder has not put in their place.
const unfinished = ".unfinished-"

// PutFolder makes a folder of the user's own with these files in it, by their paths with slashes, which the caller has checked: it is there whole
// or not at all. What was there before goes. Nothing waits for the disk: after a power cut files may be empty, which their reader must notice.
func PutFolder(path string, texts map[string][]byte) (err error) {
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	made, err := os.MkdirTemp(parent, unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(made)
		}
	}()
	if err := fill(made, texts); err != nil {
		return err
	}
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	return os.Rename(made, path)
}

// fill writes files below a folder, and nowhere else; the folder is let go before it is moved.
func fill(folder string, texts map[string][]byte) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for name, text := range texts {
		name = filepath.FromSlash(name)
		if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// RemoveFolders removes folders in one of the user's own, with all that is in them, but for those that keep wants, and what PutFolder left when it was
// killed. Files and links stay. Whoever makes folders there holds a lock meanwhile.
func RemoveFolders(parent string, keep func(name string) bool) error {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var problems []error
	for _, e := range entries {
		if e.IsDir() && (strings.HasPrefix(e.Name(), unfinished) || !keep(e.Name())) {
			problems = append(problems, os.RemoveAll(filepath.Join(parent, e.Name())))
		}
	}
	return errors.Join(problems...)
}
