package discover

import (
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// A repository inside of the project is a workspace of its own: a clone among others in one folder, a submodule, what somebody
// vendored. Its files reach that repository and nothing around it, and that the user trusts the project says nothing about it. Where
// the project is no repository at all, but a folder of whatever was put there, each folder with rules is on its own.

// innerFolders remember in which repositories folders lie, for the files of one search, which are read on all cores.
type innerFolders struct {
	mu    sync.Mutex
	known map[string]string     // by folder, the repository that holds it
	ways  map[string]enteredWay // by folder, what the way to it leads into

	trusted map[string]bool // by folder, what TrustsInner says
}

// enteredWay is where a way leads: the folder without links, and the first strange repository on it; empty: none.
type enteredWay struct{ real, into string }

// repositories are what makes a folder somebody's clone, whichever program made it.
var repositories = []string{".git", ".hg", ".jj", ".svn"}

// cloneIn is the nearest folder with a repository that is not git's, at or above dir and below root.
func cloneIn(tree files.Tree, root, dir string) (clone string, ok bool) {
	flavor := tree.Flavor()
	others := repositories[1:]
	for _, folder := range files.Upward(tree, files.PresentFolder(tree, dir), others...) {
		if folder == root || !flavor.Inside(root, folder) {
			break
		}
		if holdsAny(tree, folder, others...) {
			return folder, true
		}
	}
	return "", false
}

// IsClone tells whether a folder holds a repository, of whatever program.
func IsClone(tree files.Tree, folder string) bool { return holdsAny(tree, folder, repositories...) }

// inner is the folder, without links, that files of a folder of the project do not leave; empty: it is the project's.
func (s *search) inner(dir string) string {
	if repository := s.repository(dir); repository != "" || !s.collects || s.Trusted || s.flavor.Key(dir) == s.flavor.Key(s.root) {
		return repository
	}
	real, err := s.tree.RealPath(dir)
	if err != nil {
		return dir
	}
	if s.isVouched(real) {
		return ""
	}
	return real
}

// isVouched tells whether the user trusts a workspace that holds a folder, by itself.
func (s *search) isVouched(real string) bool {
	if s.TrustsInner == nil {
		return false
	}
	s.inners.mu.Lock()
	defer s.inners.mu.Unlock()
	return slices.ContainsFunc(files.Upward(s.tree, real, ".pertain", ".git"), func(folder string) bool {
		return holdsAny(s.tree, folder, ".pertain", ".git") && s.trustsInner(folder)
	})
}

// trustsInner asks once about each folder.
func (s *search) trustsInner(folder string) bool {
	if s.TrustsInner == nil {
		return false
	}
	trusted, known := s.inners.trusted[folder]
	if !known {
		trusted = s.TrustsInner(folder)
		if s.inners.trusted == nil {
			s.inners.trusted = map[string]bool{}
		}
		s.inners.trusted[folder] = trusted
	}
	return trusted
}

// innerOf is the repository inside of the project that the file of a rule lies in, which may be the tool's own folder, or one in that; empty: none
// but what the folder says that holds the tool's. What a link of the project leads to is the project's choice.
func (s *search) innerOf(f *ruleFile) string {
	if s.Documented || f.named || f.origin.Level != rule.Project { // what lies above the project is no project's
		return f.origin.Inner
	}
	dir := s.flavor.Dir(f.path)
	inner := s.repository(dir)
	if inner == "" || inner == f.origin.Inner {
		return f.origin.Inner
	}
	real, err := s.tree.RealPath(dir)
	root, _ := s.tree.RealPath(s.root) // the file may lie above the working directory
	if err != nil || !s.leads(s.Dir, s.real, dir, real) && !s.leads(s.root, root, dir, real) {
		return f.origin.Inner
	}
	return inner
}

// repository is the repository, without links, that holds a folder, if that is not the project's, and the user does not trust it by
// itself; empty: there is none.
func (s *search) repository(dir string) string {
	s.inners.mu.Lock()
	defer s.inners.mu.Unlock()
	folder, known := s.inners.known[dir]
	if !known {
		if real, err := s.tree.RealPath(dir); err == nil { // else nothing can be read there
			folder = s.strange(files.Upward(s.tree, real, repositories...))
		}
		if s.inners.known == nil {
			s.inners.known = map[string]string{}
		}
		s.inners.known[dir] = folder
	}
	return folder
}

// entered is the first strange repository that the way to a file leads into; empty: none. What the file is, or a folder on the way after that, is
// its author's to say: a link there may lead out of it.
func (s *search) entered(path string) string {
	s.inners.mu.Lock()
	defer s.inners.mu.Unlock()
	return s.enteredBy(s.flavor.Dir(path)).into
}

// enteredBy is the same for a folder; each folder on the way is looked at once.
func (s *search) enteredBy(dir string) enteredWay {
	way, known := s.inners.ways[dir]
	if known {
		return way
	}
	before, parent := enteredWay{}, s.flavor.Dir(dir)
	isOurs := dir == s.root || dir == s.Dir // however the user came there
	if parent != dir && !isOurs {
		before = s.enteredBy(parent)
	}
	if way.into = before.into; way.into == "" {
		real, err := s.tree.RealPath(dir)
		switch {
		case err != nil: // nothing can be read there
		case isOurs:
			way.real = real
		case real == s.flavor.Join(before.real, s.flavor.Base(dir)):
			way = enteredWay{real, s.strange([]string{real})}
		default: // the root, or a link, which may lead far into one
			way = enteredWay{real, s.strange(files.Upward(s.tree, real, repositories...))}
		}
	}
	if s.inners.ways == nil {
		s.inners.ways = map[string]enteredWay{}
	}
	s.inners.ways[dir] = way
	return way
}

// holdsAny tells whether a folder has something by one of the names.
func holdsAny(tree files.Tree, dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := tree.Stat(tree.Flavor().Join(dir, name))
		return err == nil
	})
}

// strange is the first of some folders, without links, that is a repository, if it is neither the project, nor around it, nor trusted by itself.
func (s *search) strange(folders []string) string {
	if folder, trusted := s.nearest(folders); !trusted {
		return folder
	}
	return ""
}

// nearest is the first of some folders, without links, that is a repository, if it is neither the project nor around it, and whether the
// user trusts it by itself; empty: there is none.
func (s *search) nearest(folders []string) (repository string, trusted bool) {
	for _, folder := range folders {
		if s.within.Around(s.flavor, folder) {
			return "", false
		}
		for _, name := range repositories {
			if _, err := s.tree.Stat(s.flavor.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
				return folder, s.trustsInner(folder)
			}
		}
	}
	return "", false
}
