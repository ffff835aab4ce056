package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Bounds say where a path may lead once links are followed. The zero value lets nothing through, so that a folder that
// cannot be found closes instead of opening.
type Bounds struct {
	anywhere bool
	pseudo   bool
	folders  []string // without links
}

// Anywhere is for paths that the user named, or that files of the user's own name.
func Anywhere() Bounds { return Bounds{anywhere: true} }

// Below holds paths in these folders. A folder that cannot be found holds nothing.
func Below(tree Tree, folders ...string) Bounds {
	var b Bounds
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if real, err := tree.RealPath(folder); err == nil {
			b.folders = append(b.folders, real)
		}
	}
	return b
}

// BelowReal holds paths in folders whose own paths are without links and were judged before: they are not looked up again, so
// that a link that is put in their place holds nothing.
func BelowReal(folders ...string) Bounds { return Bounds{folders: folders} }

// WithPseudo lets files that the kernel makes up count as files. They are read without waiting, but may have no end: whoever asks
// for them has a limit.
func (b Bounds) WithPseudo() Bounds {
	b.pseudo = true
	return b
}

// Hold tells whether a path without links is in one of the folders.
func (b Bounds) Hold(flavor Flavor, real string) bool {
	_, ok := b.Folder(flavor, real)
	return ok
}

// Folder is the first of the folders that holds a path without links; empty where everything is held.
func (b Bounds) Folder(flavor Flavor, real string) (string, bool) {
	if b.anywhere {
		return "", true
	}
	for _, folder := range b.folders {
		if flavor.Inside(folder, real) {
			return folder, true
		}
	}
	return "", false
}

// Around tells whether a folder without links is one of the folders, or lies above one; false where everything is held.
func (b Bounds) Around(flavor Flavor, real string) bool {
	return slices.ContainsFunc(b.folders, func(folder string) bool { return flavor.Inside(real, folder) })
}

// Opened is something in a tree that was found by a path and is held on to. Names and links may be changed by other programs
// meanwhile: what is asked, listed and read here is this one thing. Who opens it closes it.
type Opened interface {
	// Real is its absolute path without links.
	Real() string
	// Info describes it. What the kernel makes up, as under /proc, is [Special], unless the bounds let it through.
	Info() Info
	// Read returns the content of a regular file of at most limit bytes; a limit of 0 or less means none.
	Read(limit int64) ([]byte, error)
	// Append adds the beginning of a regular file to a buffer, at most so many bytes of it. With 0 it finds out whether the
	// file may be read.
	Append(buffer []byte, most int64) ([]byte, error)
	// List lists a folder, sorted by name in byte order.
	List() ([]Entry, error)
	// Link opens what a link leads to that has a name in this very folder, whatever stands in the folder's place by now. What is no link is
	// out of bounds.
	Link(name string, bounds Bounds) (Opened, error)
	// Close lets go of it.
	Close()
}

// OutsideError says that a path leads to where it must not lead. It does not tell where that is, nor whether there is
// anything.
type OutsideError struct {
	Path string // as it was given
	Why  string // for people; empty: by a link
	Hint string // what the user can do; may be empty
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("open %s: %s", e.Path, e.Reason())
}

// Reason is the error without the path.
func (e *OutsideError) Reason() string {
	if e.Why != "" {
		return e.Why
	}
	return "it is a link that leads out of the workspace"
}

// ReadWithin reads a file whose real path lies within bounds. It returns the path without links.
func ReadWithin(tree Tree, path string, bounds Bounds, limit int64) (data []byte, real string, err error) {
	o, err := tree.Open(path, bounds)
	if err != nil {
		return nil, "", err
	}
	defer o.Close()
	data, err = o.Read(limit)
	return data, o.Real(), err
}

// ListWithin lists a folder whose real path lies within bounds.
func ListWithin(tree Tree, path string, bounds Bounds) ([]Entry, error) {
	o, err := tree.Open(path, bounds)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return o.List()
}

// StatWithin describes what a path leads to, if that lies within bounds.
func StatWithin(tree Tree, path string, bounds Bounds) (info Info, real string, err error) {
	o, err := tree.Open(path, bounds)
	if err != nil {
		return Info{}, "", err
	}
	defer o.Close()
	return o.Info(), o.Real(), nil
}

// Inside tells whether a path of the real disk is a folder or below it, and stays
// there when links are followed as far as they exist. Both are absolute; the path
// need not exist. What cannot be looked at, and a link that leads nowhere, is not
// inside. Whoever reads the file afterwards asks again for what was opened, as
// [Tree.Open] does.
func Inside(dir, path string) bool {
	if !below(dir, path) {
		return false
	}
	real, ok := followed(dir)
	if !ok {
		return false
	}
	target, ok := followed(path)
	return ok && below(real, target)
}

func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// followed follows the links of the part of a path that exists. ok is false if
// that cannot be done to the end.
func followed(path string) (_ string, ok bool) {
	switch found, err := realPath(path); {
	case err == nil:
		return found, true
	case !errors.Is(err, fs.ErrNotExist):
		return "", false
	}
	part, rest := Present(Native(), path, func(part string) bool {
		_, err := os.Lstat(part)
		return !errors.Is(err, fs.ErrNotExist)
	})
	found, err := realPath(part)
	if err != nil {
		return "", false // a link to nothing, which may be something in a moment
	}
	return filepath.Join(found, rest), true
}
