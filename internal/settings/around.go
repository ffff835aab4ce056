package settings

import (
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
)

// Agents start programs with variables that files of a folder may set: the `env` of an MCP server in `.mcp.json`, of hooks in an agent's project settings,
// of a development container. One that names a file or folder of that folder would make its author's settings, trust and state the user's own, so that it
// is not believed, unless the user trusts the folder.

// Caller is what is known of who called the program.
type Caller struct {
	Dir     string // the folder that the call is about, absolute; empty: variables are the user's own
	Started string // the folder that the process was started in, where it is another one
	Account string // the user's home as the system knows it, whatever the environment says; empty: it is not known
	Agent   bool   // agents start this: a folder that is no workspace may hold what made them do so, too
	Guarded bool   // it watches what models do, so that what a stranger's settings say of triggers does not count either
}

// Surroundings are the folders around a call in which a stranger may have put files.
type Surroundings struct {
	tree    files.Tree
	env     Environment
	folders []string // without links
	bare    []string // those of agents that are no workspaces, and may be the user's own: where a home is in it, or the process was started

	mu      sync.Mutex
	known   map[string]string // variables that were asked for
	trusted map[string]bool   // folders that were asked for
	refused bool
}

// Around finds the folders: every workspace that the call's folder, or that of the process, is in, whoever made it. What holds the user's home is not
// among them: who works in the home has everything there.
func Around(tree files.Tree, env Environment) *Surroundings {
	s := &Surroundings{tree: tree, env: env, known: map[string]string{}, trusted: map[string]bool{}}
	home, _ := env.Lookup(env.homeVariable())
	own := env.Caller.Account
	if own == "" {
		own = home
	}
	holds := func(dir, path string) bool {
		return path != "" && tree.Flavor().IsAbs(path) && tree.Flavor().Inside(dir, s.real(path))
	}
	for i, dir := range []string{env.Caller.Dir, env.Caller.Started} {
		if dir == "" || !tree.Flavor().IsAbs(dir) || i > 0 && dir == env.Caller.Dir {
			continue
		}
		found := false
		for _, written := range marked(tree, dir) {
			folder := s.real(written)
			if holds(folder, own) {
				continue
			}
			found = true
			if !slices.Contains(s.folders, folder) {
				s.folders = append(s.folders, folder)
			}
		}
		bare := s.real(dir)
		switch {
		case found, !env.Caller.Agent, holds(bare, own):
		case i > 0, holds(bare, home): // a home of its own may be meant, as for a test
			s.bare = append(s.bare, bare)
		default:
			s.folders = append(s.folders, bare)
		}
	}
	return s
}

// Stranger is the folder that holds a path and that the user does not trust; empty: there is none, the path is the user's own.
func (s *Surroundings) Stranger(path string) string {
	flavor := s.tree.Flavor()
	if !flavor.IsAbs(path) {
		return ""
	}
	real := s.real(path)
	for _, folder := range s.folders {
		if !s.through(folder, path) {
			continue
		}
		if !s.trusts(folder) {
			return folder
		}
		for dir := flavor.Dir(real); dir != folder && flavor.Inside(folder, dir); dir = flavor.Dir(dir) {
			if isWorkspace(s.tree, dir) && !s.trusts(dir) {
				return dir // trust in a folder does not reach what was put into it
			}
		}
	}
	return ""
}

// elsewhere is the folder of a stranger's that holds a settings file which no folder of the call does: a workspace that the account's own list does not trust,
// or the folder of a file that belongs to somebody else or that others may write. A repository cannot put a file there itself, but its settings for an agent
// may name one that another repository, or another user, has. Empty: there is none.
func (s *Surroundings) elsewhere(path string) string {
	flavor, real, account := s.tree.Flavor(), s.real(path), s.account()
	if info, err := s.tree.Stat(real); err == nil && (info.Foreign || info.Shared) {
		return flavor.Dir(real)
	}
	if dir := s.above(path); dir != "" {
		return dir
	}
	for dir := flavor.Dir(real); ; dir = flavor.Dir(dir) {
		if flavor.Inside(dir, s.real(account.Home)) || flavor.Dir(dir) == dir {
			return "" // who keeps the home in a repository has everything there
		}
		if isWorkspace(s.tree, dir) {
			if trusted, err := (Trust{Path: account.Trust}).Trusted(dir); !trusted || err != nil {
				return dir
			}
		}
	}
}

// above is the folder of a settings file, where the call is about something in it, or the process was started there: what was unpacked in a folder holds
// both, whether or not it is a repository. Who has a home in it keeps more there than what was unpacked. Empty: there is none.
func (s *Surroundings) above(path string) string {
	flavor := s.tree.Flavor()
	home, _ := s.env.Lookup(s.env.homeVariable())
	for dir := flavor.Dir(s.real(path)); flavor.Dir(dir) != dir; dir = flavor.Dir(dir) {
		if slices.ContainsFunc([]string{home, s.env.Caller.Account}, func(home string) bool { return home != "" && flavor.Inside(dir, s.real(home)) }) {
			return ""
		}
		if dir == s.real(s.env.Caller.Started) || dir == flavor.Dir(s.real(path)) && flavor.Inside(dir, s.real(s.env.Caller.Dir)) {
			if trusted, err := (Trust{Path: s.account().Trust}).Trusted(dir); !trusted || err != nil {
				return dir
			}
		}
	}
	return ""
}

