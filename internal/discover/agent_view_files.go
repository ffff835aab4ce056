package discover

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/rule"
)

// group finds the files of a group, as the agent chooses among them.
func (v *view) group(g *agent.Group) []viewFile {
	way := v.way()
	chosen := -1 // the kind for all folders; -1: none was found
	if g.Pick == agent.OneKind {
		chosen = v.kindOfAll(g, way)
	}
	var out []viewFile
	users := v.userFiles(g, chosen)
	if !v.agent.NearestFirst {
		out = append(out, users...)
	}
	nearest := map[string]string{}
	for _, s := range way { // of those that count in the nearest folder alone
		for _, p := range flatten(g) {
			if p.Nearest && p.Where&s.where != 0 && (nearest[p.Path] == "" || v.flavor.Inside(nearest[p.Path], s.dir)) && len(v.files(s, p)) > 0 {
				nearest[p.Path] = s.dir
			}
		}
	}
	for _, s := range way {
		for k, kind := range g.Kinds {
			if chosen >= 0 && k > chosen {
				break
			}
			var here []viewFile
			for i := range kind {
				p := &kind[i]
				if p.Where&s.where == 0 || p.Nearest && nearest[p.Path] != s.dir {
					continue
				}
				here = append(here, v.files(s, p)...)
			}
			out = append(out, here...)
			if len(here) > 0 && (g.Pick == agent.OneAFolder || g.Pick == agent.OneKind && chosen < 0) {
				break
			}
		}
	}
	if v.agent.NearestFirst {
		out = append(out, users...)
	}
	return out
}

func flatten(g *agent.Group) []*agent.Location {
	var out []*agent.Location
	for _, kind := range g.Kinds {
		for i := range kind {
			out = append(out, &kind[i])
		}
	}
	return out
}

// kindOfAll is the first kind that is found in any folder from the working
// directory up, or at the user's; -1: none is.
func (v *view) kindOfAll(g *agent.Group, way []stop) int {
	for k, kind := range g.Kinds {
		for i := range kind {
			p := &kind[i]
			if p.Where&agent.User != 0 && len(v.userFile(p)) > 0 {
				return k
			}
			for _, s := range way {
				if !s.below && p.Where&s.where != 0 && len(v.files(s, p)) > 0 {
					return k
				}
			}
		}
	}
	return -1
}

// userFiles are the user's own files of a group.
func (v *view) userFiles(g *agent.Group, chosen int) []viewFile {
	var out []viewFile
	for k, kind := range g.Kinds {
		if chosen >= 0 && k != chosen {
			continue
		}
		var here []viewFile
		for i := range kind {
			if kind[i].Where&agent.User != 0 {
				here = append(here, v.userFile(&kind[i])...)
			}
		}
		out = append(out, here...)
		if len(here) > 0 && g.Pick == agent.OneAFolder {
			break
		}
	}
	return out
}

func (v *view) userFile(p *agent.Location) []viewFile {
	l := v.location(p)
	l.env, l.config, l.system = p.Env, p.Where&agent.Config != 0, p.Where&agent.System != 0
	dir, below, ok := v.userLocation(&l)
	if !ok {
		return nil
	}
	found := v.found(spot{dir: dir, level: rule.User}, &below, p)
	if p.Path == ".copilot/instructions" { // Copilot's
		for _, f := range v.instructions(l.format, p.Exts) {
			f.origin.Provider = "github"
			found = append(found, viewFile{ruleFile: f, location: p})
		}
	}
	return found
}

// files are those of one location in one folder.
func (v *view) files(at stop, p *agent.Location) []viewFile {
	l := v.location(p)
	out := v.found(at.spot, &l, p)
	if v.agent.FoldNames && !p.IsFolder() {
		for _, other := range v.variants(at.dir, &l) {
			out = append(out, v.found(at.spot, &other, p)...)
		}
	}
	return out
}

// found are the files of a location as the agent takes them.
func (v *view) found(at spot, l *location, p *agent.Location) []viewFile {
	var out []viewFile
	var list []ruleFile
	if p.Reading == agent.Settings {
		list = v.instructed(at, l.path, l.format)
	} else {
		list = v.atLocation(at, l)
	}
	if !p.Deep {
		list = preferred(list, p.Exts)
	}
	id, _ := v.owner(p)
	for _, f := range list {
		f.origin.Provider = id
		if !at.below { // what was loaded at the start is there for every file
			f.origin.Within = ""
		}
		f.chosen = f.chosen || p.As != "" && at.level == rule.Project
		out = append(out, viewFile{ruleFile: f, location: p, below: at.below, unsure: v.unsure(p)})
	}
	return out
}

// preferred keeps of files with one name and several ends the one whose end comes
// first.
func preferred(list []ruleFile, exts []string) []ruleFile {
	rank := func(f ruleFile) int {
		return slices.IndexFunc(exts, func(ext string) bool { return strings.HasSuffix(strings.ToLower(f.path), ext) })
	}
	best := map[string]int{}
	for _, f := range list {
		if at, ok := best[f.origin.Name]; !ok || rank(f) < at {
			best[f.origin.Name] = rank(f)
		}
	}
	return slices.DeleteFunc(list, func(f ruleFile) bool { return f.origin.Name != "" && rank(f) != best[f.origin.Name] })
}
