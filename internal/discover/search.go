package discover

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
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
	links  map[string][]string        // names of links in folders that were looked at
	notes  diag.List                  // what there is to say about the folders themselves

	sums    map[rule.Level]*levelSum
	tools   []tool
	upward  map[string]agent.Where // folders above the project in which paths are looked for
	listed  map[string][]string    // names in folders
	lookups atomic.Int64           // nanoseconds that looking up imports has taken
}

func newSearch(tree files.Tree, locations RuleRoots) *search {
	s := &search{RuleRoots: locations, tree: tree, flavor: tree.Flavor(), lists: map[string]map[string]bool{}}
	s.sums = map[rule.Level]*levelSum{rule.Project: {}, rule.User: {}}
	s.Dir = s.flavor.Clean(s.Dir)
	s.root = ProjectRoot(tree, s.Dir)
	s.links = map[string][]string{}
	s.tools, s.upward, s.listed = tools(), upward(), map[string][]string{}
	if s.Fleet != "" {
		s.tools = withFleet(s.tools)
	}
	s.notes = slices.Clone(locations.Notes)
	s.within = files.Below(tree, s.root, s.Dir)
	if s.flavor.Dir(s.Home) != s.Home { // the root of all, as some containers have it, is nobody's home
		s.home = files.Below(tree, s.Home)
	}
	if s.Own {
		return s
	}
	dir, err := tree.Stat(s.Dir)
	s.public = err == nil && dir.Public
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

// usual looks for a tool's locations: in the working directory and every folder
// above it in the project, the nearest first; in more folders; at the user's.
func (s *search) usual(t *tool) []ruleFile {
	var project []ruleFile
	for _, dir := range s.chain {
		project = append(project, s.in(s.inside(dir), t.project)...)
	}
	for _, dir := range s.below {
		project = append(project, s.in(s.nested(dir), t.project)...)
	}
	project = append(project, s.aboveRules(t)...)
	if t.userFirst {
		return append(s.users(t), project...)
	}
	return append(project, s.users(t)...)
}

// spot is a folder in which a tool's files are looked for.
type spot struct {
	dir   string
	level rule.Level
	below bool // below the working directory: its name stands before those of its rules
	above bool // above the project: the user's, if nobody else can write there
}

// inside is a folder of the chain, nested one below it.
func (s *search) inside(dir string) spot { return spot{dir: dir, level: rule.Project} }
func (s *search) nested(dir string) spot { return spot{dir: dir, level: rule.Project, below: true} }

// in finds the rules of locations in one folder.
func (s *search) in(at spot, locations []location) []ruleFile {
	var out []ruleFile
	for i := range locations {
		p := &locations[i]
		if at.below && p.notBelow || p.rootOnly && at.level == rule.Project && s.flavor.Key(at.dir) != s.flavor.Key(s.root) {
			continue
		}
		out = append(out, s.atLocation(at, p)...)
		single := func(other location) bool { return other.exts == nil && other.path == p.path }
		if s.inPlaceOfFolder(at, p) && !slices.ContainsFunc(locations, single) {
			out = append(out, s.problem(s.flavor.Join(at.dir, p.path), at.level, errNoRulesFolder))
		}
		if s.inPlaceOfFile(at, p) {
			out = append(out, s.problem(s.flavor.Join(at.dir, p.path), at.level, errNoRuleFile))
		}
		if p.anyCase {
			for _, v := range s.variants(at.dir, p) {
				out = append(out, s.atLocation(at, &v)...)
			}
		}
	}
	return out
}

// atLocation finds the rules of one location in one folder.
func (s *search) atLocation(at spot, p *location) []ruleFile {
	path := s.flavor.Join(at.dir, p.path)
	kind, err := s.look(at.dir, p.path, at.level)
	switch {
	case err != nil:
		if s.isName(at.dir, p.path, at.level, err) && !at.above {
			return []ruleFile{s.problem(path, at.level, err)}
		}
	case kind == files.Special:
		return []ruleFile{s.problem(path, at.level, &files.NotRegularError{Path: path, Kind: kind})}
	case p.exts == nil && kind == files.File:
		return []ruleFile{s.single(at, p)}
	case p.exts != nil && kind == files.Folder:
		return s.folderRules(at, p)
	}
	return nil
}

var (
	errNoRulesFolder = errors.New("it is a file, and this tool reads the files in a folder of that name")
	errNoRuleFile    = errors.New("it is a folder, and this tool reads a file of that name")
)

// inPlaceOfFolder tells whether there is a file where a tool has a folder.
func (s *search) inPlaceOfFolder(at spot, p *location) bool {
	if p.exts == nil || at.above {
		return false
	}
	kind, err := s.look(at.dir, p.path, at.level)
	return err == nil && kind == files.File
}

// inPlaceOfFile tells whether there is a folder where a tool has a file, and no tool has
// a folder, or files in one.
func (s *search) inPlaceOfFile(at spot, p *location) bool {
	if p.exts != nil || at.above {
		return false
	}
	if kind, err := s.look(at.dir, p.path, at.level); err != nil || kind != files.Folder {
		return false
	}
	for _, t := range s.tools {
		for _, other := range slices.Concat(t.project, t.user) {
			if other.exts != nil && other.path == p.path || strings.HasPrefix(other.path, p.path+"/") {
				return false
			}
		}
	}
	return true
}

// problem is a name at which a rule is expected and cannot be read.
func (s *search) problem(path string, level rule.Level, err error) ruleFile {
	return ruleFile{path: path, origin: rule.Origin{Level: level, Name: stem(s.flavor.Base(path))}, problem: err}
}

// single is the rule in a file of its own.
func (s *search) single(at spot, p *location) ruleFile {
	name := p.name
	if name == "" {
		name = stem(p.path[strings.LastIndexByte(p.path, '/')+1:])
	}
	origin := s.origin(at, p)
	switch {
	case at.above, p.ownName:
	case at.level == rule.User:
		name = "~/" + name // beside the project's file of this name, not hidden by it
	case p.located:
		origin.Within = s.slash(at.dir)
	}
	origin.Name = name
	return ruleFile{path: s.flavor.Join(at.dir, p.path), within: s.bounds(at.dir, at.level), origin: origin, format: p.format, imports: p.imports, above: at.above}
}

// origin says what the folder that holds a tool's folder means for its rules.
func (s *search) origin(at spot, p *location) rule.Origin {
	o := rule.Origin{Level: at.level, Base: s.slash(at.dir), Always: p.always, Manual: p.manual}
	switch {
	case at.above:
		o.Within, o.Chained, o.Prefix = o.Base, true, strings.TrimSuffix(o.Base, "/")
	case at.level == rule.User && p.workBase:
		o.Base = s.slash(s.Dir)
	case at.level == rule.User:
		o.Base = s.slash(s.root)
	default:
		if rel, ok := s.flavor.Rel(s.root, at.dir); ok && rel != "." {
			o.Folder = s.slash(rel)
			o.Within = o.Base // rules of a subfolder are for its files
		}
		o.Nested, o.Chained = at.below, !at.below
		if p.rootBase {
			o.Base = s.slash(s.root)
			if !at.below {
				o.Within = ""
			}
		}
	}
	return o
}

func (s *search) slash(path string) string {
	path = s.flavor.ToSlash(path)
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// maxFolderDepth is how deep a folder of rules is looked at.
const maxFolderDepth = 8

// maxFolderEntries is how many names are looked at in a folder of rules and below.
const maxFolderEntries = 20_000

// folderRules are the rules in a folder and its subfolders, in byte order.
func (s *search) folderRules(at spot, p *location) []ruleFile {
	var out []ruleFile
	folder := s.flavor.Join(at.dir, p.path)
	origin := s.origin(at, p)
	within := s.bounds(at.dir, at.level)
	depth := maxFolderDepth
	if p.flat {
		depth = 1
	}
	failed := func(path string, err error) {
		var limit *files.LimitError
		if p.flat && errors.As(err, &limit) && limit.What == "levels" {
			return
		}
		f := s.problem(path, at.level, err)
		f.origin.Name = "" // of a folder
		out = append(out, f)
	}
	if sum := s.sums[at.level]; sum.full.Load() { // nothing of it would be read
		failed(folder, &sumError{what: sum.what})
		return out
	}
	err := files.Walk(context.Background(), s.tree, folder, files.WalkOptions{Follow: true, MaxDepth: depth, MaxEntries: maxFolderEntries, Within: &within}, func(step files.Step) error {
		base := s.flavor.Base(step.Path)
		if step.Rel == "." {
			if step.Err != nil { // there is more in it than is looked at
				failed(step.Path, step.Err)
			}
			return nil
		}
		var outside *files.OutsideError
		if step.Link && errors.As(step.Err, &outside) {
			// A file may be kept elsewhere, as reading it decides; of a folder that leads out nothing is looked at.
			if leadsToFolder(s.tree, step.Path) {
				if !strings.HasPrefix(base, ".") && base != "node_modules" {
					failed(step.Path, step.Err)
				}
				return nil
			}
			step.Err, step.Info.Kind = nil, files.File
		}
		if step.Info.Kind == files.Folder {
			switch {
			case step.Err != nil:
				failed(step.Path, step.Err)
			case strings.HasPrefix(base, ".") || base == "node_modules" || p.flat || slices.Contains(p.skip, step.Rel):
				return files.ErrSkipFolder
			}
			return nil
		}
		name, ok := ruleName(step.Rel, p.exts)
		switch {
		case !ok || strings.HasPrefix(base, ".") || isCache(base):
			return nil
		case step.Err != nil:
			out = append(out, s.problem(step.Path, at.level, step.Err))
			return nil //nolint:nilerr // it is told of when the rules are read
		case step.Info.Kind != files.File:
			out = append(out, s.problem(step.Path, at.level, &files.NotRegularError{Path: step.Path, Kind: step.Info.Kind}))
			return nil
		}
		o := origin
		o.Name = name
		out = append(out, ruleFile{path: step.Path, within: within, origin: o, format: p.format, imports: p.imports, above: at.above})
		return nil
	})
	if err != nil {
		failed(folder, err)
	}
	return out
}

// flat are the files of one folder, without subfolders, as the rulebook loads
// them: in byte order of their names.
func (s *search) flat(folder, base string, level rule.Level, f *format, exts ...string) []ruleFile {
	within := s.bounds(base, level)
	entries, err := files.ListWithin(s.tree, folder, within)
	if err != nil {
		var outside *files.OutsideError
		if errors.As(err, &outside) {
			return []ruleFile{s.problem(folder, level, err)}
		}
		return nil
	}
	var out []ruleFile
	for _, e := range entries {
		at := strings.LastIndexByte(e.Name, '.')
		if at <= 0 || !slices.Contains(exts, e.Name[at:]) || strings.HasPrefix(e.Name, ".") {
			continue
		}
		path := s.flavor.Join(folder, e.Name)
		if e.Kind != files.Link {
			if e.Kind != files.File {
				continue
			}
		} else if o, err := s.open(path, within); err == nil {
			kind := o.Info().Kind
			if o.Close(); kind != files.File {
				continue
			}
		} else if outside := (*files.OutsideError)(nil); errors.As(err, &outside) {
			out = append(out, s.problem(path, level, err))
			continue
		} else {
			continue
		}
		out = append(out, ruleFile{path: path, within: within, format: f, origin: rule.Origin{Level: level, Name: e.Name[:at], Base: s.slash(base)}})
	}
	return out
}

// ruleName is a file's path in its rules folder without the extension; ok is
// false if it has none of the extensions.
func ruleName(rel string, exts []string) (string, bool) {
	lower := strings.ToLower(rel)
	if slices.Equal(exts, anyName) {
		if name, ok := ruleName(rel, []string{".md", ".txt", ".mdc", ".markdown"}); ok {
			return name, true
		}
		return rel, true // the end of the name keeps it apart from those
	}
	for _, ext := range exts {
		if strings.HasSuffix(lower, ext) && len(lower) > len(ext) && lower[len(lower)-len(ext)-1] != '/' {
			return rel[:len(rel)-len(ext)], true
		}
	}
	return "", false
}

// stem is a file's name without a leading dot and without its extension.
func stem(name string) string {
	name = strings.TrimPrefix(name, ".")
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
