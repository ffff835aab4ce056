package discover

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// search is what the tools share while they look for their files.
type search struct {
	RulePlaces
	tree   files.Tree
	flavor files.Flavor
	root   string   // of the project
	chain  []string // folders from Dir up to root, the nearest first
	below  []string // Folders that are not in the chain
	lists  map[string]map[string]bool
}

func newSearch(tree files.Tree, places RulePlaces) *search {
	s := &search{RulePlaces: places, tree: tree, flavor: tree.Flavor(), lists: map[string]map[string]bool{}}
	s.Dir = s.flavor.Clean(s.Dir)
	s.root = ProjectRoot(tree, s.Dir)
	for dir := s.Dir; ; dir = s.flavor.Dir(dir) {
		s.chain = append(s.chain, dir)
		if s.flavor.Key(dir) == s.flavor.Key(s.root) || dir == s.flavor.Dir(dir) {
			break
		}
	}
	for _, dir := range places.Folders {
		if !slices.Contains(s.chain, dir) && !slices.Contains(s.below, dir) {
			s.below = append(s.below, dir)
			s.list(dir)
		}
	}
	return s
}

// list remembers what a folder holds: one listing answers for all tools.
func (s *search) list(dir string) {
	entries, err := s.tree.ReadDir(dir)
	if err != nil {
		return
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[s.flavor.Key(e.Name)] = true
	}
	s.lists[dir] = names
}

// kind tells what a path below a folder leads to; ok is false if nothing.
func (s *search) kind(dir, path string) (files.Kind, bool) {
	if names := s.lists[dir]; names != nil {
		first, _, _ := strings.Cut(path, "/")
		if !names[s.flavor.Key(first)] {
			return 0, false
		}
	}
	info, err := s.tree.Stat(s.flavor.Join(dir, path))
	return info.Kind, err == nil
}

// usual looks for a tool's places: in the working directory and every folder
// above it in the project, the nearest first; in more folders; at the user's.
func (s *search) usual(t *tool) []ruleFile {
	var project, user []ruleFile
	for _, dir := range s.chain {
		project = append(project, s.in(dir, t.project, rule.Project, "")...)
	}
	for _, dir := range s.below {
		rel, _ := s.flavor.Rel(s.root, dir)
		project = append(project, s.in(dir, t.project, rule.Project, rel)...)
	}
	if s.Home != "" {
		user = s.in(s.Home, t.user, rule.User, "")
	}
	if t.userFirst {
		return append(user, project...)
	}
	return append(project, user...)
}

// in finds the rules of places in one folder. The prefix goes before the names
// of rules in rule folders.
func (s *search) in(dir string, places []place, level rule.Level, prefix string) []ruleFile {
	var out []ruleFile
	for i := range places {
		p := &places[i]
		kind, ok := s.kind(dir, p.path)
		switch {
		case !ok || kind == files.Special:
		case p.exts == nil && kind == files.File:
			out = append(out, s.single(dir, p, level, prefix))
		case p.exts != nil && kind == files.Folder:
			out = append(out, s.folderRules(dir, p, level, prefix)...)
		}
	}
	return out
}

// single is the rule in a file of its own.
func (s *search) single(dir string, p *place, level rule.Level, prefix string) ruleFile {
	name := p.name
	if name == "" {
		name = stem(p.path[strings.LastIndexByte(p.path, '/')+1:])
	}
	origin := s.origin(dir, level)
	origin.Always = p.always
	switch {
	case level == rule.User:
		name = "~/" + name // beside the project's file of this name, not hidden by it
	case p.located:
		if rel, ok := s.flavor.Rel(s.root, dir); ok && rel != "." {
			name = rel + "/" + name
		}
		origin.Within = s.slash(dir)
	case prefix != "":
		name = prefix + "/" + name
	}
	origin.Name = name
	return ruleFile{path: s.flavor.Join(dir, p.path), origin: origin, format: p.format, imports: p.imports}
}

// origin says what the folder that holds a tool's folder means for its rules.
func (s *search) origin(dir string, level rule.Level) rule.Origin {
	if level == rule.User {
		return rule.Origin{Level: level, Base: s.slash(s.root)}
	}
	o := rule.Origin{Level: level, Base: s.slash(dir)}
	if s.flavor.Key(dir) != s.flavor.Key(s.root) && s.flavor.Inside(s.root, dir) {
		o.Within = o.Base // rules of a subfolder are for its files
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

// folderRules are the rules in a folder and its subfolders, in byte order.
func (s *search) folderRules(dir string, p *place, level rule.Level, prefix string) []ruleFile {
	var out []ruleFile
	folder := s.flavor.Join(dir, p.path)
	origin := s.origin(dir, level)
	origin.Always = p.always
	links := 0
	// A folder that cannot be listed holds no rules that could be told about.
	_ = files.Walk(context.Background(), s.tree, folder, files.WalkOptions{Follow: true, MaxDepth: 8, MaxEntries: 20_000}, func(step files.Step) error {
		base := s.flavor.Base(step.Path)
		if step.Rel == "." {
			return nil
		}
		if step.Link {
			links++
		}
		if step.Info.Kind == files.Folder {
			if step.Err == nil && (strings.HasPrefix(base, ".") || base == "node_modules") {
				return files.ErrSkipFolder
			}
			return nil
		}
		name, ok := ruleName(step.Rel, p.exts)
		if !ok || step.Err != nil || step.Info.Kind != files.File || strings.HasPrefix(base, ".") {
			return nil //nolint:nilerr // a link that leads nowhere is no rule
		}
		if prefix != "" {
			name = prefix + "/" + name
		}
		o := origin
		o.Name = name
		out = append(out, ruleFile{path: step.Path, origin: o, format: p.format, imports: p.imports})
		return nil
	})
	if real, err := s.tree.RealPath(folder); err == nil && links == 0 {
		for i := range out {
			out[i].real = real + out[i].path[len(folder):]
		}
	}
	return out
}

// flat are the files of one folder, without subfolders, as the rulebook loads
// them: in byte order of their names.
func (s *search) flat(folder, base string, level rule.Level, f *format, exts ...string) []ruleFile {
	entries, err := s.tree.ReadDir(folder)
	if err != nil {
		return nil
	}
	var out []ruleFile
	for _, e := range entries {
		at := strings.LastIndexByte(e.Name, '.')
		if at <= 0 || !slices.Contains(exts, e.Name[at:]) || strings.HasPrefix(e.Name, ".") {
			continue
		}
		path := s.flavor.Join(folder, e.Name)
		if info, err := s.tree.Stat(path); err != nil || info.Kind != files.File {
			continue
		}
		out = append(out, ruleFile{path: path, format: f, origin: rule.Origin{Level: level, Name: e.Name[:at], Base: s.slash(base)}})
	}
	return out
}

// ruleName is a file's path in its rules folder without the extension; ok is
// false if it has none of the extensions.
func ruleName(rel string, exts []string) (string, bool) {
	lower := strings.ToLower(rel)
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
