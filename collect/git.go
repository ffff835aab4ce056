package collect

import (
	"context"
	"errors"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/repository"
)

// gitState is what is known of a repository.
type gitState struct {
	branch   string // empty: no branch is checked out, or it is unknown
	branched string // why the branch is unknown, in a few words; empty: it is known whether one is checked out
	changes  bool
	known    bool   // whether changes is
	missing  string // why something is unknown, in a few words
	remedy   string // what the user can do about that; may be empty
	late     bool   // it is unknown for want of time
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
	var lacks []facts.Lack
	if s.branched != "" {
		lacks = append(lacks, facts.Lack{Path: "extra.workspace.git.branch", Reason: s.branched})
	}
	if s.known {
		return lacks
	}
	lack := facts.Lack{Path: "extra.workspace.git.hasChanges", Reason: s.missing, Remedy: s.remedy}
	if s.late {
		lack.Code = diag.ExtraProviderTimeout
	}
	return append(lacks, lack)
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

// The branch is to be told in time, whatever else takes long: a fifth of the time
// limit is left for that, within these bounds.
const (
	minGitReserve = 10 * time.Millisecond
	maxGitReserve = 50 * time.Millisecond
)

// gitReader reads repositories.
type gitReader struct{ options Options }

// read reads the branch from the repository's files, and whether there are
// changes: in a folder that the user trusts by asking git, and elsewhere by
// comparing the files with the index. A stranger's repository has too many ways to
// make git start something. It does not wait for an answer any longer than there
// is time: on a busy machine even starting and ending a program takes a while.
func (g gitReader) read(ctx context.Context, top string) gitState {
	state := gitState{}
	r, err := repository.Open(top)
	if err != nil {
		state.missing = err.Error()
		return state
	}
	state.branch, err = r.Branch()
	switch {
	case err != nil:
		state.missing, state.branched = err.Error(), err.Error()
	case state.branch == "":
		state.missing = "no branch is checked out"
	}
	if deadline, ok := ctx.Deadline(); ok {
		reserve := min(max(time.Until(deadline)/5, minGitReserve), maxGitReserve)
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
	}
	trusted := g.options.Trusted != nil && g.options.Trusted(top)
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
		state.changes, state.known = told.changes, true
	case ctx.Err() != nil || errors.Is(told.err, context.DeadlineExceeded):
		state.late = true
		state.missing, state.remedy = "looking for changes took too long", "give the collectors more time with options.extraTimeout in the settings"
		if trusted {
			state.missing = "git took too long"
		}
	case errors.Is(told.err, program.ErrNotFound):
		state.missing, state.remedy = "git is not installed", "install git"
	case errors.As(told.err, &unknown):
		state.missing, state.remedy = unknown.Reason, "git is asked once you trust the folder: look at it, then run `pertain trust`"
	default:
		state.missing = "git could not tell whether there are changes"
	}
	return state
}

// changesTold is an answer to whether there are changes.
type changesTold struct {
	changes bool
	err     error
}

func (g gitReader) changes(ctx context.Context, r *repository.Repository, trusted bool) (told changesTold) {
	if trusted {
		told.changes, told.err = g.ask(ctx, r)
		if !errors.Is(told.err, program.ErrNotFound) {
			return told
		}
	}
	changes, err := r.HasChanges(ctx, repository.User{Env: g.options.Env})
	if err != nil && told.err != nil && ctx.Err() == nil {
		return told // that git is missing is what the user can do something about
	}
	return changesTold{changes, err}
}
