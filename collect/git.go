package collect

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// gitState is what is known of a repository.
type gitState struct {
	branch  string // empty: no branch is checked out, or it is unknown
	changes bool
	known   bool   // whether changes is
	missing string // why something is unknown, in a few words
	remedy  string // what the user can do about that; may be empty
	late    bool   // it is unknown for want of time
}

func (s gitState) value() facts.Value {
	var fields []facts.Field
	if s.branch != "" {
		fields = append(fields, facts.Field{Name: "branch", Value: facts.Text(s.branch)})
	}
	if s.known {
		fields = append(fields, facts.Field{Name: "hasChanges", Value: facts.Flag(s.changes)})
	}
	return facts.Fields(fields...)
}

// lacks says what is unknown although there is a repository. That no branch is
// checked out is an answer.
func (s gitState) lacks() []facts.Lack {
	if s.known {
		return nil
	}
	lack := facts.Lack{Path: "extra.workspace.git.hasChanges", Reason: s.missing, Remedy: s.remedy}
	if s.late {
		lack.Code = diag.ExtraProviderTimeout
	}
	return []facts.Lack{lack}
}

func (s gitState) summary() string {
	known := 2
	if s.branch != "" {
		known++
	}
	if s.known {
		known++
	}
	if known == 4 {
		return "4 of 4 values"
	}
	return string(rune('0'+known)) + " of 4 values: " + s.missing
}

// The branch is to be told in time, whatever git does: a fifth of the time limit
// is left for that, within these bounds.
const (
	minGitReserve = 10 * time.Millisecond
	maxGitReserve = 50 * time.Millisecond
)

// readGit reads the branch from the repository's files and asks git whether
// there are changes. It does not wait for git any longer than there is time: on a
// busy machine even starting and ending a program takes a while.
func readGit(ctx context.Context, top string, env func(string) string) gitState {
	state := gitState{}
	folder, err := gitFolder(top)
	if err != nil {
		state.missing = "its git folder cannot be read"
		return state
	}
	state.branch, state.missing = gitBranch(folder)
	if deadline, ok := ctx.Deadline(); ok {
		reserve := min(max(time.Until(deadline)/5, minGitReserve), maxGitReserve)
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
	}
	type told struct {
		changes bool
		err     error
	}
	answer := make(chan told, 1)
	go func() {
		changes, err := gitChanges(ctx, top, folder, env, 0)
		answer <- told{changes, err}
	}()
	git := told{err: context.DeadlineExceeded}
	select {
	case git = <-answer:
	case <-ctx.Done():
	}
	switch {
	case git.err == nil:
		state.changes, state.known = git.changes, true
	case errors.Is(git.err, exec.ErrNotFound):
		state.missing, state.remedy = "git is not installed", "install git"
	case ctx.Err() != nil:
		state.late = true
		state.missing, state.remedy = "git took too long", "give the collectors more time with options.extraTimeout in the settings"
	default:
		state.missing = "git could not tell whether there are changes"
	}
	return state
}

// gitFolder is where the repository's HEAD is: .git itself, or where the file
// .git of a worktree or a submodule points.
func gitFolder(top string) (string, error) {
	place := filepath.Join(top, ".git")
	info, err := os.Stat(place)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return place, nil
	}
	text, err := readHead(place)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(text, "gitdir:")
	if !ok {
		return "", errors.New("the file .git does not name a folder")
	}
	target = strings.TrimSpace(target)
	if !filepath.IsAbs(target) {
		target = filepath.Join(top, target)
	}
	return target, nil
}

// readHead reads a file of one line.
func readHead(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, 4096)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// gitBranch reads HEAD. Without a branch it says why.
func gitBranch(folder string) (branch, missing string) {
	head, err := readHead(filepath.Join(folder, "HEAD"))
	if err != nil {
		return "", "its HEAD cannot be read"
	}
	ref, ok := strings.CutPrefix(head, "ref:")
	if !ok {
		return "", "no branch is checked out"
	}
	ref = strings.TrimSpace(ref)
	name, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok || name == ".invalid" { // what repositories with reftables write for old programs
		return "", "HEAD names no branch"
	}
	return name, ""
}

