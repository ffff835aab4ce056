package discover

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// modeFolders are the files of an agent with modes: folders of rules for all modes
// and for one, and files that count where there is no folder.
type modeFolders struct {
	parent, folder string // .roo, rules: below it also rules-MODE
	file           string // .roorules, and .roorules-MODE
}

// roo is Roo Code's rules: the generic ones always apply, those of a mode only
// in that mode. Every file of a rules folder counts, whatever its name.
func roo() tool {
	return modeTool("roo", "Roo Code", 22, modeFolders{".roo", "rules", ".roorules"})
}

func modeTool(id, title string, priority int, m modeFolders) tool {
	f := &format{Tool: title, Whole: true}
	path := m.parent + "/" + m.folder
	return tool{
		id: id, priority: priority,
		project: []location{
			{path: path, exts: anyName, format: f, always: true},
			{path: m.file, format: f, always: true},
		},
		user: []location{{path: path, exts: anyName, format: f, always: true}},
		find: func(s *search, t *tool) []ruleFile {
			var out []ruleFile
			for _, at := range s.spots() {
				out = append(out, s.modesIn(at, t.project, m, f)...)
			}
			if s.Home != "" {
				out = append(out, s.modesIn(spot{dir: s.Home, level: rule.User}, t.user, m, f)...)
			}
			return out
		},
	}
}

// spots are the folders of the project in which rules are looked for: those of the
// chain, the nearest first, then those below.
func (s *search) spots() []spot {
	var out []spot
	for _, dir := range s.chain {
		out = append(out, s.inside(dir))
	}
	for _, dir := range s.below {
		out = append(out, s.nested(dir))
	}
	return out
}

// modesIn finds the rules of one folder: each mode's first, then the generic ones.
func (s *search) modesIn(at spot, locations []location, m modeFolders, f *format) []ruleFile {
	var out []ruleFile
	if kind, ok := s.kind(at.dir, m.parent, at.level); ok && kind == files.Folder {
		entries, _ := files.ListWithin(s.tree, s.flavor.Join(at.dir, m.parent), s.bounds(at.dir, at.level))
		for _, e := range entries {
			if mode, ok := strings.CutPrefix(e.Name, m.folder+"-"); ok && mode != "" {
				found := s.in(at, []location{{path: m.parent + "/" + e.Name, exts: anyName, format: f, manual: true}})
				for i := range found {
					found[i].origin.Name = mode + "/" + found[i].origin.Name
				}
				out = append(out, found...)
			}
		}
	}
	if at.level == rule.Project {
		for _, name := range s.names(at.dir) {
			if mode, ok := strings.CutPrefix(name, m.file+"-"); ok && mode != "" {
				out = append(out, s.in(at, []location{{path: name, name: stem(m.file) + "-" + mode, format: f, manual: true}})...)
			}
		}
	}
	generic := s.in(at, locations[:1])
	if len(generic) == 0 && len(locations) > 1 {
		generic = s.in(at, locations[1:])
	}
	return append(out, generic...)
}
