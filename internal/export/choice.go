package export

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
)

// choice tells where an agent reads one file and not the other: that the one which is written is not read because of another, or
// that another is no longer read because of it.
func (p *Plan) choice(f Form, file *File) []string {
	if p.user || file.Change == Skipped {
		return nil
	}
	shared := file.Shared
	if len(shared) == 0 {
		shared = []string{f.Agent}
	}
	var out []string
	for _, name := range shared {
		reader, ok := agent.Lookup(name)
		if !ok {
			continue
		}
		for _, g := range reader.Groups {
			if g.Pick != agent.Every {
				out = append(out, p.chosen(reader, g, f, file)...)
			}
		}
	}
	return out
}

func (p *Plan) chosen(reader *agent.Agent, g agent.Group, f Form, file *File) []string {
	own := slices.IndexFunc(g.Kinds, func(kind []agent.Location) bool {
		return slices.ContainsFunc(kind, func(l agent.Location) bool { return l.Path == f.Path && l.Where&agent.User == 0 })
	})
	if own < 0 {
		return nil
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(file.rel, path.Base(file.rel)), "/")
	if !f.IsMemory() {
		dir = ""
	}
	var out []string
	for k, kind := range g.Kinds {
		for _, l := range kind {
			other := path.Join(dir, l.Path)
			if k == own || l.Where&agent.User != 0 || !p.isThere(other) || slices.ContainsFunc(p.forms, func(f Form) bool { return f.Path == l.Path }) {
				continue
			}
			switch {
			case k < own:
				out = append(out, fmt.Sprintf("unread: %s reads %s in place of this file", reader.Title, other))
			case !p.isThere(path.Join(dir, f.Path)):
				out = append(out, fmt.Sprintf("instead: %s reads this file in place of %s", reader.Title, other))
			}
		}
	}
	return out
}

func (p *Plan) isThere(rel string) bool {
	_, err := p.tree.Stat(filepath.Join(p.folders.Root, filepath.FromSlash(rel)))
	return err == nil
}
