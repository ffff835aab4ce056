package export

import (
	"path"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/mark"
)

// memoryFiles are the files of agents that share them: one at the root, and one in each folder that rules are for.
func (p *Plan) memoryFiles(shared []Form, rules []Rule) []*File {
	f := shared[0]
	byFolder := map[string]*File{}
	var out []*File
	for _, r := range rules {
		at, folder := p.placeInMemory(shared, r)
		rel := path.Join(folder, f.Path)
		if at.skip {
			out = append(out, &File{rel: rel, Rules: []string{r.Name}, sources: []string{r.Source}, placed: []*placed{at}, Change: Skipped})
			continue
		}
		file := byFolder[folder]
		if file == nil {
			file = &File{rel: rel}
			byFolder[folder] = file
			out = append(out, file)
		}
		file.hold(at)
	}
	for _, file := range out {
		if len(shared) > 1 {
			for _, form := range shared {
				file.Shared = append(file.Shared, form.Agent)
			}
		}
		if file.Change == Skipped {
			continue
		}
		file.finish()
		for _, form := range shared {
			if limit := form.agent.Limit; limit.Bytes > 0 && len(file.text) > limit.Bytes {
				file.placed[len(file.placed)-1].lose("size", "%s reads %d bytes of all its files together", form.Title(), limit.Bytes)
			} else if limit.Characters > 0 && len([]rune(file.text)) > limit.Characters {
				file.placed[len(file.placed)-1].lose("size", "%s reads %d characters", form.Title(), limit.Characters)
			}
		}
	}
	return out
}

// hold adds a rule to a file of several.
func (f *File) hold(at *placed) {
	at.lose("name", "rules in %s have none", path.Base(f.rel))
	if at.Description != "" && at.Activation != ByDescription {
		at.lose("description", "rules in %s have none", path.Base(f.rel))
	}
	f.Rules = append(f.Rules, at.Name)
	f.placed = append(f.placed, at)
}

// finish writes the text of a file of several rules, and says where they come from, each place once.
func (f *File) finish() {
	bodies := make([]string, len(f.placed))
	known := map[string]bool{}
	for i, at := range f.placed {
		bodies[i] = at.body()
		if !known[at.Source] {
			known[at.Source] = true
			f.sources = append(f.sources, at.Source)
		}
	}
	f.inner = strings.Join(bodies, mark.Between)
	f.text = withComment(f.sources, f.inner)
}

// placeInMemory decides in which folder's file a rule stands, and what must be said in words.
func (p *Plan) placeInMemory(shared []Form, r Rule) (at *placed, folder string) {
	f := shared[0]
	if r.Activation == ByGlobs && !p.user {
		dir, whole := staticFolder(r.Globs)
		nested := !slices.ContainsFunc(shared, func(form Form) bool { return !form.reads(agent.Between | agent.Below) })
		if dir != "" && nested && !hasDots(dir) && p.isFolder(dir) {
			at = &placed{Rule: r, as: Always, lost: append([]string(nil), r.losses...)}
			at.lose("globs", "%s has none; the rule stands in the file of its folder, %s", path.Base(f.Path), dir)
			for _, form := range shared {
				if !form.reads(agent.Below) {
					at.lose("globs", "%s reads that file only if it is started in that folder or below", form.Title())
				}
			}
			if !whole {
				at.lose("globs", "which files of the folder it is for is said before the text")
				at.head = append(at.head, mark.OnlyFor+codes(r.Globs)+".")
			}
			for _, g := range r.Except {
				at.lose("globs", "that it is not for %s is said before the text", code(g))
				at.head = append(at.head, mark.NotFor+code(g)+".")
			}
			return at, dir
		}
	}
	return f.place(r), ""
}

// hasDots tells whether a folder of a path begins with a dot: what lies there is no part of the project's own.
func hasDots(dir string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool { return strings.HasPrefix(part, ".") || part == "node_modules" || part == "" })
}

// reads tells whether the agent reads its file in such folders of the project, too.
func (f *Form) reads(where agent.Where) bool {
	for _, g := range f.agent.Groups {
		for _, kind := range g.Kinds {
			for _, l := range kind {
				if l.Path == f.Path && l.Where&where != 0 {
					return true
				}
			}
		}
	}
	return false
}
