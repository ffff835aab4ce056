package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names are what an absolute path of the real disk is called in a project; see [Namer].
func Names(root, path string) []string { return NewNamer(root).Names(path) }

// Namer tells what files are called in a project. What it has found out about a folder it does not look at again, so that it is
// good for one call with many files, and not for longer. It is not safe for concurrent use.
type Namer struct {
	root, real string
	around     *string // the repository around the project, for git; empty: none; nil: nobody has looked yet
	folders    map[string]realFolder

	repositories map[string][]string // see repositoriesOf
}

// realFolder is where a folder really is.
type realFolder struct {
	path string
	err  error
	none bool // it does not exist
}

// NewNamer makes one for the project of a root.
func NewNamer(root string) *Namer {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		real = root
	}
	return &Namer{root, real, nil, map[string]realFolder{}, map[string][]string{}}
}

// repositoryAround is the repository that a folder is a part of for git: it passes over a `.git` that is no repository, and all of others.
// Everybody can put an empty `.git` or `.hg` into a folder, and must not take its files out of what the user's rules are for by that.
func repositoryAround(dir string) string {
	if IsRepository(OS(), dir) {
		return ""
	}
	if above := repositoriesFrom(filepath.Dir(dir), 1); len(above) > 0 {
		return above[0]
	}
	return ""
}

// repositoriesFrom are the nearest repositories for git, at a folder or above it.
func repositoriesFrom(dir string, most int) (found []string) {
	tree := OS()
	lookUp(tree, dir, []string{".git"}, func(dir, _ string, foreign bool) bool {
		if !foreign && IsRepository(tree, dir) {
			found = append(found, dir)
		}
		return len(found) < most
	})
	return found
}

// maxRepositories is how many repositories, each in the next, a file of a call is called after.
const maxRepositories = 16

// Names are what an absolute path is called, with slashes: relative to the project's root where it
// lies in it, else as it is. The first is the path as it was given; others, if there are some, are where links on the way
// really lead, since a link of the repository must not take a file out of what a rule is for, and what the file is called in
// the repository that the project is a part of for git. What does not exist yet counts as where it would come to be. The path
// need not be clean: see [Readings].
func (n *Namer) Names(path string) []string {
	names, _ := n.Find(path)
	return names
}

// Find is Names. known is false if it cannot be found out where the path leads: it may be anywhere.
func (n *Namer) Find(path string) (names []string, known bool) {
	readings, err := Readings(path)
	known = err == nil
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, reading := range readings {
		found, err := n.called(reading)
		known = known && err == nil
		for _, name := range found {
			add(name)
		}
	}
	if n.around == nil {
		around := repositoryAround(n.real)
		n.around = &around
	}
	if *n.around == "" {
		return names, known
	}
	for _, reading := range readings {
		if real, err := n.resolve(reading); err == nil {
			if name, inside := nameIn(real, *n.around); inside {
				add(name)
			}
		}
	}
	return names, known
}

// FindAll is Find for a file that is one of several.
func (n *Namer) FindAll(paths []string) (names []string, known bool) {
	if len(paths) == 1 {
		return n.Find(paths[0])
	}
	known = true
	for _, path := range paths {
		more, sure := n.Find(path)
		known = known && sure
		for _, name := range more {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, known
}

// called are the names of a clean path.
func (n *Namer) called(path string) ([]string, error) {
	given, lies := nameIn(path, n.root, n.real)
	real, err := n.resolve(path)
	if err != nil {
		return []string{given}, err
	}
	found, inside := nameIn(real, n.real, n.root)
	switch {
	case found == given:
		return []string{given}, nil
	case inside && !lies: // the way to the project is written with other links
		return []string{found}, nil
	}
	return []string{given, found}, nil
}

// resolve is that of a clean path, by what is known of its folder.
func (n *Namer) resolve(path string) (string, error) {
	dir, name := filepath.Split(path)
	if name == "" {
		return Resolve(path)
	}
	at, known := n.folders[dir]
	if !known {
		at.path, at.err = Resolve(filepath.Clean(dir))
		if at.err == nil {
			_, err := os.Lstat(at.path)
			at.none = errors.Is(err, fs.ErrNotExist)
		}
		n.folders[dir] = at
	}
	if at.err != nil {
		return "", at.err
	}
	real := filepath.Join(at.path, name)
	if at.none {
		return real, nil
	}
	switch info, err := os.Lstat(real); {
	case errors.Is(err, fs.ErrNotExist):
		return real, nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		return Resolve(real)
	}
	return real, nil
}

// OwnNames are what files of the real disk, absolute, are called in the repositories that they lie in, with slashes, links followed; none
// where that is the project, since [Namer.Find] gives these. They count for rules of the user's own alone: an agent that works around a
// repository, or in no folder at all, must not take its files out of what these are for, and whoever made a repository gains nothing by it.
func (n *Namer) OwnNames(paths []string) []string {
	var out []string
	for _, path := range paths {
		readings, _ := Readings(path) // what is not known may be anywhere, as Find tells
		for _, reading := range readings {
			ways := []string{reading}
			if real, err := n.resolve(reading); err == nil && real != reading {
				ways = append(ways, real)
			}
			for _, way := range ways {
				for _, root := range n.repositoriesOf(filepath.Dir(way)) {
					if name, inside := nameIn(way, root); inside && !slices.Contains(out, name) {
						out = append(out, name)
					}
				}
			}
		}
	}
	return out
}

// repositoriesOf are the repositories that a folder lies in, below the project, around it or elsewhere: the nearest folder up that holds
// `.pertain` or `.git` and, since everybody can put one of these, or a whole repository such as a submodule, into a folder, all that are one
// for git.
func (n *Namer) repositoriesOf(dir string) []string {
	out, known := n.repositories[dir]
	if known {
		return out
	}
	isProject := func(root string) bool { return root == n.root || root == n.real }
	add := func(root string) {
		if !isProject(root) && !slices.Contains(out, root) {
			out = append(out, root)
		}
	}
	if near, _, ok := FindUp(OS(), dir, ".pertain", ".git"); ok {
		add(near)
		for _, root := range repositoriesFrom(dir, maxRepositories) {
			add(root)
		}
	}
	n.repositories[dir] = out
	return out
}

// nameIn is a path relative to the first of some folders that it lies in.
func nameIn(path string, roots ...string) (name string, inside bool) {
	for _, root := range roots {
		rel, err := filepath.Rel(root, path)
		if err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return filepath.ToSlash(rel), true
		}
	}
	return filepath.ToSlash(path), false
}
