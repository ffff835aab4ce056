package export

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// Source says which rules are meant.
type Source struct {
	From    []string // providers, agents or paths; nil: Pertain's own and native rules
	Dir     string   // that relative paths begin at, absolute
	Confine bool     // paths must lie in the project: the project's own settings name them
	User    bool     // the user's own rules, and not the project's
	Trusted bool     // the user trusts the project
	// TrustsInner tells whether the user trusts a repository inside of the project by itself; nil: none.
	TrustsInner func(folder string) bool
	Import      bool // also what was exported, where its source is gone
	All         bool // every tool's rules but Pertain's own and native ones
}

// UnknownSourceError says that there is nothing of a name.
type UnknownSourceError struct {
	Name string
	Why  string // for people; empty: there is no such provider, agent or path
}

func (e *UnknownSourceError) Error() string {
	if e.Why != "" {
		return diag.Short(e.Name) + ": " + e.Why
	}
	return "there is no provider, agent, file or folder `" + diag.Short(e.Name) + "`"
}

// NoRulesError says that a path which somebody named has no rules: most likely it is the wrong one.
type NoRulesError struct{ From []string }

func (e *NoRulesError) Error() string {
	return "no rules are found in `" + diag.Short(strings.Join(e.From, ", ")) + "`"
}

// own are the providers that rules are exported from where nothing else is said.
var own = []string{"pertain", "native"}

// providers are those of agents that have another name.
var providers = map[string]string{"copilot": "github", "codex": "agents-md", "droid": "factory", "omp": "native"}

// Load finds the rules that are meant, in order of precedence, and what there is to say about them. What was exported itself is
// found only where somebody names it, or the agent that reads it, and no rule that it was made from is here. The error is an [*UnknownSourceError], a [*NoRulesError], or for I/O and cancellation.
func Load(ctx context.Context, folders Folders, s Source) ([]Rule, diag.List, error) {
	set, err := s.rules(ctx, folders)
	if err != nil {
		return nil, nil, err
	}
	var out []Rule
	unsaid := leftOut(set.Warnings())
	for _, r := range set.Rules() {
		if rule, ok := newRule(r, folders.Root, folders.Home); ok {
			rule.losses = append(rule.losses, unsaid[r.Path]...)
			out = append(out, rule)
		}
	}
	return out, set.Warnings(), nil
}

// leftOut tells by file of fields that only oh-my-pi has: a rule is written without them.
func leftOut(warnings diag.List) map[string][]string {
	out := map[string][]string{}
	for _, d := range warnings {
		if d.Code == diag.RuleUnsupportedField && d.Source != nil {
			field, why, _ := strings.Cut(d.Message, " is a field of oh-my-pi that means nothing here: ")
			path := d.Source.Name()
			out[path] = append(out[path], "field: "+field+" is left out: "+why)
		}
	}
	return out
}

// rules are the rules that are meant, as their readers have them.
func (s Source) rules(ctx context.Context, folders Folders) (*rule.Set, error) {
	tree := files.OS()
	roots := discover.RuleRoots{Dir: folders.Root, Home: folders.Home, ConfigHome: folders.Config, Trusted: s.Trusted, TrustsInner: s.TrustsInner, Lookup: folders.Lookup}
	if !s.User {
		nested, notes, err := discover.NestedFolders(ctx, tree, folders.Root)
		if err != nil {
			return nil, err
		}
		roots.Folders, roots.Notes = nested, notes
	}
	all := discover.Rules(tree, roots)
	names, paths, err := s.split(tree, folders, all)
	if err != nil {
		return nil, err
	}
	options := rule.Options{Root: filepath.ToSlash(folders.Root), FoldCase: tree.Flavor() == files.Windows}
	strangers := &strangers{Strangers: discover.NewStrangers(tree, roots), tree: tree}
	var found []*rule.Rule
	var list diag.List
	if len(paths) > 0 {
		named, warnings, err := namedRules(ctx, tree, roots, paths, strangers)
		if err != nil {
			return nil, err
		}
		found = append(found, named...)
		list = append(list, warnings...)
	}
	if len(names) > 0 || len(paths) == 0 {
		read, warnings, err := s.provided(ctx, tree, roots, all, names)
		if err != nil {
			return nil, err
		}
		if len(paths)+len(names) == 0 && !s.Import {
			read = slices.DeleteFunc(read, func(r *rule.Rule) bool { return r.Export != nil })
		}
		found = append(found, strangers.without(read, "")...)
		list = append(list, warnings...)
	}
	found, list = strangers.withoutLinked(found, list)
	list = append(list, strangers.told()...)
	if len(paths) > 0 && len(found) == 0 && len(strangers.out) == 0 && !s.Confine { // settings stay where the last rule was removed
		return nil, &NoRulesError{s.From}
	}
	return rule.NewSet(found, list, options), nil
}

