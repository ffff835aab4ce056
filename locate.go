package pertain

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/skillfolder"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// Environment is what decides which files count: the folder that somebody works in
// and the environment variables.
type Environment struct {
	Dir        string                   // working directory, absolute; decides the workspace, by its real path where a link of a repository leads out of it
	Env        func(name string) string // environment, such as os.Getenv
	Strategies []string                 // folders to load as the user's instead of the user's and the workspace's own
	NoBuiltin  bool                     // leave the builtin strategies out
	NoSettings bool                     // leave the user's settings file out: the defaults hold
	Caller     Caller                   // who called the program, as far as it is known
}

// Caller is what is known of who called the program. Environment variables may be a stranger's, since agents start programs as files of a
// repository say. So a settings file that a variable names, and that lies in a workspace that the user does not trust, says nothing about where
// things are sent and what is private.
type Caller struct {
	Started string // the folder that the process was started in, absolute, where it is another one than the working directory
	Account string // the user's home as the system knows it, whatever the environment says; empty: what the environment says
	Home    string // what the environment names as the home, where it is not believed: whatever holds it is no project either
	Agent   bool   // agents start this program: the working directory is a stranger's, also where it is no workspace
	Guarded bool   // this program watches what a model does: a settings file as above says nothing about triggers and the journal either
}

// Location is what was found in an environment.
type Location struct {
	Options   Options
	Workspace string // root of the workspace; empty: none
	Trusted   bool   // whether the user trusts it
}

// Locate reads the settings and finds the providers of the usual folders
// (docs/reference/trust.md). The error is for a settings file that cannot be read.
func Locate(env Environment) (Location, error) { return locate(context.Background(), env) }

func locate(ctx context.Context, env Environment) (Location, error) {
	tree := follow.Noted(ctx, files.OS())
	env.Dir = settings.WorkingDir(tree, env.Dir)
	paths, homeless := settings.Locate(settingsEnvironment(env))
	values, list, err := load(tree, env, paths)
	if err != nil {
		return Location{}, err
	}
	location := Location{}
	where := strategyfile.Roots{Builtin: !env.NoBuiltin, Named: env.Strategies}
	fleet := newFleetCopy(&values, paths)
	if homeless == nil {
		where.Plugins = paths.Plugins
		var told diag.List
		where.Fleet, told = fleet.dir(ctx)
		list = append(list, told...)
	}
	if env.Strategies == nil && homeless == nil {
		where.User = []string{paths.UserStrategies}
	}
	if root, ok := settings.WorkspaceRoot(tree, env.Dir); ok {
		var corrupt error
		location.Workspace = root
		follow.Note(ctx, paths.Trust, root)
		location.Trusted, corrupt = settings.Trust{Path: paths.Trust}.Trusted(root)
		var lapsed *settings.LapsedTrustError
		switch {
		case errors.As(corrupt, &lapsed):
			list.Add(diag.At(diag.NewSource(paths.Trust, ""), diag.NoSpan, diag.StrategyUntrusted, "%s", lapsed))
		case corrupt != nil:
			list.Add(diag.At(diag.NewSource(paths.Trust, ""), diag.NoSpan, diag.StrategyUntrusted, "no workspace is trusted: %s", corrupt))
		}
	}
	if env.Strategies == nil { // the workspace's skills are there all the same
		where.Workspace, where.Trusted = location.Workspace, location.Trusted
		if path, ok := settings.ForeignWorkspace(tree, env.Dir); ok {
			list.Add(diag.At(diag.NewSource(path, ""), diag.NoSpan, diag.StrategyUntrusted, "a workspace above the working directory belongs to another user; it is not looked at").
				WithHint("work in that folder itself to see its strategies"))
		}
	}
	tree = files.OS() // what is read later is noted by whoever reads it
	location.Options = Options{
		Providers:     strategyfile.Providers(tree, where),
		find:          func() []strategy.Provider { return strategyfile.Providers(tree, stillTrusted(where, paths.Trust)) },
		Resolvers:     []strategy.Resolver{strategyfile.Resolver{Tree: tree}, skillfolder.Resolver{Tree: tree, Roots: skillfolder.Roots(tree, paths, location.Workspace, location.Trusted), Moving: fleet.skills()}},
		Preprocessors: plan.Preprocessors(),
		Limits:        limits(values.Options),
		MatchBudget:   values.Options.MatchBudget,
		Disabled:      values.Disabled,
		Diagnostics:   list,
	}
	if where.Plugins != "" {
		location.Options.findIn = []string{where.Plugins}
	}
	location.Options.origin = &origin{env: env, given: location.Options}
	return location, nil
}

// stillTrusted looks again whether a trusted workspace is: the folder may have been
// made anew since, by somebody else. What was not trusted stays so.
func stillTrusted(where strategyfile.Roots, trust string) strategyfile.Roots {
	if where.Trusted {
		where.Trusted, _ = settings.Trust{Path: trust}.Trusted(where.Workspace)
	}
	return where
}

func settingsEnvironment(env Environment) settings.Environment {
	caller := settings.Caller{Dir: env.Dir, Started: env.Caller.Started, Account: env.Caller.Account, Agent: env.Caller.Agent, Guarded: env.Caller.Guarded}
	return settings.Environment{GOOS: runtime.GOOS, Caller: caller, Lookup: func(name string) (string, bool) {
		if env.Env == nil {
			return "", false
		}
		value := env.Env(name)
		return value, value != ""
	}}
}

// load reads the settings.
func load(tree files.Tree, env Environment, paths settings.Paths) (settings.Settings, diag.List, error) {
	if env.NoSettings {
		return settings.Default(), nil, nil
	}
	values, list, err := paths.Load(tree)
	if err != nil {
		return values, nil, fmt.Errorf("the settings cannot be read: %w", err)
	}
	return values, list, nil
}

func limits(o settings.Options) cond.Limits {
	return cond.Limits{
		Matching:    o.MatchingTimeout,
		Condition:   o.ConditionTimeout,
		Regex:       o.RegexTimeout,
		VisualQuery: o.VisualQueryTimeout,
		Extra:       o.ExtraTimeout,
	}
}

func joinIfRelative(tree files.Tree, dir, path string) string {
	if path == "" || tree.Flavor().IsAbs(path) {
		return path
	}
	return tree.Flavor().Join(dir, path)
}
