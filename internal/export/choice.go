package export

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mark"
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

// alsoRead tells of agents that are written for as well and take the files of this form's folder as plain text, beside their own file: they
// have the rule twice, and always, whatever its fields say.
func (p *Plan) alsoRead(f Form, file *File) []string {
	if p.user || file.Change == Skipped || f.IsMemory() {
		return nil
	}
	var out []string
	for _, other := range p.forms {
		reads := func(l agent.Location) bool {
			return l.Path == f.Path && l.IsFolder() && (l.Reading == agent.AsText || l.Reading == agent.Stripped) && l.Where&agent.User == 0 && slices.Contains(l.Exts, path.Ext(file.rel))
		}
		if other.Agent != f.Agent && slices.ContainsFunc(other.agent.Groups, func(g agent.Group) bool {
			return slices.ContainsFunc(g.Kinds, func(kind []agent.Location) bool { return slices.ContainsFunc(kind, reads) })
		}) {
			out = append(out, fmt.Sprintf("twice: %s reads this file as well as %s, and always", other.Title(), other.Path))
		}
	}
	return out
}

// unusedMarks tells of hand-written files of an agent, such as CLAUDE.md, that have the marks of a section although its rules stand in a
// folder: nothing is ever written between them.
func (p *Plan) unusedMarks(f Form) []*File {
	if p.user || f.IsMemory() {
		return nil
	}
	var out []*File
	for _, g := range f.agent.Groups {
		for _, l := range slices.Concat(g.Kinds...) {
			at := filepath.Join(p.place.Root, filepath.FromSlash(l.Path))
			known := slices.ContainsFunc(slices.Concat(p.Files, out), func(have *File) bool { return have.Path == at })
			if l.IsFolder() || l.Where&agent.Root == 0 && l.Where&agent.Work == 0 || known || l.Path == "AGENTS.md" || l.Path == "GEMINI.md" {
				continue // those two are for agents that have no folder
			}
			data, _, err := files.ReadWithin(p.tree, at, files.Below(p.tree, p.place.Root), maxFile)
			if err != nil {
				continue
			}
			if _, ok, err := mark.FindSection(string(data)); ok || err != nil {
				out = append(out, &File{Path: at, Agent: f.Agent, Change: Skipped, Rules: []string{}, Losses: []string{}, Why: "nothing is written between its marks: rules for " + f.Title() + " stand in " + f.Path})
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
	_, err := p.tree.Stat(filepath.Join(p.place.Root, filepath.FromSlash(rel)))
	return err == nil
}
