package discover

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

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
	kind, err := s.look(at.dir, p.path, at.level)
	if errors.Is(err, fs.ErrNotExist) && !s.mayHold(at.dir, p.path, at.level) {
		return nil // as nearly everywhere
	}
	path := s.flavor.Join(at.dir, p.path)
	switch {
	case err != nil:
		if s.isName(at.dir, p.path, at.level, err) && !at.above {
			return []ruleFile{s.problem(path, at.level, err)}
		}
	case kind == files.Special:
		return []ruleFile{s.problem(path, at.level, &files.NotRegularError{Path: path, Kind: kind})}
	case p.exts == nil && kind == files.File:
		if at.below && s.ownedFile(at.dir, p) {
			return nil
		}
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
	if p.exts == nil {
		return false
	}
	kind, err := s.look(at.dir, p.path, at.level)
	return err == nil && kind == files.File
}

// inPlaceOfFile tells whether there is a folder where a tool has a file, and no tool has
// a folder, or files in one.
func (s *search) inPlaceOfFile(at spot, p *location) bool {
	if p.exts != nil {
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
		if !s.Documented {
			o.Inner = s.inner(at.dir)
		}
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
