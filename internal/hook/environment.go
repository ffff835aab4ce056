package hook

import (
	"runtime"
	"slices"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// Agents run hooks with variables that the settings of a repository may set. One that names a file or folder of that repository
// would make its author's settings, trust and state the user's own, so that it is not believed. One that leads elsewhere is, since
// the user may have set it; what the user's account has is asked beside it.

// homeVariable names the variable that says where the home is.
func homeVariable() string {
	if runtime.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// trim makes the session's environment the user's own: without variables that lead into a workspace that is not trusted. Rules of
// the home that the environment names count all the same.
func (s *session) trim() {
	given := s.environment.Env
	s.environment.Caller = pertain.Caller{Started: s.startedIn, Account: s.account, Agent: true, Guarded: true}
	around := settings.Around(files.OS(), settings.Environment{
		GOOS: runtime.GOOS, Lookup: lookup(given),
		Caller: settings.Caller{Dir: s.environment.Dir, Started: s.startedIn, Account: s.account, Agent: true, Guarded: true},
	})
	s.usual = s.usualEnvironment(locatedBy(given, s.account))
	s.environment.Env = func(name string) string {
		if name == homeVariable() {
			return given(name)
		}
		value, _ := around.Lookup(name)
		return value
	}
	s.paths, s.variables = around.Own(), around
}

// usualEnvironment is that of the user's account, where the environment names other files and folders; nil: it does not, or nobody knows.
func (s *session) usualEnvironment(given settings.Paths) *pertain.Environment {
	if s.account == "" {
		return nil
	}
	env := func(name string) string {
		if name == homeVariable() {
			return s.account
		}
		return ""
	}
	usual := locatedBy(env, s.account)
	s.otherHome = usual.Home != given.Home
	named := slices.ContainsFunc(agent.FolderVariables(), func(name string) bool { return s.environment.Env(name) != "" })
	if !s.otherHome && !named && usual.Config == given.Config && usual.ConfigDir == given.ConfigDir && usual.State == given.State {
		return nil
	}
	return &pertain.Environment{Dir: s.environment.Dir, Env: env, Caller: s.environment.Caller}
}

// setAside is the environment without a variable.
func (s *session) setAside(variable string) {
	given := s.environment.Env
	s.environment.Env = func(name string) string {
		if name == variable {
			return ""
		}
		return given(name)
	}
	own := s.variables.Lookup
	s.paths = locatedBy(func(name string) string {
		if name == variable {
			return ""
		}
		value, _ := own(name)
		return value
	}, s.account)
}

func lookup(env func(name string) string) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		value := env(name)
		return value, value != ""
	}
}

// locatedBy are the files and folders of an environment.
func locatedBy(env func(name string) string, account string) settings.Paths {
	paths, _ := settings.Locate(settings.Environment{GOOS: runtime.GOOS, Lookup: lookup(env), Caller: settings.Caller{Account: account}}) // without a home nothing is remembered, which is told
	return paths
}
