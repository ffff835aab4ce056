package discover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// NamedRules reads the rule files that a user named: files as they are, and in
// folders those that a tool would read. A strategy file is left out. looked are
// the files that were looked at. The error is for I/O, worded for the user.
func NamedRules(ctx context.Context, tree files.Tree, locations RuleRoots, paths []string) (rules []*rule.Rule, list diag.List, looked []string, err error) {
	s := newSearch(tree, locations)
	var found []ruleFile
	for _, path := range paths {
		info, err := tree.Stat(path)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %s", diag.Short(path), fileerror.Reason(err))
		}
		if info.Kind != files.Folder {
			if !strategy.IsFile(path) || s.reads(path) {
				f := s.named(path)
				f.within = files.Anywhere() // the user named it
				if s.flavor.Inside(s.root, path) {
					f.within = s.project(s.repository(s.flavor.Dir(path)))
				}
				found = append(found, f)
			}
			continue
		}
		within := files.Below(tree, path)
		if s.flavor.Inside(s.root, path) {
			within = s.within
		}
		err = files.Walk(ctx, tree, path, files.WalkOptions{Within: &within}, func(step files.Step) error {
			if step.Info.Kind == files.Folder {
				if name := s.flavor.Base(step.Path); step.Err == nil && (name == ".git" || name == "node_modules") && step.Rel != "." {
					return files.ErrSkipFolder
				}
				return nil
			}
			if f, ok := s.recognize(step.Path); ok {
				f.within = within
				if inner := s.repository(s.flavor.Dir(step.Path)); inner != "" {
					f.within = s.project(inner)
				}
				var outside *files.OutsideError
				if errors.As(step.Err, &outside) { // reading it decides
					step.Err, step.Info.Kind = nil, files.File
				}
				if f.problem = step.Err; f.problem == nil && step.Info.Kind != files.File {
					f.problem = &files.NotRegularError{Path: step.Path, Kind: step.Info.Kind}
				}
				found = append(found, f)
			}
			return nil
		})
		if err != nil {
			return nil, nil, nil, err
		}
	}
	for i := range found {
		found[i].named = true
	}
	seen := map[string]bool{}
	found = slices.DeleteFunc(found, func(f ruleFile) bool {
		again := seen[f.path]
		seen[f.path] = true
		return again
	})
	for i := range found {
		looked = append(looked, found[i].path)
	}
	rules, list, err = readRules(ctx, s, found)
	return rules, list, looked, err
}

// FolderRules reads the Markdown files of a folder that no tool reads as native rules of the project, with their paths in it as names.
func FolderRules(ctx context.Context, tree files.Tree, locations RuleRoots, folder string) ([]*rule.Rule, diag.List, error) {
	s := newSearch(tree, locations)
	at := spot{dir: s.flavor.Dir(folder), level: rule.Project}
	within := files.Below(tree, folder)
	if s.flavor.Inside(s.root, folder) {
		within = s.project(s.repository(folder))
	}
	found := s.folderRules(at, &location{path: s.flavor.Base(folder), exts: []string{".md"}, format: nativeFormat()})
	found = slices.DeleteFunc(found, func(f ruleFile) bool { return strategy.IsFile(f.path) })
	for i := range found {
		name := found[i].origin.Name
		found[i].origin = s.looseOrigin(found[i].path)
		found[i].origin.Provider, found[i].origin.Name = "native", name
		found[i].within, found[i].named = within, true
	}
	return readRules(ctx, s, found)
}

// RuleText reads a text as the rule that it would be in a file; nil if it would be
// none. Nothing is looked up on the disk.
func RuleText(tree files.Tree, locations RuleRoots, path string, data []byte) (*rule.Rule, diag.List) {
	f := newSearch(tree, locations).named(path)
	source, list := rule.Decode(path, data)
	r, found := rule.Read(source, f.origin, f.format)
	return r, append(list, found...)
}

// named is a file that the user says is a rule: by its path if a tool would
// read it there, else by its name.
func (s *search) named(path string) ruleFile {
	if f, ok := s.recognize(path); ok {
		return f
	}
	origin := s.looseOrigin(path)
	origin.Provider, origin.Name = "native", stem(s.flavor.Base(path))
	return ruleFile{path: path, origin: origin, format: nativeFormat()}
}

