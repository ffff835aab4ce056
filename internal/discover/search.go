package discover

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover/imports"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// search is what the tools share while they look for their files.
type search struct {
	RuleRoots
	tree   files.Tree
	flavor files.Flavor
	root   string                     // of the project
	chain  []string                   // folders from Dir up to root, the nearest first
	above  []string                   // folders above root, the nearest first
	below  []string                   // Folders that are not in the chain
	lists  map[string]map[string]bool // what below holds
	within files.Bounds               // where files of the project must be: below root and Dir
	home   files.Bounds               // below the home
	public bool                       // everybody may write the working directory
	real   string                     // Dir without links
	links  map[string][]string        // names of links in folders that were looked at
	notes  diag.List                  // what there is to say about the folders themselves

	realHome string // the home without links; empty: there is none

	sums    map[rule.Level]*levelSum
	tools   []tool
	upward  map[string]agent.Where // folders above the project in which paths are looked for
	listed  map[string][]string    // names in folders
	imports *imports.Project
}

func newSearch(tree files.Tree, locations RuleRoots) *search {
	s := &search{RuleRoots: locations, tree: tree, flavor: tree.Flavor(), lists: map[string]map[string]bool{}}
	s.sums = map[rule.Level]*levelSum{rule.Project: {}, rule.User: {}}
	s.Dir = s.flavor.Clean(s.Dir)
	s.root = ProjectRoot(tree, s.Dir)
	s.imports = &imports.Project{Tree: tree, Root: s.root, Dir: s.Dir, Home: s.Home, Trusted: s.Trusted}
	s.links = map[string][]string{}
	s.tools, s.upward, s.listed = tools(), upward(), map[string][]string{}
	if s.Fleet != "" {
		s.tools = withFleet(s.tools)
	}
	s.notes = slices.Clone(locations.Notes)
	s.within = files.Below(tree, s.root, s.Dir)
	if s.flavor.Dir(s.Home) != s.Home { // the root of all, as some containers have it, is nobody's home
		s.home = files.Below(tree, s.Home)
		s.realHome, _ = tree.RealPath(s.Home)
	}
	s.imports.RealHome = s.realHome
	if s.Own {
		return s
	}
	dir, err := tree.Stat(s.Dir)
	s.public = err == nil && dir.Public
	s.real, _ = tree.RealPath(s.Dir)
	if path, ok := files.ForeignUp(tree, s.Dir, ".git"); ok {
		s.notes.Add(foreignFolder(path, "a repository"))
	}
	for dir := s.Dir; ; dir = s.flavor.Dir(dir) {
		if info, err := tree.Stat(dir); dir != s.Dir && (err != nil || info.Foreign) {
			s.notes.Add(foreignFolder(dir, "a folder"))
		} else if !inOwnFolder(s.flavor, s.root, dir) {
			s.chain = append(s.chain, dir)
		}
		if s.flavor.Key(dir) == s.flavor.Key(s.root) || dir == s.flavor.Dir(dir) {
			break
		}
	}
	for dir := s.root; !s.Documented && s.flavor.Dir(dir) != dir; {
		dir = s.flavor.Dir(dir)
		s.above = append(s.above, dir)
	}
	for _, dir := range locations.Folders {
		if !slices.Contains(s.chain, dir) && !slices.Contains(s.below, dir) && !inOwnFolder(s.flavor, s.root, dir) {
			s.below = append(s.below, dir)
			s.list(dir)
		}
	}
	return s
}

// list remembers what a folder holds: one listing answers for all tools.
func (s *search) list(dir string) {
	entries, err := files.ListWithin(s.tree, dir, s.within)
	if err != nil {
		return
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[s.flavor.Key(e.Name)] = true
	}
	s.lists[dir], s.links[dir] = names, linkNames(entries)
}

// kind tells what a path below a folder leads to; ok is false if nothing.
func (s *search) kind(dir, path string, level rule.Level) (files.Kind, bool) {
	kind, err := s.look(dir, path, level)
	return kind, err == nil
}

// look tells what a path below a folder leads to.
func (s *search) look(dir, path string, level rule.Level) (files.Kind, error) {
	if !s.mayHold(dir, path) {
		return 0, fs.ErrNotExist
	}
	o, err := s.open(s.flavor.Join(dir, path), s.bounds(dir, level))
	if err != nil {
		return 0, err
	}
	defer o.Close()
	return o.Info().Kind, nil
}

// mayHold is false if the folder was listed and a path's first name is not there.
func (s *search) mayHold(dir, path string) bool {
	names := s.lists[dir]
	first, _, _ := strings.Cut(path, "/")
	return names == nil || names[s.flavor.Key(first)]
}

// isName tells whether a path that leads nowhere is there all the same: what
// permission is missing for, and links that lead nowhere.
func (s *search) isName(dir, path string, level rule.Level, err error) bool {
	var outside *files.OutsideError
	if errors.Is(err, fs.ErrPermission) || errors.As(err, &outside) {
		return true
	}
	if !s.mayHold(dir, path) {
		return false
	}
	path = s.flavor.Join(dir, path)
	folder := s.flavor.Dir(path)
	links, known := s.links[folder]
	if !known {
		entries, _ := files.ListWithin(s.tree, folder, s.bounds(dir, level)) // what cannot be listed is told of, or is not there
		links = linkNames(entries)
		s.links[folder] = links
	}
	return slices.Contains(links, s.flavor.Base(path))
}

func linkNames(entries []files.Entry) []string {
	var out []string
	for _, e := range entries {
		if e.Kind == files.Link {
			out = append(out, e.Name)
		}
	}
	return out
}
