package export

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// tellTwice tells of agents that are written for and read what is written for another one as well: they have a rule twice then, and
// maybe always, whatever their own file says. Each agent's own reader decides, on the files as they will be.
func (p *Plan) tellTwice(ctx context.Context) error {
	if p.user || len(p.forms) < 2 {
		return nil
	}
	tree, shared := p.asPlanned(), p.group()
	for _, f := range p.forms {
		if err := p.tellTwiceTo(ctx, f, tree); err != nil {
			return err
		}
		for _, file := range p.Files {
			folder := path.Dir(path.Dir(file.rel))
			if file.skill && file.Change != Skipped && !file.isFor(f.Agent) && f.agent.ReadsSkills(folder) {
				at := f.Path
				if takeSkills(shared.beside(f)) {
					at = f.skills.path
				}
				file.readers = append(file.readers, reader{f.Title(), at, ofSkill})
			}
		}
	}
	for _, file := range p.Files {
		file.tellReaders()
	}
	return nil
}

// reader is an agent that reads a file which is not written for it.
type reader struct {
	title string
	own   string // where its own copy is
	way   way
}

// way is how such an agent reads the file, and the note says it.
type way uint8

const (
	twice       way = iota
	twiceAlways     // its own copy has conditions, the file has none for it
	ofSkill
	alsoAlways // it has no copy of its own
)

// tellReaders says it in one note for each way.
func (f *File) tellReaders() {
	for _, w := range []struct {
		way
		kind, what, also string
	}{
		{twice, "twice: ", "this file", ""},
		{twiceAlways, "twice: ", "this file", ", and always"},
		{ofSkill, "twice: ", "this skill", ""},
		{alsoAlways, "also: ", "this file", ", and always"},
	} {
		var names []string
		own := ""
		for _, r := range f.readers {
			if r.way == w.way {
				names, own = append(names, r.title), r.own
			}
		}
		verb := " reads "
		if len(names) > 1 {
			verb, own = " read ", "their own"
		}
		if own != "" {
			own = " as well as " + own
		}
		if len(names) > 0 {
			f.Notes = append(f.Notes, w.kind+inWords(names)+verb+w.what+own+w.also)
		}
	}
}

// inWords is names in a sentence.
func inWords(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// imagined is the root of a project that is in memory alone.
const imagined = "/w"

// asPlanned is the project as readers will find it: what is planned, and of the files among which agents choose that they are there.
func (p *Plan) asPlanned() *files.Memory {
	tree := files.NewMemory(files.Unix)
	tree.MakeFolder(imagined + "/.git")
	for _, f := range p.forms {
		for _, g := range f.agent.Groups {
			for _, l := range slices.Concat(g.Kinds...) {
				if !l.IsFolder() && l.Where&agent.User == 0 && p.isThere(l.Path) {
					tree.WriteFile(imagined+"/"+l.Path, "Something.\n")
				}
			}
		}
	}
	for _, file := range p.Files {
		if file.text != "" && !file.skill {
			tree.WriteFile(imagined+"/"+file.rel, file.text)
		}
	}
	return tree
}

// tellTwiceTo finds what one agent reads of the files of others.
func (p *Plan) tellTwiceTo(ctx context.Context, f Form, tree files.Tree) error {
	byPath := map[string]*File{}
	for _, file := range p.Files {
		if file.text != "" {
			byPath[imagined+"/"+file.rel] = file
		}
	}
	// A file below a folder is read once something there is worked on.
	touched := discover.RuleRoots{Dir: imagined, Folders: p.foldersOf(byPath)}
	set, err := rule.Load(ctx, []rule.Provider{discover.AgentRules(tree, touched, f.agent)}, rule.Options{Root: imagined, Agent: f.Agent, Beside: true})
	if err != nil {
		return err
	}
	own := map[string]bool{} // sources that the agent has from its own files
	for _, r := range set.All() {
		if file := byPath[r.Path]; file != nil && file.isFor(f.Agent) && r.When != rule.NotAtAll {
			for _, source := range file.sources {
				own[source] = true
			}
		}
	}
	for _, r := range set.All() {
		file := byPath[r.Path]
		if file == nil || file.isFor(f.Agent) || r.When == rule.NotAtAll {
			continue
		}
		if f.agent.OneName && r.Shadowed && r.ShadowedBy != nil && strings.EqualFold(r.Name, r.ShadowedBy.Name) {
			continue // of one name it takes the first alone
		}
		stronger := r.When == rule.AtStart && slices.ContainsFunc(file.placed, func(at *placed) bool { return at.Activation != Always })
		switch has := slices.ContainsFunc(file.sources, func(s string) bool { return own[s] }); {
		case has && stronger:
			file.readers = append(file.readers, reader{f.Title(), f.Path, twiceAlways})
		case has:
			file.readers = append(file.readers, reader{f.Title(), f.Path, twice})
		case stronger:
			file.readers = append(file.readers, reader{f.Title(), "", alsoAlways})
		}
	}
	return nil
}

// foldersOf are the folders of planned files.
func (p *Plan) foldersOf(planned map[string]*File) []string {
	var out []string
	for at, file := range planned {
		if file.inner != "" && path.Dir(file.rel) != "." {
			out = append(out, path.Dir(at))
		}
	}
	return sortedUnique(out)
}

// isFor tells whether a file is written for an agent.
func (f *File) isFor(name string) bool { return f.Agent == name || slices.Contains(f.Shared, name) }
