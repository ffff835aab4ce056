package pertain

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/rule"
)

// RuleOptions say which rules are loaded. The zero value loads what agents see
// when they are started in the working directory.
type RuleOptions struct {
	Documented bool     // exactly what the rulebook describes, its known gaps included
	Files      []string // absolute paths of files to be asked for: rules in the folders on the way to them count too
	Own        bool     // the user's own rules alone: nothing of the project is read
	Nested     bool     // rules in all folders of the project count, except for what .gitignore names
	Named      []string // with Nested: of those folders, only such as can hold a rule of one of these names; nil: all

	// Agent is the one whose view is asked for: only what it loads itself, in its order
	// and as it reads it ([AgentNames]). Empty: all agents together.
	Agent string
	// Agents: each rule says which agents load its file.
	Agents bool
}

// AgentNames are the agents that [RuleOptions].Agent takes, sorted.
func AgentNames() []string { return agent.Names() }

// CheckAgent tells whether there is an agent of a name; the error is an
// [*UnknownAgentError].
func CheckAgent(name string) error {
	if _, ok := agent.Lookup(name); !ok {
		return &UnknownAgentError{name}
	}
	return nil
}

// UnknownAgentError says that there is no agent of a name.
type UnknownAgentError struct{ Name string }

// Error also names the agent that was probably meant, or else all that there are.
func (e *UnknownAgentError) Error() string {
	hint := "one of " + strings.Join(AgentNames(), ", ")
	if near := diag.Nearest(strings.ToLower(e.Name), AgentNames()); near != "" {
		hint = "did you mean `" + near + "`?"
	}
	return "there is no agent `" + diag.Short(e.Name) + "`; " + hint
}

// Rulebook is the rules of one working directory. [OpenRules] makes one; the zero value has
// none.
type Rulebook struct {
	*rule.Set
	Root string // of the project: the folder with .git, else the working directory

	tree    files.Tree
	roots   discover.RuleRoots
	fleet   error
	trusted []string // see trustedFolders
}

// FleetProblem says why the rules of the fleet that the settings name are not among these; nil: they are, or there is no fleet.
func (b *Rulebook) FleetProblem() error { return b.fleet }

// OpenRules loads the rules of all tools for a working directory, in order of precedence.
// The error is for I/O and cancellation alone: what is wrong with rules is in
// the set's warnings.
func OpenRules(ctx context.Context, env Environment, options RuleOptions) (*Rulebook, error) {
	tree := follow.Noted(ctx, files.OS())
	env.Dir = settings.WorkingDir(tree, env.Dir)
	roots := ruleRoots(env)
	roots.Documented, roots.Own = options.Documented, options.Own
	root := discover.ProjectRoot(tree, env.Dir)
	roots.Trusted = trusts(ctx, env, root)
	roots.TrustsInner = func(folder string) bool { return trusts(ctx, env, folder) }
	if !options.Documented && !options.Own {
		roots.Folders, roots.Notes = discover.FoldersTo(tree, root, withReal(tree, options.Files))
		if options.Nested {
			nested, notes, err := discover.NestedFolders(ctx, tree, root, options.Named...)
			if err != nil {
				return nil, err
			}
			roots.Folders, roots.Notes = append(roots.Folders, nested...), append(roots.Notes, notes...)
		}
	}
	var missing error
	if !options.Documented {
		var told diag.List
		roots.Fleet, told, missing = fleetDir(ctx, tree, env)
		roots.Notes = append(roots.Notes, told...)
	}
	providers := discover.Rules(tree, roots)
	how := rule.Options{
		Documented: options.Documented,
		Root:       slashes(tree, root),
		FoldCase:   tree.Flavor() == files.Windows,
		Trusted:    trustedFolders(tree, env, root),
		Agent:      options.Agent,
	}
	if options.Agent != "" {
		a, ok := agent.Lookup(options.Agent)
		if !ok {
			return nil, &UnknownAgentError{options.Agent}
		}
		providers, how.Beside = []rule.Provider{discover.AgentRules(tree, roots, a)}, !a.OneName
	}
	set, err := rule.Load(ctx, providers, how)
	if err != nil {
		return nil, err
	}
	if options.Agents && !options.Documented {
		if err := discover.Agents(ctx, tree, roots, set.All()); err != nil {
			return nil, err
		}
	}
	return &Rulebook{Set: set, Root: root, tree: files.OS(), roots: roots, fleet: missing, trusted: how.Trusted}, nil
}

// trusts tells whether the user trusts a folder; what cannot be read trusts nobody.
func trusts(ctx context.Context, env Environment, root string) bool {
	paths, _ := settings.Locate(settingsEnvironment(env))
	if paths.Trust != "" {
		follow.Note(ctx, paths.Trust)
	}
	trusted, err := settings.Trust{Path: paths.Trust}.Trusted(root)
	return err == nil && trusted
}

