package cli

import (
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// paths are the files and folders of this user.
func (a *app) paths() settings.Paths {
	p, _ := settings.Locate(a.variables())
	return p
}

// variables are the environment of this call, and what is known of who called.
func (a *app) variables() settings.Environment {
	caller := settings.Caller{Dir: a.dir(), Started: a.call.Dir, Account: a.call.Account, Agent: a.caller.Agent, Guarded: a.caller.Guarded}
	return settings.Environment{GOOS: runtime.GOOS, Caller: caller, Lookup: func(name string) (string, bool) {
		v := a.call.Env(name)
		return v, v != ""
	}}
}

// check refuses, before any command, what makes its answer meaningless.
func (a *app) check(cmd *cobra.Command) error {
	if a.call.guest != nil && !served(cmd) {
		return usage("the service does not do this")
	}
	if err := a.checkDir(); err != nil {
		return err
	}
	name := topCommand(cmd)
	a.caller = pertain.Caller{
		Started: a.call.Dir, Account: a.call.Account, Agent: slices.Contains([]string{"mcp", "lsp"}, name),
		Guarded: slices.Contains([]string{"mcp", "lsp", "gateway", "with", "serve", "service"}, name),
	}
	if settingless(name) {
		return nil
	}
	a.believeOwn()
	told := name == "lint" || name == "guard" || a.call.guest != nil // the first two show all that there is to say, and who asks the service has said it
	return a.checkSettings(!told)
}

// checkSettings refuses settings that the user named and that are not there: also a
// command that reads none would act otherwise than the next one. What is not taken of a
// stranger's settings file is told.
func (a *app) checkSettings(tell bool) error {
	paths := a.paths()
	if !paths.Named && paths.Usual() {
		return nil
	}
	_, list, err := paths.Load(files.OS())
	switch {
	case err != nil && paths.Named:
		return usage("the settings cannot be read: %s", err)
	case !tell:
		return nil
	}
	for _, d := range list {
		if d.Code == diag.StrategyUntrusted {
			fmt.Fprintf(a.call.Stderr, "pertain: %s: %s; %s\n", clean(a.homeName(d.File())), clean(d.Message), clean(d.Hint))
		}
	}
	return nil
}

// topCommand names the command of a call without its subcommands; empty: there is none.
func topCommand(cmd *cobra.Command) string {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	if !cmd.HasParent() {
		return ""
	}
	return cmd.Name()
}

// settingless tells the commands that are about the program itself, which help with
// settings that are wrong too.
func settingless(name string) bool {
	return slices.Contains([]string{"", "version", "help", "completion", "man", "doctor", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, name)
}

// environment is where this call looks for things.
func (a *app) environment() pertain.Environment {
	environment := pertain.Environment{Dir: a.dir(), Env: a.call.Env, NoBuiltin: a.noBuiltin, Caller: a.caller}
	for _, dir := range a.strategies {
		if dir = a.abs(dir); !slices.Contains(environment.Strategies, dir) {
			environment.Strategies = append(environment.Strategies, dir)
		}
	}
	return environment
}

// strategyRoots are the folders that decide whose a named file is.
func (a *app) strategyRoots() strategyfile.Roots {
	p := a.paths()
	strategyRoots := strategyfile.Roots{Named: a.environment().Strategies, Plugins: p.Plugins}
	if p.UserStrategies != "" {
		strategyRoots.User = append(strategyRoots.User, p.UserStrategies)
	}
	return strategyRoots
}

// isOwnFolder tells whether a path is in a folder of the user's own strategies.
func (a *app) isOwnFolder(path string) bool {
	return slices.ContainsFunc(append(a.environment().Strategies, a.paths().UserStrategies), func(folder string) bool {
		return folder != "" && files.OS().Flavor().Inside(folder, path)
	})
}

// locate finds what an engine works with.
func (a *app) locate() (pertain.Location, error) {
	for _, dir := range a.strategies {
		if dir == "" {
			return pertain.Location{}, usage("--strategies: name a folder")
		}
	}
	for _, dir := range a.environment().Strategies {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return pertain.Location{}, usage("--strategies %s: there is no such folder", a.shortName(dir))
		}
	}
	location, err := pertain.Locate(a.environment())
	if err != nil {
		return location, usage("%s", err)
	}
	return location, nil
}

// engineOptions are those of the usual folders.
func (a *app) engineOptions() (pertain.Options, error) {
	location, err := a.locate()
	return location.Options, err
}
