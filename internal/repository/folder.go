package repository

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Repository is one with files to work on.
type Repository struct {
	Top    string // the folder that holds .git, absolute
	Folder string // where this work tree's HEAD and index are
	Common string // where objects and references are, which all work trees share
}

// UnknownError says why something cannot be told of a repository, in a few
// words for the user. None of them come from the repository.
type UnknownError struct{ Reason string }

func (e *UnknownError) Error() string { return e.Reason }

func unknown(reason string) error { return &UnknownError{reason} }

// Limits of single files, in bytes.
const (
	maxPackedRefs = 64 << 20
	maxAttributes = 1 << 20
	maxSettings   = 1 << 20
)

// Open finds the folders of a repository: .git itself, or where the file .git of
// a linked work tree or a submodule points. Where that leads to another's folder, it
// counts only if the user trusts this one.
func Open(top string, trusted bool) (*Repository, error) {
	dotGit := filepath.Join(top, ".git")
	info, err := os.Stat(dotGit)
	if err != nil {
		return nil, unknown("its git folder cannot be read")
	}
	if link, err := os.Lstat(dotGit); err != nil || !trusted && link.Mode()&os.ModeSymlink != 0 && !files.Inside(top, dotGit) {
		return nil, unknown(reasonElsewhere)
	}
	folder := dotGit
	if !info.IsDir() {
		if folder, err = linkedFolder(top, dotGit); err != nil {
			return nil, err
		}
		if !trusted && !belongs(top, folder) {
			return nil, unknown(reasonElsewhere)
		}
	}
	common := folder
	text, err := files.GitLine(files.OS(), filepath.Join(folder, "commondir"))
	switch {
	case err == nil && text != "":
		common = absolute(folder, text)
	case err == nil || !absent(err):
		return nil, unknown("its git folder cannot be read")
	}
	return &Repository{Top: top, Folder: folder, Common: common}, nil
}

const reasonElsewhere = "its .git leads to another repository's folder"

// belongs tells whether the folder that a file .git names is that of this work tree. Anybody can write any path into such a
// file, and what lies there is not to be told: a folder in the .git of another work tree has to name this one, too, as that of a
// linked one does, or to be one of the submodules of a repository around it. One that lies apart, as `--separate-git-dir` makes
// it, belongs to who names it.
func belongs(top, folder string) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	if files.Inside(top, folder) || !slices.Contains(strings.Split(filepath.ToSlash(real), "/"), ".git") {
		return true
	}
	if back, err := files.GitLine(files.OS(), filepath.Join(folder, "gitdir")); err == nil && back != "" {
		return sameFolder(filepath.Dir(absolute(folder, back)), top)
	}
	for above := filepath.Dir(top); ; above = filepath.Dir(above) {
		dotGit := filepath.Join(above, ".git")
		switch info, err := os.Lstat(dotGit); {
		case err == nil && info.IsDir():
			return files.Inside(filepath.Join(dotGit, "modules"), folder)
		case err == nil: // the nearest one alone: what is around that one is its own matter
			return inModulesOf(above, folder)
		case above == filepath.Dir(above):
			return false
		}
	}
}

// inModulesOf is for a submodule in a linked work tree, or in a submodule.
func inModulesOf(top, folder string) bool {
	outer, err := linkedFolder(top, filepath.Join(top, ".git"))
	return err == nil && files.Inside(filepath.Join(outer, "modules"), folder) && belongs(top, outer)
}

func sameFolder(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// linkedFolder reads a file .git.
func linkedFolder(top, file string) (string, error) {
	folder, ok := files.GitPointer(files.OS(), top, file, "gitdir:")
	if !ok {
		return "", unknown("its git folder cannot be read")
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", unknown("its git folder cannot be read")
	}
	return folder, nil
}

func absolute(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// absent tells whether an error says that nothing is there.
func absent(err error) bool {
	var other *files.NotRegularError
	return errors.Is(err, os.ErrNotExist) || notFolder(err) || errors.As(err, &other) && other.Kind == files.Folder
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