// namedRules reads what paths name. A folder in which no tool reads a file is one of native rules, unless it is the project itself.
func namedRules(ctx context.Context, tree files.Tree, roots discover.RuleRoots, paths []string, strangers *strangers) (found []*rule.Rule, list diag.List, err error) {
	known := map[string]bool{} // by path
	for _, path := range paths {
		named, warnings, looked, err := discover.NamedRules(ctx, tree, roots, []string{path})
		if err != nil {
			return nil, nil, err
		}
		info, err := tree.Stat(path)
		if err == nil && info.Kind == files.Folder && len(looked) == 0 && !tree.Flavor().Inside(path, roots.Dir) {
			named, warnings, err = discover.FolderRules(ctx, tree, roots, path)
		}
		if err != nil {
			return nil, nil, err
		}
		for _, r := range strangers.without(named, path) {
			if !known[r.Path] {
				known[r.Path] = true
				found = append(found, r)
			}
		}
		list = append(list, warnings...)
	}
	return found, list, nil
}

// provided are the rules of providers and agents.
func (s Source) provided(ctx context.Context, tree files.Tree, roots discover.RuleRoots, all []rule.Provider, names []string) ([]*rule.Rule, diag.List, error) {
	wanted := func(r *rule.Rule) bool {
		id := func(name string) bool {
			return name == r.Provider || providers[name] == r.Provider || slices.Contains(r.Agents, name)
		}
		switch {
		case s.All:
			return !slices.Contains(own, r.Provider)
		case len(names) == 0:
			return slices.Contains(own, r.Provider)
		}
		return slices.ContainsFunc(names, id)
	}
	level := rule.Project
	if s.User {
		level = rule.User
	}
	var found []*rule.Rule
	var list diag.List
	for _, p := range all {
		if len(names) == 0 && !s.All && !slices.Contains(own, p.ID()) {
			continue
		}
		read, warnings, err := p.Rules(ctx)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, slices.DeleteFunc(read, func(r *rule.Rule) bool {
			return r.Level != level || s.User && r.Within != "" // above the project
		})...)
		list = append(list, slices.DeleteFunc(warnings, func(diag.Diagnostic) bool {
			return len(names) > 0 && !slices.Contains(names, p.ID())
		})...)
	}
	if len(names) > 0 {
		if err := discover.Agents(ctx, tree, roots, found); err != nil {
			return nil, nil, err
		}
	}
	// What was exported is left out where its source is here, whatever is asked for.
	folded := rule.NewSet(slices.Clone(found), nil, rule.Options{Root: filepath.ToSlash(roots.Dir), Agent: "export", Beside: true, FoldCase: tree.Flavor() == files.Windows})
	for _, d := range folded.Warnings() { // of what is asked for and left out because its source was removed, and others are kept there
		if slices.ContainsFunc(names, func(name string) bool { return name == d.Provider || providers[name] == d.Provider }) {
			list = append(list, d)
		}
	}
	return slices.DeleteFunc(slices.Clone(folded.Rules()), func(r *rule.Rule) bool { return !wanted(r) }), list, nil
}

// split tells names of providers and agents from paths.
func (s Source) split(tree files.Tree, folders Folders, all []rule.Provider) (names, paths []string, err error) {
	for _, from := range s.From {
		_, isAgent := agent.Lookup(from)
		if isAgent || slices.ContainsFunc(all, func(p rule.Provider) bool { return p.ID() == from }) {
			names = append(names, from)
			continue
		}
		path := from
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Dir, path)
		}
		path = filepath.Clean(path)
		if s.Confine {
			if filepath.IsAbs(from) || !filepath.IsLocal(from) {
				return nil, nil, &UnknownSourceError{from, "the project's own settings may name only what lies in the project"}
			}
			if _, _, err := files.StatWithin(tree, path, files.Below(tree, folders.Root)); err != nil {
				return nil, nil, &UnknownSourceError{from, "there is no such file or folder in the project"}
			}
		}
		if _, err := tree.Stat(path); err != nil || strings.TrimSpace(from) == "" {
			return nil, nil, &UnknownSourceError{Name: from}
		}
		paths = append(paths, path)
	}
	return names, paths, nil
}

// CheckTargets finds the forms of agents by their names; the error names one that there is none of.
func CheckTargets(names []string, user bool) ([]Form, error) {
	var out []Form
	for _, name := range names {
		f, ok := FormOf(name)
		if !ok {
			hint := "the agents are " + strings.Join(agent.Names(), ", ")
			if near := diag.Nearest(strings.ToLower(name), agent.Names()); near != "" {
				hint = "did you mean `" + near + "`?"
			}
			return nil, fmt.Errorf("there is no agent `%s`; %s", diag.Short(name), hint)
		}
		if user && f.User == "" {
			return nil, fmt.Errorf("%s has no rules of the user's own", f.Title())
		}
		out = append(out, f)
	}
	return out, nil
}