// gitChanges asks git whether anything is not committed; the first line of its
// answer is enough. depth is how many repositories this one lies in.
//
// A repository's own settings can name programs that git would run. The
// workspace may come from a stranger, so they are all switched off: the file
// watcher, filters, and whatever a submodule's settings say.
func gitChanges(ctx context.Context, top, folder string, env func(string) string, depth int) (bool, error) {
	args := []string{"--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=keep"}
	for _, name := range gitFilters(ctx, top, folder, env) {
		for _, key := range []string{"clean", "smudge", "process"} {
			args = append(args, "-c", "filter."+name+"."+key+"=")
		}
		args = append(args, "-c", "filter."+name+".required=false")
	}
	args = append(args, "status", "--porcelain", "--no-renames", "--ignore-submodules=dirty")
	running, stop := context.WithCancel(ctx)
	defer stop()
	cmd := gitCommand(running, top, env, args...)
	found := &anything{seen: stop} // one change is enough: git need not look at the rest
	cmd.Stdout = found
	if err := cmd.Run(); found.told.Load() {
		return true, nil
	} else if err != nil {
		return false, err
	}
	return submoduleChanges(ctx, top, env, depth)
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

// maxSubmodules is how many submodules of one repository are looked at, and how
// deep they may lie in each other.
const (
	maxSubmodules     = 64
	maxSubmoduleDepth = 4
)

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// submoduleChanges asks each submodule by itself: git would do it with the
// submodule's own settings.
func submoduleChanges(ctx context.Context, top string, env func(string) string, depth int) (bool, error) {
	if depth >= maxSubmoduleDepth || !isThere(filepath.Join(top, ".gitmodules")) {
		return false, nil
	}
	out, err := gitCommand(ctx, top, env, "config", "--file", ".gitmodules", "--no-includes", "--null", "--get-regexp", `^submodule\..*\.(path|ignore)$`).Output()
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
		folder, err := gitFolder(paths[name])
		if err != nil || ignored[name] {
			continue // it is not checked out, or the project does not want to know
		}
		if changed, err := gitChanges(ctx, paths[name], folder, env, depth+1); changed || err != nil {
			return changed, err
		}
	}
	return false, nil
}

// gitFilters are the names of the filters that the repository itself defines.
// Most define none, which a look at the file tells without running git.
func gitFilters(ctx context.Context, top, folder string, env func(string) string) []string {
	common := folder
	if text, err := readHead(filepath.Join(folder, "commondir")); err == nil {
		common = text
		if !filepath.IsAbs(common) {
			common = filepath.Join(folder, common)
		}
	}
	suspicious := false
	for _, file := range []string{filepath.Join(common, "config"), filepath.Join(folder, "config.worktree")} {
		text, err := os.ReadFile(file)
		text = bytes.ToLower(text)
		suspicious = suspicious || err == nil && (bytes.Contains(text, []byte("[filter")) || bytes.Contains(text, []byte("[include")))
	}
	if !suspicious {
		return nil
	}
	var names []string
	for _, scope := range []string{"--local", "--worktree"} {
		out, _ := gitCommand(ctx, top, env, "config", scope, "--includes", "--null", "--name-only", "--get-regexp", `^filter\.`).Output()
		for key := range strings.SplitSeq(string(out), "\x00") {
			key, ok := strings.CutPrefix(key, "filter.")
			if end := strings.LastIndexByte(key, '.'); ok && end > 0 && !slices.Contains(names, key[:end]) {
				names = append(names, key[:end])
			}
		}
	}
	return names
}

// gitCommand prepares git without the variables that would make it look
// elsewhere, as those of a hook do, and without its asking for anything.
func gitCommand(ctx context.Context, top string, env func(string) string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = top
	cmd.WaitDelay = 10 * time.Millisecond
	for _, name := range []string{"PATH", "HOME", "USERPROFILE", "SystemRoot", "XDG_CONFIG_HOME", "TMPDIR", "TEMP"} {
		if v := env(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
	return cmd
}
