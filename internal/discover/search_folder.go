package discover

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// folderRules are the rules in a folder and its subfolders, in byte order.
func (s *search) folderRules(at spot, p *location) []ruleFile {
	var out []ruleFile
	folder := s.flavor.Join(at.dir, p.path)
	origin := s.origin(at, p)
	within := s.bounds(at.dir, at.level)
	depth := files.RulesDepth
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
	err := files.Walk(context.Background(), s.tree, folder, files.WalkOptions{Follow: true, MaxDepth: depth, MaxEntries: files.RulesEntries, Within: &within}, func(step files.Step) error {
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

// leadsToFolder tells whether a link that is not followed leads to a folder.
func leadsToFolder(tree files.Tree, path string) bool {
	info, err := tree.Stat(path)
	return err == nil && info.Kind == files.Folder
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
