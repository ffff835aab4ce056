package git

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/repository"
)

// Limits of what git is asked.
const (
	maxOutput         = 4 << 20 // bytes of the names of settings, or of submodules
	maxSubmodules     = 64      // of one repository
	maxSubmoduleDepth = 4       // of submodules in each other
)

// ask has git tell whether anything is not committed.
func (g Reader) ask(ctx context.Context, r *repository.Repository) (bool, error) {
	search := g.Search(r.Top)
	found, err := search.Find("git")
	if err != nil {
		return false, err
	}
	git := gitProgram{program: found}
	for _, name := range []string{"HOME", "USERPROFILE", "SystemRoot", "XDG_CONFIG_HOME", "TMPDIR", "TEMP"} {
		if v := g.Env(name); v != "" {
			git.env = append(git.env, name+"="+v)
		}
	}
	git.env = append(git.env, "PATH="+search.Folders())
	git.env = append(git.env, quietEnvironment...)
	return git.changes(ctx, r, 0)
}

// gitProgram is git, with the environment that it is started in: without the
// variables that would make it look elsewhere, as those of a hook do.
type gitProgram struct {
	program program.Program
	env     []string
}

// call prepares git for a folder, and with settings that come before all others.
// They are passed on one by one in the environment: as arguments they would be
// split at their first `=`.
func (g gitProgram) call(top string, values []setting) program.Call {
	env := append([]string{}, g.env...)
	env = append(env, "GIT_WORK_TREE="+top, "GIT_CEILING_DIRECTORIES="+filepath.Dir(top), "GIT_CONFIG_COUNT="+strconv.Itoa(len(values)))
	for i, v := range values {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+v.key, "GIT_CONFIG_VALUE_"+n+"="+v.value)
	}
	return program.Call{Dir: top, Env: env, Wait: 10 * time.Millisecond}
}

// changes asks for the first change, which is enough. depth is how many
// repositories this one lies in.
func (g gitProgram) changes(ctx context.Context, r *repository.Repository, depth int) (bool, error) {
	standIn, err := g.copyOf(ctx, r)
	if err != nil {
		return false, err
	}
	defer standIn.remove()
	running, stop := context.WithCancel(ctx)
	defer stop()
	first := &anything{seen: stop} // git need not look at the rest
	call := g.call(r.Top, fixedSettings())
	call.Env = append(call.Env, standIn.env...)
	call.Stdout = first
	err = g.program.Run(running, call, "status", "--porcelain", "--no-renames", "--ignore-submodules=dirty")
	if first.told.Load() {
		return true, nil
	} else if err != nil {
		return false, err
	}
	return g.submoduleChanges(ctx, r.Top, depth)
}

// anything waits for the first output of a program. It is no pipe of our own: who
// reads from that waits for all that the program has started, even when the
// program itself was ended.
type anything struct {
	seen func()
	told atomic.Bool
}

func (a *anything) Write(p []byte) (int, error) {
	if len(p) > 0 {
		a.told.Store(true)
		a.seen()
	}
	return len(p), nil
}

// submoduleChanges asks each submodule by itself: git would do it with the
// submodule's own settings.
func (g gitProgram) submoduleChanges(ctx context.Context, top string, depth int) (bool, error) {
	if depth >= maxSubmoduleDepth || !isThere(filepath.Join(top, ".gitmodules")) {
		return false, nil
	}
	out, err := g.program.Output(ctx, g.call(top, fixedSettings()), maxOutput,
		"config", "--file", ".gitmodules", "--no-includes", "--null", "--get-regexp", `^submodule\..*\.(path|ignore)$`)
	if ctx.Err() != nil {
		return false, err
	}
	paths := map[string]string{}
	ignored := map[string]bool{}
	var order []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		if name, ok := strings.CutSuffix(key, ".path"); ok && filepath.IsLocal(value) && len(order) < maxSubmodules {
			order = append(order, name)
			paths[name] = filepath.Join(top, value)
		} else if name, ok := strings.CutSuffix(key, ".ignore"); ok {
			ignored[name] = value == "all" || value == "dirty"
		}
	}
	for _, name := range order {
		if ignored[name] || !files.Inside(top, paths[name]) {
			continue // the project does not want to know, or it is a link to somewhere else
		}
		below, err := repository.Open(paths[name], true)
		if err != nil {
			continue // it is not checked out
		}
		if changed, err := g.changes(ctx, below, depth+1); changed || err != nil {
			return changed, err
		}
	}
	return false, nil
}
