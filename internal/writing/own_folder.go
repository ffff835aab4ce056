package writing

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// unfinished begins the names of folders that PutFolder has not put in their place.
const unfinished = ".unfinished-"

// PutFolder makes a folder of the user's own with these files in it, by their paths with slashes, which the caller has checked: it is there whole
// or not at all. What was there before goes. Nothing waits for the disk: after a power cut files may be empty, which their reader must notice.
//
// same names files of the user's own, by absolute paths, that become files of the folder, too, as links: to make a file takes a disk ten times as long. Where one is
// gone, or the disk knows no links, there is an error and no folder; the caller then hands their texts over.
func PutFolder(folder string, texts map[string][]byte, same map[string]string) (err error) {
	parent := filepath.Dir(folder)
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
	if err := fill(made, texts, same); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.Rename(made, folder)
}

// fill writes files below a folder, and nowhere else; the folder is let go before it is moved.
func fill(folder string, texts map[string][]byte, same map[string]string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	made := map[string]bool{".": true}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if err := parentOf(root, made, name); err != nil {
			return err
		}
		f, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(texts[name])
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(same)) {
		if err := parentOf(root, made, name); err != nil { // a name that leads out ends here
			return err
		}
		if err := os.Link(same[name], filepath.Join(folder, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

// parentOf makes the folder that a file is in, once.
func parentOf(root *os.Root, made map[string]bool, name string) error {
	dir := path.Dir(name)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
	}
	if made[dir] {
		return nil
	}
	made[dir] = true
	return root.MkdirAll(filepath.FromSlash(dir), 0o700)
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
