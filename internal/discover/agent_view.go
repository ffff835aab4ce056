package discover

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// AgentRules is what one agent loads by itself, as a single provider: its files, in
// its order.
func AgentRules(tree files.Tree, roots RuleRoots, a *agent.Agent) rule.Provider {
	return &view{search: newSearch(tree, roots), agent: a}
}

// Agents adds to rules the names of the agents that load their files.
func Agents(ctx context.Context, tree files.Tree, roots RuleRoots, rules []*rule.Rule) error {
	loaders := map[string][]string{}
	s := newSearch(tree, roots)
	var among map[string]bool
	if len(rules) >= maxRuleFiles { // the rest was not read, and need not be here either
		among = make(map[string]bool, len(rules))
		for _, r := range rules {
			among[r.Path] = true
		}
	}
	for _, a := range agent.All() {
		v := &view{search: s, agent: &a, among: among}
		found, _, err := v.Rules(ctx)
		if err != nil {
			return err
		}
		for _, r := range found {
			if list := loaders[r.Path]; r.When != rule.NotAtAll && !slices.Contains(list, a.Name) {
				loaders[r.Path] = append(list, a.Name)
			}
		}
		for level := range s.sums { // each view reads the same files
			s.sums[level] = &levelSum{}
		}
	}
	for _, r := range rules {
		r.Agents = append([]string{}, loaders[r.Path]...)
	}
	return nil
}

// view is the files of one agent.
type view struct {
	*search
	agent *agent.Agent
	among map[string]bool // paths of the only files that matter; nil: all do
}

func (v *view) ID() string    { return v.agent.Name }
func (v *view) Priority() int { return 0 }

// viewFile is a file that the agent looks at.
type viewFile struct {
	ruleFile
	location *agent.Location
	below    bool
}

// Rules reads the agent's files in its own way and order.
func (v *view) Rules(ctx context.Context) ([]*rule.Rule, diag.List, error) {
	var found []viewFile
	for i := range v.agent.Groups {
		found = append(found, v.group(&v.agent.Groups[i])...)
	}
	seen := map[string]bool{}
	found = slices.DeleteFunc(found, func(f viewFile) bool {
		again := seen[f.path]
		seen[f.path] = true
		return again || v.among != nil && !v.among[f.path]
	})
	plain := make([]ruleFile, len(found))
	for i := range found {
		plain[i] = found[i].ruleFile
	}
	rules, list, err := readRules(ctx, v.search, plain)
	if err != nil {
		return nil, nil, err
	}
	byPath := map[string]*viewFile{}
	for i := range found {
		byPath[found[i].path] = &found[i]
	}
	for _, r := range rules {
		v.judge(r, byPath[r.Path])
	}
	list = append(list, v.switchOff(rules, byPath)...)
	list = append(list, v.cut(rules)...)
	return rules, append(slices.Clone(v.notes), list...), nil
}

// stop is one folder on the agent's way, with all that it is.
type stop struct {
	spot
	where agent.Where
}

// way is the folders of the project that the agent looks at, in its order; those
// below the working directory come last.
func (v *view) way() []stop {
	var out []stop
	for _, dir := range v.chain { // the nearest first
		where := agent.Between
		if dir == v.Dir {
			where = agent.Work
		}
		if v.flavor.Key(dir) == v.flavor.Key(v.root) {
			where = where&^agent.Between | agent.Root
		}
		out = append(out, stop{v.inside(dir), where})
	}
	for i, dir := range v.above {
		where := agent.Above
		if i == 0 && !(v.Home != "" && v.flavor.Key(dir) == v.flavor.Key(v.Home)) {
			where |= agent.OneAbove
		}
		if !v.inRepository() {
			where = v.bare(dir)
		}
		out = append(out, stop{spot{dir: dir, level: rule.User, above: true}, where})
	}
	if !v.agent.NearestFirst {
		slices.Reverse(out)
	}
	for _, dir := range v.below {
		if v.flavor.Inside(v.Dir, dir) {
			out = append(out, stop{v.nested(dir), agent.Below})
		}
	}
	return out
}

func (v *view) inRepository() bool {
	_, _, ok := files.FindUp(v.tree, v.Dir, ".git")
	return ok
}

// bare is what a folder above the working directory is where there is no
// repository.
func (v *view) bare(dir string) agent.Where {
	all := agent.Above | agent.OneAbove | agent.Between
	switch v.agent.Bare {
	case agent.ToTop:
		return all
	case agent.ToHome:
		if v.Home != "" && (v.flavor.Key(dir) == v.flavor.Key(v.Home) || v.flavor.Inside(v.Home, dir)) {
			return all
		}
	}
	return 0
}

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
			if g.Pick == agent.OneKind && chosen >= 0 && k > chosen && !(s.below && k == 0) {
				continue
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
			if len(here) > 0 && g.Pick != agent.Every && (g.Pick == agent.OneAFolder || chosen < 0 || k == chosen) {
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
	if v.agent.Name == "copilot" && p.Path == ".copilot/instructions" {
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
	if len(list) > 1 && !p.Deep {
		list = preferred(list, p.Exts)
	}
	id, _ := v.owner(p)
	for _, f := range list {
		f.origin.Provider = id
		if !at.below { // what was loaded at the start is there for every file
			f.origin.Within = ""
		}
		out = append(out, viewFile{ruleFile: f, location: p, below: at.below})
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
