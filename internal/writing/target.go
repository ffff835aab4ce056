package writing

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Target is a file on the real disk that is to be written, and the one way to write it. It is found once, links followed; from
// then on it is reached from an open folder, so that whoever turns a folder on the way into a link meanwhile leads nowhere else.
//
// A target is written whole or not at all: beside it first, flushed to the disk, then put in its place.
type Target struct {
	named string   // as it was asked for, absolute
	path  string   // without links
	roots []string // folders without links that must not be left, the outermost first; at least one
}

// LeavingError says that a file was not written because a link on the way to it leaves the folder that it was to be in.
type LeavingError struct {
	Path   string // the file, as it was named
	Folder string // what the link leaves, or, with Git, what it leads into
	Git    bool   // the link stays, but leads to where git keeps programs and settings
}

func (e *LeavingError) Error() string {
	const remedy = "remove the link, or name the place that it leads to"
	if e.Git {
		return fmt.Sprintf("%s is not written, because a link leads it into %s; %s", e.Path, e.Folder, remedy)
	}
	return fmt.Sprintf("%s is not written, because a link leads it out of %s; %s", e.Path, e.Folder, remedy)
}

// OwnTarget is a file in a folder of the user's own, such as the settings folder. Links there are the user's, by tools such as
// stow and home-manager: they are followed, and stay. The path is absolute.
func OwnTarget(path string) (Target, error) {
	path = filepath.Clean(path)
	resolved, err := files.Resolve(path)
	if err != nil {
		return Target{}, err
	}
	return Target{path, resolved, []string{filepath.Dir(resolved)}}, nil
}

// NamedTarget is a file that the user named while working in a folder, which may hold a stranger's links. Both paths are
// absolute; cwd may be empty. Of a path in the workspace that cwd is in, or without one below cwd, no link may leave that;
// of any other path none may leave the workspace that it is in, or else the folder of the file. Nor may one lead into `.git`.
func NamedTarget(path, cwd string) (Target, error) {
	path = filepath.Clean(path)
	resolved, err := files.Resolve(path)
	if err != nil {
		return Target{}, err
	}
	t := Target{named: path, path: resolved}
	for _, bound := range bounds(path, cwd) {
		root, err := files.Resolve(bound)
		if err != nil {
			return Target{}, err
		}
		if root == resolved || !below(root, resolved) {
			return Target{}, &LeavingError{Path: path, Folder: bound}
		}
		if git, ok := gitFolder(root, resolved); ok {
			if _, asked := gitFolder(bound, path); !asked {
				return Target{}, &LeavingError{Path: path, Folder: git, Git: true}
			}
		}
		t.roots = append(t.roots, root)
	}
	// All of them hold the target, so each holds the longer ones.
	slices.SortFunc(t.roots, func(a, b string) int { return len(a) - len(b) })
	t.roots = slices.Compact(t.roots)
	return t, nil
}

// Path is where the file is or will be, without links.
func (t Target) Path() string { return t.path }

// MakeFolder makes the folder that the file is to be in, and those above it.
func (t Target) MakeFolder(perm fs.FileMode) error {
	if err := os.MkdirAll(t.roots[0], perm); err != nil {
		return err
	}
	folder, err := t.open(perm)
	if err != nil {
		return err
	}
	return folder.Close()
}

// open opens the folder that the file is in. With perm it is made if it is missing.
func (t Target) open(perm fs.FileMode) (*os.Root, error) {
	at := t.roots[0]
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, err
	}
	for _, next := range append(slices.Clone(t.roots[1:]), filepath.Dir(t.path)) {
		rel, err := filepath.Rel(at, next)
		if err == nil && rel == "." {
			continue
		}
		if err == nil && perm != 0 {
			err = root.MkdirAll(rel, perm)
		}
		var inner *os.Root
		if err == nil {
			inner, err = root.OpenRoot(rel)
		}
		_ = root.Close()
		if err != nil {
			return nil, err
		}
		root, at = inner, next
	}
	return root, nil
}

// bounds are the folders that links on the way to a path must not leave.
func bounds(path, cwd string) []string {
	dir := filepath.Dir(path)
	if cwd != "" {
		if top := workFolder(filepath.Clean(cwd)); below(top, path) {
			list := []string{top}
			for at := dir; len(at) > len(top) && below(top, at); at = filepath.Dir(at) {
				if isWorkspace(at) {
					list = append(list, at)
				}
			}
			return list
		}
	}
	var list []string
	for at := dir; ; at = filepath.Dir(at) {
		if isWorkspace(at) && !aroundHome(at) {
			list = append(list, at)
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	if list == nil {
		return []string{dir}
	}
	return list
}

// workFolder is the workspace that a folder is in, or else the folder itself.
func workFolder(cwd string) string {
	for at := cwd; ; at = filepath.Dir(at) {
		if isWorkspace(at) && !aroundHome(at) {
			if at == cwd || files.Inside(at, cwd) { // else the way here goes by a link that the user took
				return at
			}
			return cwd
		}
		if filepath.Dir(at) == at {
			return cwd
		}
	}
}

func isWorkspace(dir string) bool {
	for _, name := range []string{".git", ".pertain"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// aroundHome tells the home folder and what it is in. Somebody who keeps it in git still has strangers' folders there, and links
// of his own.
func aroundHome(dir string) bool {
	home, err := os.UserHomeDir()
	return err == nil && below(dir, filepath.Clean(home))
}

// gitFolder finds the folder `.git` that a path below a folder is in.
func gitFolder(dir, path string) (string, bool) {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return "", false
	}
	at := dir
	for name := range strings.SplitSeq(filepath.Dir(rel), string(filepath.Separator)) {
		if at = filepath.Join(at, name); strings.EqualFold(name, ".git") {
			return at, true
		}
	}
	return "", false
}

// below tells whether a path is a folder or below it, by their texts.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