// through tells whether a path leads through a folder: not only where it ends counts, since whoever may write the folder may put another link there
// while it is read. A folder is known by its name and, where names can be written in several ways, by what it is.
func (s *Surroundings) through(folder, path string) bool {
	flavor := s.tree.Flavor()
	is, err := os.Stat(folder)
	for _, at := range []string{flavor.Clean(path), s.real(path)} {
		for up := at; ; up = flavor.Dir(up) {
			if flavor.Inside(folder, up) || flavor.Inside(folder, s.real(up)) {
				return true
			}
			if info, wrong := os.Stat(up); err == nil && wrong == nil && os.SameFile(is, info) {
				return true
			}
			if flavor.Dir(up) == up {
				break
			}
		}
	}
	return false
}

// trusts asks the user's own list of trusted folders: not one that a stranger's variable names.
func (s *Surroundings) trusts(folder string) bool {
	s.mu.Lock()
	trusted, known := s.trusted[folder]
	s.mu.Unlock()
	if known {
		return trusted
	}
	inside := func(path string) bool {
		return slices.ContainsFunc(s.folders, func(folder string) bool { return s.through(folder, path) })
	}
	env := s.env
	env.Caller = Caller{}
	env.Lookup = func(name string) (string, bool) { return s.filtered(name, inside) }
	paths, _ := Locate(env) // without a home nothing is trusted
	trusted, err := Trust{Path: paths.Trust}.Trusted(folder)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trusted[folder] = trusted && err == nil
	return s.trusted[folder]
}

// filtered gives a variable, or nothing if it names something strange; the home is then the account's.
func (s *Surroundings) filtered(name string, strange func(path string) bool) (string, bool) {
	value, ok := s.env.Lookup(name)
	if !ok || value == "" {
		return value, ok
	}
	if name == s.env.homeVariable() {
		if s.env.Caller.Account != "" && value != s.env.Caller.Account && s.tree.Flavor().IsAbs(value) && strange(value) {
			return s.env.Caller.Account, true
		}
		return value, true
	}
	if s.tree.Flavor().IsAbs(value) && strange(value) {
		return "", false
	}
	for _, list := range []string{",", string(os.PathListSeparator)} {
		for path := range strings.SplitSeq(value, list) {
			if path = strings.TrimSpace(path); s.tree.Flavor().IsAbs(path) && strange(path) {
				return "", false
			}
		}
	}
	if slices.Contains(agent.FolderVariables(), name) && s.wanders(value) {
		return "", false
	}
	return value, true
}

// wanders tells whether one of the folders that a variable names depends on where the call is made, and is not in a workspace that the user trusts there: the
// user's own folders do not change with that.
func (s *Surroundings) wanders(value string) bool {
	flavor := s.tree.Flavor()
	for path := range strings.SplitSeq(value, ",") {
		path = strings.TrimSpace(path)
		if path == "" || flavor.IsAbs(path) {
			continue
		}
		for _, dir := range []string{s.env.Caller.Dir, s.env.Caller.Started} {
			if dir == "" {
				continue
			}
			from := flavor.Join(dir, path)
			if s.Stranger(from) != "" || !slices.ContainsFunc(s.folders, func(folder string) bool { return s.through(folder, from) }) {
				return true
			}
		}
	}
	return false
}

// Lookup gives a variable as the user has set it: one that names something of a stranger's is left out, and the home is the account's. Nobody waits for
// another who asks: the disk may be slow.
func (s *Surroundings) Lookup(name string) (string, bool) {
	s.mu.Lock()
	value, known := s.known[name]
	s.mu.Unlock()
	if known {
		return value, value != ""
	}
	before, _ := s.env.Lookup(name)
	value, _ = s.filtered(name, func(path string) bool { return s.Stranger(path) != "" })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[name], s.refused = value, s.refused || value != before
	return value, value != ""
}

// Refused tells whether a variable that was asked for was not believed.
func (s *Surroundings) Refused() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// Own are the files and folders that the user's own variables name.
func (s *Surroundings) Own() Paths {
	env := s.env
	env.Caller, env.Lookup = Caller{}, s.Lookup
	paths, _ := Locate(env) // without a home there are none
	paths.believeState(env.GOOS, s.env.Caller.Account)
	return paths
}

// account are the files and folders of the user's account, or of the home where that is not known.
func (s *Surroundings) account() Paths {
	env := Environment{GOOS: s.env.GOOS, Lookup: func(name string) (string, bool) {
		switch {
		case name != s.env.homeVariable():
			return "", false
		case s.env.Caller.Account != "":
			return s.env.Caller.Account, true
		}
		return s.env.Lookup(name)
	}}
	paths, _ := Locate(env) // without a home there are none
	return paths
}

// real is a path without links, as far as it exists.
func (s *Surroundings) real(path string) string {
	flavor, real := s.tree.Flavor(), ""
	_, rest := files.Present(flavor, path, func(part string) bool {
		found, err := s.tree.RealPath(part)
		if err == nil {
			real = found
		}
		return err == nil
	})
	if real == "" {
		return flavor.Clean(path)
	}
	return flavor.Join(real, rest)
}
