package discover

import (
	"errors"
	"io/fs"
	"slices"

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
	root   string       // of the project
	chain  []string     // folders from Dir up to root, the nearest first
	above  []string     // folders above root, the nearest first
	below  []string     // Folders that are not in the chain
	within files.Bounds // where files of the project must be: below root and Dir
	home   files.Bounds // below the home
	public bool         // everybody may write the working directory
	real   string       // Dir without links
	notes  diag.List    // what there is to say about the folders themselves

	listable map[string]bool // the folders of chain, above and below
	listings map[lookup]*listing
	looks    map[lookup]looked

	realHome string // the home without links; empty: there is none

	collects bool // the project is no repository, or holds the home: a folder of whatever was put there
	inners   innerFolders

	sums    map[rule.Level]*levelSum
	tools   []tool
	upward  map[string]agent.Where // folders above the project in which paths are looked for
	imports *imports.Project
}

func newSearch(tree files.Tree, locations RuleRoots) *search {
	tree = files.Looking(tree, &files.Recalled{})
	s := &search{RuleRoots: locations, tree: tree, flavor: tree.Flavor()}
	s.listable, s.listings, s.looks = map[string]bool{}, map[lookup]*listing{}, map[lookup]looked{}
	s.sums = map[rule.Level]*levelSum{rule.Project: {}, rule.User: {}}
	s.Dir = s.flavor.Clean(s.Dir)
	s.root = ProjectRoot(tree, s.Dir)
	s.imports = &imports.Project{Tree: tree, Root: s.root, Dir: s.Dir, Home: s.Home, Trusted: s.Trusted}
	s.tools, s.upward = tools(), upward()
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
	s.imports.Entered = s.entered
	s.imports.Repository = func(file string) string { return s.repository(s.flavor.Dir(file)) }
	if s.Own {
		return s
	}
	dir, err := tree.Stat(s.Dir)
	s.public = err == nil && dir.Public
	s.collects = !s.Documented && (!holdsAny(tree, s.root, append([]string{".pertain"}, repositories...)...) || s.holdsHome())
	s.real, _ = tree.RealPath(s.Dir)
	if path, ok := files.ForeignUp(tree, s.Dir, ".git"); ok {
		s.notes.Add(foreignFolder(path, "a repository"))
	}
	s.findFolders()
	return s
}

// holdsHome tells whether the project holds the user's home, or what somebody said is one.
func (s *search) holdsHome() bool {
	named := s.NamedHome
	if named != "" {
		named, _ = s.tree.RealPath(named)
	}
	for _, home := range []string{s.realHome, named} {
		if home != "" && s.within.Hold(s.flavor, home) {
			return true
		}
	}
	return false
}

// How many folders are looked in, each for all tools (docs/reference/rules.md): those of a project are a stranger's, and cost nothing to make.
const (
	maxChain = 64 // the nearest ones on the way up to the root, beside the root itself, or down to a file
	maxAbove = 64 // above the root: as many of the nearest and of the outermost, which are the user's
)

// findFolders finds the folders in which rules are looked for.
func (s *search) findFolders() {
	way := s.flavor.Up(s.Dir, s.root)
	if last := len(way) - 1; last > maxChain {
		s.notes.Add(leftOutFolders(way[maxChain], last-maxChain, "of the project above the working directory"))
		way = append(way[:maxChain:maxChain], way[last])
	}
	for _, dir := range way {
		if info, err := s.tree.Stat(dir); dir != s.Dir && (err != nil || info.Foreign) {
			s.notes.Add(foreignFolder(dir, "a folder"))
		} else if !inOwnFolder(s.flavor, s.root, dir) {
			s.chain = append(s.chain, dir)
		}
	}
	if !s.Documented {
		s.above = s.flavor.Up(s.flavor.Dir(s.root), "")
		if s.above[0] == s.root { // the root of all
			s.above = nil
		}
		if more := len(s.above) - 2*maxAbove; more > 0 {
			s.notes.Add(leftOutFolders(s.above[maxAbove], more, "above the project"))
			s.above = slices.Delete(s.above, maxAbove, maxAbove+more)
		}
	}
	for _, dir := range slices.Concat(s.chain, s.above) {
		s.listable[dir] = true
	}
	for _, dir := range s.Folders {
		if !slices.Contains(s.chain, dir) && !slices.Contains(s.below, dir) && !inOwnFolder(s.flavor, s.root, dir) {
			s.below, s.listable[dir] = append(s.below, dir), true
		}
	}
}

// leftOutFolders tells of folders in which no rules are looked for because there are so many.
func leftOutFolders(first string, count int, where string) diag.Diagnostic {
	return diag.At(diag.NewSource(first, ""), diag.NoSpan, diag.RuleTooLarge, "there are more folders %s than rules are looked for in; %d of them are left out: this one and those above it, up to the next that is looked in", where, count)
}

// kind tells what a path below a folder leads to; ok is false if nothing.
func (s *search) kind(dir, path string, level rule.Level) (files.Kind, bool) {
	kind, err := s.look(dir, path, level)
	return kind, err == nil
}

// look tells what a path below a folder leads to. Several tools, and what is told of them, ask for the same paths.
func (s *search) look(dir, path string, level rule.Level) (files.Kind, error) {
	if !s.mayHold(dir, path, level) {
		return 0, fs.ErrNotExist
	}
	at := lookup{dir, path, level}
	found, known := s.looks[at]
	if !known {
		found = s.lookAt(at)
		s.looks[at] = found
	}
	return found.kind, found.err
}

func (s *search) lookAt(at lookup) looked {
	o, err := s.open(s.flavor.Join(at.dir, at.path), s.bounds(at.dir, at.level))
	if err != nil {
		return looked{err: err}
	}
	defer o.Close()
	return looked{kind: o.Info().Kind}
}

// isName tells whether a path that leads nowhere is there all the same: what
// permission is missing for, and links that lead nowhere.
func (s *search) isName(dir, path string, level rule.Level, err error) bool {
	var outside *files.OutsideError
	if errors.Is(err, fs.ErrPermission) || errors.As(err, &outside) {
		return true
	}
	if !s.mayHold(dir, path, level) {
		return false
	}
	path = s.flavor.Join(dir, path)
	// What cannot be listed is told of, or is not there.
	links := s.listing(s.flavor.Dir(path), dir, level).links
	return slices.Contains(links, s.flavor.Base(path))
}
