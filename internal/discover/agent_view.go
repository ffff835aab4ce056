package discover

import (
	"context"
	"slices"

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

	ownNames []string // that the user's own settings give to memory files
}

func (v *view) ID() string    { return v.agent.Name }
func (v *view) Priority() int { return 0 }

// viewFile is a file that the agent looks at.
type viewFile struct {
	ruleFile
	location *agent.Location
	below    bool
	unsure   bool // settings of a workspace that is not trusted name it: the agent may not believe them
}

// Rules reads the agent's files in its own way and order.
func (v *view) Rules(ctx context.Context) ([]*rule.Rule, diag.List, error) {
	var found []viewFile
	for _, g := range v.groups() {
		found = append(found, v.group(&g)...)
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
	repository := v.inRepository()
	for i, dir := range v.above {
		where := agent.Above
		if i == 0 && !(v.Home != "" && v.flavor.Key(dir) == v.flavor.Key(v.Home)) {
			where |= agent.OneAbove
		}
		if !repository {
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
	_, err := v.tree.Stat(v.flavor.Join(v.root, ".git"))
	return err == nil
}

// bare is what a folder above the working directory is where there is no
// repository.
func (v *view) bare(dir string) agent.Where {
	all := agent.Above | agent.OneAbove | agent.Between
	switch v.agent.Bare {
	case agent.ToTop:
		return all
	case agent.ToHome:
		if v.Home != "" && v.flavor.Inside(v.Home, dir) {
			return all
		}
	}
	return 0
}
