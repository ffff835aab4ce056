// Package git says of a repository which branch is checked out and whether
// anything is not committed, for extra.workspace.
//
//	Top → Reader.Read → repository.Open, Branch
//	                  → trusted: git status, in a copy of the settings (copy.go)
//	                  → not trusted: the files against the index (internal/repository)
//	                  → State
//
// Use [Reader.Read] first. In a repository that the user does not trust, git is
// never started; in one that is trusted, nothing that its settings name is.
package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/repository"
)

// State is what is known of a repository.
type State struct {
	Branch   string // empty: no branch is checked out, or it is unknown
	branched string // why the branch is unknown, in a few words; empty: it is known whether one is checked out
	Changes  bool
	Known    bool   // whether changes is
	Missing  string // why something is unknown, in a few words
	remedy   string // what the user can do about that; may be empty
	late     bool   // it is unknown for want of time
}

// Late tells whether something is unknown for want of time alone: with more of it, it might be known.
func (s State) Late() bool { return s.late }

// Value is the object git of extra.workspace.
func (s State) Value() facts.Value {
	var fields []facts.Field
	if s.Branch != "" {
		fields = append(fields, facts.Field{Name: "branch", Value: facts.Text(s.Branch)})
	}
	if s.Known {
		fields = append(fields, facts.Field{Name: "hasChanges", Value: facts.Flag(s.Changes)})
	}
	return facts.Fields(fields...)
}

// Lacks says what is unknown although there is a repository. That no branch is
// checked out is an answer.
func (s State) Lacks() []facts.Lack {
	var lacks []facts.Lack
	if s.branched != "" {
		lacks = append(lacks, facts.Lack{Path: "extra.workspace.git.branch", Reason: s.branched})
	}
	if s.Known {
		return lacks
	}
	lack := facts.Lack{Path: "extra.workspace.git.hasChanges", Reason: s.Missing, Remedy: s.remedy}
	if s.late {
		lack.Code = diag.ExtraProviderTimeout
	}
	return append(lacks, lack)
}

// Summary says in a few words how much of extra.workspace is known.
func (s State) Summary() string {
	known := 2
	if s.Branch != "" {
		known++
	}
	if s.Known {
		known++
	}
	if known == 4 {
		return "4 of 4 values"
	}
	return string(rune('0'+known)) + " of 4 values: " + s.Missing
}

// The branch is to be told in time, whatever else takes long: a fifth of the time
// limit is left for that, within these bounds.
const (
	minReserve = 10 * time.Millisecond
	maxReserve = 50 * time.Millisecond
)

// Reader reads repositories.
type Reader struct {
	Env     func(name string) string               // environment
	Trusted func(top string) bool                  // whether the user trusts the folder that holds .git; nil: none is trusted
	Search  func(without ...string) program.Search // where git is looked for: never in these folders
}

// trusts tells whether the user trusts the folder that holds .git.
func (g Reader) trusts(top string) bool { return g.Trusted != nil && g.Trusted(top) }

// Open finds the folders of a repository.
func (g Reader) Open(top string) (*repository.Repository, error) {
	return repository.Open(top, g.trusts(top))
}

// Read reads the branch from the repository's files, and whether there are
// changes: in a folder that the user trusts by asking git, and elsewhere by
// comparing the files with the index. A stranger's repository has too many ways to
// make git start something. It does not wait for an answer any longer than there
// is time: on a busy machine even starting and ending a program takes a while.
func (g Reader) Read(ctx context.Context, top string) State {
	state := State{}
	trusted := g.trusts(top)
	r, err := repository.Open(top, trusted)
	if err != nil {
		state.Missing = err.Error()
		return state
	}
	state.Branch, err = r.Branch()
	switch {
	case err != nil:
		state.Missing, state.branched = err.Error(), err.Error()
	case state.Branch == "":
		state.Missing = "no branch is checked out"
	}
	if deadline, ok := ctx.Deadline(); ok {
		reserve := min(max(time.Until(deadline)/5, minReserve), maxReserve)
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
	}
	answer := make(chan changesTold, 1)
	go func() { answer <- g.changes(ctx, r, trusted) }()
	told := changesTold{err: context.DeadlineExceeded}
	select {
	case told = <-answer:
	case <-ctx.Done():
	}
	var unknown *repository.UnknownError
	switch {
	case told.err == nil:
		state.Changes, state.Known = told.changes, true
	case ctx.Err() != nil || errors.Is(told.err, context.DeadlineExceeded):
		state.late = true
		state.Missing, state.remedy = "looking for changes took too long", "give the collectors more time with options.extraTimeout in the settings"
		if trusted {
			state.Missing = "git took too long"
		}
	case errors.Is(told.err, program.ErrNotFound):
		state.Missing, state.remedy = "git is not installed", "install git"
	case errors.As(told.err, &unknown):
		state.Missing, state.remedy = unknown.Reason, "git is asked once you trust the folder: look at it, then run `pertain trust`"
	default:
		state.Missing = "git could not tell whether there are changes"
	}
	return state
}

// changesTold is an answer to whether there are changes.
type changesTold struct {
	changes bool
	err     error
}

func (g Reader) changes(ctx context.Context, r *repository.Repository, trusted bool) (told changesTold) {
	if trusted {
		told.changes, told.err = g.ask(ctx, r)
		if !errors.Is(told.err, program.ErrNotFound) {
			return told
		}
	}
	changes, err := r.HasChanges(ctx, repository.User{Env: g.Env})
	if err != nil && told.err != nil && ctx.Err() == nil {
		return told // that git is missing is what the user can do something about
	}
	return changesTold{changes, err}
}

// Top is the folder at or above another that holds .git: a workspace may be a
// part of a repository. One of another user above it is none.
func Top(folder string) (string, bool) {
	top, _, ok := files.FindUp(files.OS(), folder, ".git")
	return top, ok
}

// IsBare tells whether a folder is a repository without files to work on.
func IsBare(dir string) bool {
	return isThere(filepath.Join(dir, "HEAD")) && isThere(filepath.Join(dir, "objects")) && isThere(filepath.Join(dir, "refs"))
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
