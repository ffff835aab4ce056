package export

import (
	"path/filepath"
	"slices"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mark"
)

// betweenMarks takes the rules that always apply out of the list, where a file of the agent that people write by hand, such as
// CLAUDE.md, has marks for them. What only some files or a model's question bring in stays in the folder, which can say that.
func (p *Plan) betweenMarks(f Form, rules []Rule) (rest []Rule, file *File) {
	at := slices.IndexFunc(f.Memory, func(rel string) bool { return p.hasMarks(f.base, rel) })
	if at < 0 {
		return rules, nil
	}
	file = &File{rel: f.Memory[at]}
	for _, r := range rules {
		placed := f.place(r)
		if placed.as != Always || placed.skip || openFence(r.Text) || openComment(r.Text) { // an end that is missing takes what a person wrote below
			rest = append(rest, r)
			continue
		}
		file.hold(placed)
	}
	if len(file.placed) == 0 {
		return rest, nil
	}
	file.finish()
	return rest, file
}

// hasMarks tells whether a file has the marks of a section, or one of the two.
func (p *Plan) hasMarks(base, rel string) bool {
	data, _, err := files.ReadWithin(p.tree, filepath.Join(base, filepath.FromSlash(rel)), p.bounds(base), maxFile)
	if err != nil {
		return false
	}
	_, ok, err := mark.FindSection(string(data))
	return ok || err != nil
}

// bounds are where files may lie: links of the user's own folders are the user's.
func (p *Plan) bounds(base string) files.Bounds {
	if p.user {
		return files.Anywhere()
	}
	return files.Below(p.tree, base)
}

// unusedMarks tells of hand-written files of an agent that have the marks of a section although no export writes there.
func (p *Plan) unusedMarks(f Form) []*File {
	if p.user || f.IsMemory() {
		return nil
	}
	var used []string // by some agent
	for _, form := range Forms() {
		used = append(used, form.Memory...)
		if form.IsMemory() {
			used = append(used, form.Path)
		}
	}
	var out []*File
	for _, g := range f.agent.Groups {
		for _, l := range slices.Concat(g.Kinds...) {
			at := filepath.Join(p.folders.Root, filepath.FromSlash(l.Path))
			known := slices.ContainsFunc(slices.Concat(p.Files, out), func(have *File) bool { return have.Path == at })
			if l.IsFolder() || l.Where&agent.Root == 0 && l.Where&agent.Work == 0 || known || slices.Contains(used, l.Path) || !p.hasMarks(p.folders.Root, l.Path) {
				continue
			}
			out = append(out, &File{Path: at, Agent: f.Agent, Change: Skipped, Rules: []string{}, Losses: []string{}, Why: "nothing is written between its marks: rules for " + f.Title() + " stand in " + f.Path})
		}
	}
	return out
}
