package hook

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// Agents run hooks with variables that the settings of a repository may set. One that names a file or folder of that repository
// would make its author's settings, trust and rules the user's own, so that it is not believed.

// ownVariables are the variables of an environment that name nothing in a workspace.
type ownVariables struct {
	env       func(name string) string
	workspace string

	mu      sync.Mutex
	known   map[string]string // what was asked before
	refused bool              // one was not believed
}

// lookup gives a variable, or nothing. Nobody waits for another who asks: the disk may be slow.
func (o *ownVariables) lookup(name string) string {
	o.mu.Lock()
	value, known := o.known[name]
	o.mu.Unlock()
	if known {
		return value
	}
	value = o.env(name)
	refused := !strings.EqualFold(name, "HOME") && !strings.EqualFold(name, "USERPROFILE") && o.strange(value)
	if refused {
		value = ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.known[name], o.refused = value, o.refused || refused
	return value
}

// strange tells whether a value, or a part of a list, is a path into the workspace.
func (o *ownVariables) strange(value string) bool {
	for _, list := range []string{",", string(os.PathListSeparator)} {
		for path := range strings.SplitSeq(value, list) {
			if path = strings.TrimSpace(path); filepath.IsAbs(path) && holds(o.workspace, resolved(path)) {
				return true
			}
		}
	}
	return false
}

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	rest := ""
	for at := filepath.Clean(path); ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(at)
		if up == at {
			return filepath.Clean(path)
		}
		at, rest = up, filepath.Join(filepath.Base(at), rest)
	}
}

// trim makes the session's environment the user's own: without variables that lead into a workspace that is not trusted.
func (s *session) trim() {
	workspace := resolved(s.workspace)
	if s.paths.Home != "" && holds(workspace, resolved(s.paths.Home)) {
		return // the user works in the home
	}
	own := &ownVariables{env: s.environment.Env, workspace: workspace, known: map[string]string{}}
	paths := locatedBy(own.lookup)
	if trusted, err := (settings.Trust{Path: paths.Trust}).Trusted(s.workspace); err == nil && trusted {
		return
	}
	s.environment.Env, s.paths, s.variables = own.lookup, paths, own
}

// anyRefused tells whether a variable was not believed.
func (o *ownVariables) anyRefused() bool {
	if o == nil {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.refused
}

// locatedBy are the files and folders of an environment.
func locatedBy(env func(name string) string) settings.Paths {
	paths, _ := settings.Locate(settings.Environment{GOOS: runtime.GOOS, Lookup: func(name string) (string, bool) {
		v := env(name)
		return v, v != ""
	}}) // without a home nothing is remembered, which is told
	return paths
}

// holds tells whether a folder is, or holds, a path.
func holds(dir, path string) bool { return files.OS().Flavor().Inside(dir, path) }
