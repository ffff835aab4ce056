package cli

import (
	"os"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// paths are the files and folders of this user.
func (a *app) paths() settings.Paths {
	p, _ := settings.Locate(settings.Environment{GOOS: runtime.GOOS, Lookup: func(name string) (string, bool) {
		v := a.call.Env(name)
		return v, v != ""
	}})
	return p
}

// check refuses, before any command, what makes its answer meaningless.
func (a *app) check(cmd *cobra.Command) error {
	if a.call.guest != nil && !served(cmd) {
		return usage("the service does not do this")
	}
	if err := a.checkDir(); err != nil || settingless(cmd) {
		return err
	}
	return a.checkSettings()
}

// checkSettings refuses settings that the user named and that are not there: also a
// command that reads none would act otherwise than the next one.
func (a *app) checkSettings() error {
	paths := a.paths()
	if !paths.Named {
		return nil
	}
	if _, _, err := paths.Load(files.OS()); err != nil {
		return usage("the settings cannot be read: %s", err)
	}
	return nil
}

// settingless tells the commands that are about the program itself, which help with
// settings that are wrong too.
func settingless(cmd *cobra.Command) bool {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return !cmd.HasParent() || slices.Contains([]string{"version", "help", "completion", "man", "doctor", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, cmd.Name())
}

// environment is where this call looks for things.
func (a *app) environment() pertain.Environment {
	environment := pertain.Environment{Dir: a.dir(), Env: a.call.Env, NoBuiltin: a.noBuiltin}
	for _, dir := range a.strategies {
		if dir = a.abs(dir); !slices.Contains(environment.Strategies, dir) {
			environment.Strategies = append(environment.Strategies, dir)
		}
	}
	return environment
}

// strategyRoots are the folders that decide whose a named file is.
func (a *app) strategyRoots() discover.StrategyRoots {
	p := a.paths()
	strategyRoots := discover.StrategyRoots{Named: a.environment().Strategies, Plugins: p.Plugins}
	if p.UserStrategies != "" {
		strategyRoots.User = append(strategyRoots.User, p.UserStrategies)
	}
	return strategyRoots
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