// looseOrigin is that of a file that no tool reads where it is: as one of the project, but in whose repository it lies is the file's own.
func (s *search) looseOrigin(path string) rule.Origin {
	origin := s.origin(s.inside(s.root), &location{})
	origin.Loose = true
	if !s.Documented {
		origin.Inner = s.repository(s.flavor.Dir(path))
	}
	return origin
}

// ReadsAsRule tells whether some tool reads a file as a rule: a STRATEGY.md in a
// folder of rules is one of them, whatever it is called.
func ReadsAsRule(tree files.Tree, locations RuleRoots, path string) bool {
	if isNoRule(tree.Flavor(), path) { // no need to know where tools look
		return false
	}
	return newSearch(tree, locations).reads(path)
}

// RuleFormat is how the tool writes rules that reads a file as one; ok is false if no
// tool does.
func RuleFormat(tree files.Tree, locations RuleRoots, path string) (f *rule.Format, ok bool) {
	found, ok := newSearch(tree, locations).recognize(path)
	return found.format, ok
}

func (s *search) reads(path string) bool {
	_, read := s.recognize(path)
	return read
}

// isNoRule tells of a file that no tool reads as a rule, by its name alone.
func isNoRule(flavor files.Flavor, path string) bool {
	return strings.HasSuffix(strings.ToLower(path), strategy.Suffix) || strings.HasPrefix(flavor.Base(path), "._")
}

// recognize finds the tool that reads a file by its path. A `.mdc` anywhere is
// Cursor's, a `.instructions.md` Copilot's: collections keep them so.
func (s *search) recognize(path string) (ruleFile, bool) {
	slash := s.flavor.ToSlash(path)
	if isNoRule(s.flavor, path) {
		return ruleFile{}, false
	}
	for _, t := range s.tools {
		for _, level := range []rule.Level{rule.User, rule.Project} {
			locations := t.project
			if level == rule.User {
				locations = t.user
			}
			for i := range locations {
				if f, ok := s.at(slash, &locations[i], level); ok {
					f.path, f.origin.Provider = path, t.id
					return f, true
				}
			}
		}
	}
	for _, loose := range []struct{ ext, id string }{{".mdc", "cursor"}, {".instructions.md", "github"}} {
		if name, ok := ruleName(s.flavor.Base(path), []string{loose.ext}); ok {
			f := ruleFile{path: path, origin: s.looseOrigin(path), format: cursorFormat()}
			if loose.id == "github" {
				f.format = applyToFormat()
			}
			f.origin.Provider, f.origin.Name = loose.id, name
			return f, true
		}
	}
	return ruleFile{}, false
}

// at tells whether a file is at a location.
func (s *search) at(slash string, p *location, level rule.Level) (ruleFile, bool) {
	if level == rule.User {
		dir, p, ok := s.userLocation(p)
		if !ok {
			return ruleFile{}, false
		}
		at := spot{dir: dir, level: level}
		prefix := strings.TrimSuffix(s.slash(dir), "/") + "/" + p.path
		if p.exts == nil {
			return s.single(at, &p), slash == prefix
		}
		rel, ok := strings.CutPrefix(slash, prefix+"/")
		return s.inFolder(at, rel, &p, ok)
	}
	if p.exts == nil {
		dir, ok := strings.CutSuffix(slash, "/"+p.path)
		if !ok {
			return ruleFile{}, false
		}
		return s.single(s.inside(s.flavor.Clean(dir+"/")), p), true
	}
	i := strings.LastIndex(slash, "/"+p.path+"/")
	if i < 0 {
		return ruleFile{}, false
	}
	return s.inFolder(s.inside(s.flavor.Clean(slash[:i]+"/")), slash[i+len(p.path)+2:], p, true)
}

func (s *search) inFolder(at spot, rel string, p *location, ok bool) (ruleFile, bool) {
	name, has := ruleName(rel, p.exts)
	first, _, deep := strings.Cut(rel, "/")
	if !ok || !has || deep && (p.flat || slices.Contains(p.skip, first)) || isCache(rel) {
		return ruleFile{}, false
	}
	origin := s.origin(at, p)
	origin.Name = name
	return ruleFile{origin: origin, format: p.format, imports: p.imports}, true
}