// trustedFolders are the workspace and the project, as far as the user trusts
// them, as they are written and without links.
func trustedFolders(tree files.Tree, env Environment, project string) []string {
	paths, homeless := settings.Locate(settingsEnvironment(env))
	if homeless != nil {
		return nil
	}
	roots := []string{project}
	if workspace, ok := settings.WorkspaceRoot(tree, env.Dir); ok && workspace != project && !(tree.Flavor().Inside(workspace, project) && discover.IsClone(tree, project)) {
		roots = append(roots, workspace)
	}
	var out []string
	for _, root := range roots {
		if trusted, err := (settings.Trust{Path: paths.Trust}).Trusted(root); err != nil || !trusted {
			continue // what cannot be made out is not trusted; Locate tells why
		}
		out = append(out, slashes(tree, root))
		if real, err := tree.RealPath(root); err == nil && real != root {
			out = append(out, slashes(tree, real))
		}
	}
	return out
}

// fleetDir is the folder of the fleet's revision; empty: there is none, and missing says why, where there should be one. Settings that cannot be read
// name no fleet, and say so elsewhere.
func fleetDir(ctx context.Context, tree files.Tree, env Environment) (dir string, told diag.List, missing error) {
	paths, homeless := settings.Locate(settingsEnvironment(env))
	if homeless != nil {
		return "", nil, nil //nolint:nilerr // without a home there are no settings, and so no fleet
	}
	values, _, err := load(tree, env, paths)
	if err != nil {
		return "", nil, err
	}
	return newFleetCopy(&values, paths).open(ctx)
}

// ruleRoots are the folders of this user and of a working directory.
func ruleRoots(env Environment) discover.RuleRoots {
	tree := files.OS()
	paths, _ := settings.Locate(settingsEnvironment(env)) // without a home there are no user's rules
	roots := discover.RuleRoots{Dir: env.Dir, Home: paths.Home, NamedHome: env.Caller.Home, Lookup: settingsEnvironment(env).Lookup}
	if paths.ConfigDir != "" {
		roots.ConfigHome = tree.Flavor().Dir(paths.ConfigDir)
	}
	if dirs, ok := settingsEnvironment(env).Lookup("COPILOT_CUSTOM_INSTRUCTIONS_DIRS"); ok {
		for _, dir := range strings.Split(dirs, ",") {
			if dir = strings.TrimSpace(dir); dir != "" {
				roots.Instructions = append(roots.Instructions, joinIfRelative(tree, env.Dir, dir))
			}
		}
	}
	return roots
}

// withReal adds the paths that links lead to.
func withReal(tree files.Tree, paths []string) []string {
	links := discover.NewLinkResolver(tree)
	out := paths[:len(paths):len(paths)]
	for _, path := range paths {
		if real := links.Real(path); real != "" {
			out = append(out, real)
		}
	}
	return out
}

// Files makes what [rule.Set.For] takes of absolute paths: links are followed,
// those in the way to the project too, and for rules of the user's own a file also
// counts as what it is called in a repository of its own.
func (b *Rulebook) Files(paths []string) []rule.File {
	tree := b.tree
	if tree == nil {
		tree = files.OS()
	}
	links := discover.NewLinkResolver(tree)
	flavor := tree.Flavor()
	realRoot, err := tree.RealPath(b.Root)
	linked := err == nil && realRoot != b.Root
	out := make([]rule.File, len(paths))
	namer := files.NewNamer(b.Root)
	own := b.Set == nil || slices.ContainsFunc(b.All(), func(r *rule.Rule) bool { return r.Level == rule.User && (r.Globs != nil || r.Scope != nil) })
	for i, path := range paths {
		out[i].Path = slashes(tree, path)
		if own {
			for _, name := range namer.OwnNames([]string{path}) {
				out[i].Own = append(out[i].Own, slashes(tree, flavor.Join(b.Root, name)))
			}
		}
		real := links.Real(path)
		if linked {
			at := real
			if at == "" {
				at = path
			}
			if rel, ok := flavor.Rel(realRoot, at); ok {
				real = flavor.Join(b.Root, rel)
			}
		}
		if real != "" {
			out[i].Real = slashes(tree, real)
		}
	}
	return out
}

// ForPaths answers for files which rules apply and why; see [rule.Set.For].
func (b *Rulebook) ForPaths(paths []string, all bool) [][]rule.Verdict {
	if b.Set == nil {
		return make([][]rule.Verdict, len(paths))
	}
	return b.For(b.Files(paths), all)
}

func slashes(tree files.Tree, path string) string { return tree.Flavor().ToSlash(path) }
