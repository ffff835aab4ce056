package program

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// ErrNotFound says that no folder that may be searched holds the program.
var ErrNotFound = errors.New("the program is not in a folder of PATH that may be searched")

// Search says where programs may be.
type Search struct {
	Path    string   // the variable PATH
	Without []string // folders that may be a stranger's, absolute: what lies in them, also by a link, is never found
}

// Program is one that may be started: an absolute path.
type Program struct{ path string }

// Path is where the program is.
func (p Program) Path() string { return p.path }

// Fixed is a program of the system, by its absolute path.
func Fixed(path string) (Program, error) {
	if !filepath.IsAbs(path) || !executable(path) {
		return Program{}, ErrNotFound
	}
	return Program{path}, nil
}

// Find looks for a program by its bare name. Folders that are relative or empty
// are passed over: they mean whatever folder the user happens to be in. So are
// folders and programs whose real path is in a folder of Without, and those that
// somebody else than the user and root can put programs into, or change.
func (s Search) Find(name string) (Program, error) {
	if name == "" || name != filepath.Base(name) || strings.ContainsAny(name, `/\:`) {
		return Program{}, ErrNotFound
	}
	strange := s.strange()
	for _, dir := range filepath.SplitList(s.Path) {
		if !s.allowed(dir, strange) {
			continue
		}
		for _, file := range spellings(name) {
			path := filepath.Join(dir, file)
			if !executable(path) {
				continue
			}
			if found, err := filepath.EvalSymlinks(path); err == nil && !within(found, strange) && ownFolder(filepath.Dir(found)) && ownFile(found) {
				return Program{path}, nil
			}
		}
	}
	return Program{}, ErrNotFound
}

// Folders is PATH without what may not be searched, for programs that start
// further ones.
func (s Search) Folders() string {
	strange := s.strange()
	var out []string
	for _, dir := range filepath.SplitList(s.Path) {
		if s.allowed(dir, strange) && !leads(dir, strange) {
			out = append(out, dir)
		}
	}
	return strings.Join(out, string(os.PathListSeparator))
}

// strange are the folders of Without, as they are written and as they really are.
func (s Search) strange() []string {
	var out []string
	for _, dir := range s.Without {
		if dir == "" {
			continue
		}
		out = append(out, filepath.Clean(dir))
		if found, err := files.OS().RealPath(dir); err == nil { // at once, however deep it is
			out = append(out, found)
		}
	}
	return out
}

// allowed tells whether a folder may be searched. One that cannot be resolved
// holds nothing that could be started.
func (s Search) allowed(dir string, strange []string) bool {
	if !filepath.IsAbs(dir) || within(dir, strange) {
		return false
	}
	found, err := filepath.EvalSymlinks(dir)
	return err == nil && !within(found, strange) && ownFolder(found)
}

// leads tells whether something in a folder is a link into others: who is given the folder would start it. One that cannot be read
// leads anywhere. Where packages are installed nobody links by hand, and there are too many links to look at before each start; for
// that reason also only what a link says counts, and not where that leads in turn.
func leads(dir string, folders []string) bool {
	switch dir {
	case "/usr/bin", "/usr/sbin", "/bin", "/sbin":
		return false
	}
	if len(folders) == 0 {
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return true
	}
	for _, e := range entries {
		if e.Type()&os.ModeSymlink == 0 {
			continue
		}
		target, err := os.Readlink(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		if within(target, folders) {
			return true
		}
	}
	return false
}

// within tells whether a path is one of the folders or below it. Where the system
// may not tell cases apart, they do not count here either.
func within(path string, folders []string) bool {
	for _, dir := range folders {
		if dir == filepath.Dir(dir) {
			continue // the root holds everything: it cannot be what is meant
		}
		a, b := filepath.Clean(path), dir
		if runtime.GOOS != "linux" {
			a, b = strings.ToLower(a), strings.ToLower(b)
		}
		if rel, err := filepath.Rel(b, a); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// executable tells whether a path leads to a file that can be started.
func executable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}

// spellings are the names that a program's file may have. On Windows those of
// scripts are left out: they are started through a shell, which reads their
// arguments anew.
func spellings(name string) []string {
	if runtime.GOOS != "windows" || strings.EqualFold(filepath.Ext(name), ".exe") {
		return []string{name}
	}
	return []string{name + ".exe", name + ".com"}
}
