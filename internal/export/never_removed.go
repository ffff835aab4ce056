package export

import (
	"path/filepath"
	"slices"
)

// kept tells which files are never removed: where a rule of this export comes from, and whatever else an agent or a path has that
// somebody named as the source. What is no rule to be exported there, such as one that is switched off, may be the last copy of a text.
func (p *Plan) kept(s Source) func(path string) bool {
	sources := map[string]bool{}
	for _, path := range p.sources {
		sources[sameFile(path)] = true
	}
	var forms []Form
	var folders []string
	for _, from := range s.From {
		named := false
		for _, f := range Forms() {
			if f.Agent == from || providers[f.Agent] == from {
				forms, named = append(forms, p.here(f)), true
			}
		}
		if named {
			continue
		}
		if !filepath.IsAbs(from) {
			from = filepath.Join(s.Dir, from)
		}
		folders = append(folders, from)
		if real, err := p.tree.RealPath(from); err == nil {
			folders = append(folders, real)
		}
	}
	return func(path string) bool {
		real, err := p.tree.RealPath(path)
		if err != nil {
			real = path
		}
		flavor := p.tree.Flavor()
		return sources[sameFile(path)] || sources[sameFile(real)] ||
			slices.ContainsFunc(folders, func(dir string) bool { return flavor.Inside(dir, path) || flavor.Inside(dir, real) }) ||
			slices.ContainsFunc(forms, func(f Form) bool {
				rel, err := filepath.Rel(f.base, path)
				return err == nil && f.owns(filepath.ToSlash(rel))
			})
	}
}
