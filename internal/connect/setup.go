package connect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/patch"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Setup connects agents, or takes that back.
type Setup struct {
	Root    string // of the project, absolute
	Home    string // of the user; empty: there is none
	State   string // the folder for what is remembered; empty: there is none
	Dir     string // the working directory, absolute
	Program string // the absolute path of Pertain for the user's own files; empty: see Without
	Without string // why there is none

	Parts      []Part // nil: all
	Level      Level  // empty: the project's settings where the agent has them, else the user's
	FailClosed bool
	Undo       bool
	DryRun     bool
}

// Change is what became of a file.
type Change string

const (
	Created   Change = "created"
	Changed   Change = "changed"
	Unchanged Change = "unchanged"
	Removed   Change = "removed"
	Refused   Change = "refused"
)

// File is a settings file and what became of it.
type File struct {
	Path   string  `json:"path"`
	Change Change  `json:"change"`
	Why    *string `json:"why"` // it was refused; nil: it was not
	Diff   string  `json:"-"`   // what changes, as a unified diff
	Part   Part    `json:"-"`   // the first that it holds

	name          string // for the diff
	before, after string
	existed       bool
}

// Report is what became of the files of one agent.
type Report struct {
	Agent string `json:"agent"`
	Files []File `json:"files"`
}

// maxSettings is how large a settings file of a level may be, in bytes. Agents keep more than settings in the user's own, such as
// Claude Code what was said in it. A project's is a stranger's, and people write them: a server or a hook takes 200 bytes, so that
// there is room for a thousand of them.
func maxSettings(level Level) int64 {
	if level == Project {
		return 256 << 10
	}
	return 16 << 20
}

// Run does the work for some agents. What cannot be done is in the report.
func (s Setup) Run(ctx context.Context, agents []Agent) []Report {
	var out []Report
	for _, a := range agents {
		report := Report{Agent: a.Name, Files: []File{}}
		list := slices.Clone(a.connections)
		if s.Undo {
			slices.Reverse(list) // the last change of a file first
		}
		plans := map[planKey]plan{}
		refused := s.refused(ctx, a, list, plans)
		now := pass{pending: map[string]string{}, plans: plans}
		for _, c := range list {
			if len(s.Parts) > 0 && !slices.Contains(s.Parts, c.part) {
				continue
			}
			level := s.level(c)
			path := s.choose(c, level)
			if path == "" {
				continue
			}
			file, no := refused[path]
			if !no {
				file = s.one(ctx, a, c, level, path, now)
			}
			file.Part = c.part
			report.Files = merged(report.Files, file)
		}
		if s.Undo {
			slices.Reverse(report.Files)
		}
		if len(report.Files) == 0 {
			report.Files = append(report.Files, s.none(a))
		}
		out = append(out, report)
	}
	return out
}

// refused are the files of an agent that hold several parts and of which one cannot be done: nothing of them is changed.
func (s Setup) refused(ctx context.Context, a Agent, list []connection, plans map[planKey]plan) map[string]File {
	s.DryRun = true
	out := map[string]File{}
	now := pass{pending: map[string]string{}, plans: plans, unseen: true}
	for _, c := range list {
		path := s.choose(c, s.level(c))
		if path == "" || len(s.Parts) > 0 && !slices.Contains(s.Parts, c.part) {
			continue
		}
		if file := s.one(ctx, a, c, s.level(c), path, now); file.Change == Refused {
			out[path] = file
		}
	}
	return out
}

// merged adds a file to a list, in which each stands once: one file may hold several parts.
func merged(list []File, file File) []File {
	i := slices.IndexFunc(list, func(f File) bool { return f.Path == file.Path })
	if i < 0 {
		return append(list, file)
	}
	have := &list[i]
	if have.Change == Refused || file.Change == Unchanged {
		return list
	}
	if file.Change == Refused || file.Change == Removed || have.Change == Unchanged {
		have.Change, have.Why = file.Change, file.Why
	}
	have.after = file.after
	have.Diff = patch.Unified(have.name, have.before, have.existed, have.after)
	return list
}

// level is whose settings of a connection are meant.
func (s Setup) level(c connection) Level {
	switch {
	case s.Level != "":
		return s.Level
	case c.project != "":
		return Project
	}
	return User
}

// choose is the file of a connection: another name of it counts where that is there and the first is not.
func (s Setup) choose(c connection, level Level) string {
	path := c.path(level, s.Root, s.Home)
	if path == "" {
		return ""
	}
	if _, err := os.Lstat(path); err != nil {
		for _, name := range c.others {
			other := filepath.Join(filepath.Dir(path), name)
			if _, err := os.Lstat(other); err == nil {
				return other
			}
		}
	}
	return path
}

// none says why an agent has nothing to be changed.
func (s Setup) none(a Agent) File {
	why := "there is nothing of that kind for " + a.Title
	path := ""
	for _, c := range a.connections {
		if len(s.Parts) > 0 && !slices.Contains(s.Parts, c.part) {
			continue
		}
		switch {
		case s.Level == Project && c.project == "":
			why, path = a.Title+" has no settings of a project for this; use --user", c.path(User, s.Root, s.Home)
		case s.Home == "":
			why = "there is no home folder; set HOME to an absolute path"
		case s.Level == User && c.user == "":
			why, path = a.Title+" has no settings of the user for this; use --project", c.path(Project, s.Root, s.Home)
		}
		break
	}
	return File{Path: path, Change: Refused, Why: &why}
}

// one changes one file.
func (s Setup) one(ctx context.Context, a Agent, c connection, level Level, path string, now pass) File {
	refused := func(err error) File {
		why := err.Error()
		return File{Path: path, Change: Refused, Why: &why}
	}
	target, err := s.target(path, level)
	if err != nil {
		return refused(err)
	}
	data, err := target.Read(maxSettings(level))
	text, exists, err := asRead(data, level, err)
	if err != nil {
		return refused(err)
	}
	mark, text := cutMark(text)
	if planned, ok := now.pending[path]; ok {
		text, exists = planned, planned != ""
	}
	caller := Caller{Agent: a.Name, Program: "pertain", FailClosed: s.FailClosed, Windows: isWindows()}
	if level == User {
		caller.Program = s.Program
	}
	work := change{Setup: s, pass: now, agent: a, connection: c, level: level, caller: caller, target: target, path: path, mark: mark, text: text, exists: exists}
	var file File
	if s.Undo {
		file, err = work.undo(ctx)
	} else {
		if caller.Program == "" {
			return refused(errors.New(s.Without))
		}
		file, err = work.do(ctx)
	}
	if err != nil {
		return refused(err)
	}
	if s.DryRun {
		now.pending[path] = work.planned
	}
	return file
}

// target is where a file is written: nothing of a project leads out of it.
func (s Setup) target(path string, level Level) (writing.Target, error) {
	if level == User {
		return writing.OwnTarget(path)
	}
	if err := linkedSecret(path, level); err != nil {
		return writing.Target{}, err
	}
	return writing.NamedTarget(path, s.Dir)
}

// linkedSecret refuses a link of a project to what looks like a secret.
func linkedSecret(path string, level Level) error {
	real, err := files.OS().RealPath(path)
	if level == User || err != nil || real == path {
		return nil //nolint:nilerr // there is nothing yet
	}
	if name := filepath.ToSlash(real); filepath.Base(real) != filepath.Base(path) && secret.HasName(name) || secret.InFolder(name) && !secret.InFolder(filepath.ToSlash(path)) {
		return errors.New("it is a link to what looks like a secret, and is left alone; remove the link")
	}
	return nil
}

func read(path string, level Level) (text string, exists bool, err error) {
	if err := linkedSecret(path, level); err != nil {
		return "", true, err
	}
	data, err := files.OS().ReadFile(path, maxSettings(level))
	return asRead(data, level, err)
}

// asRead is what came of reading a settings file. One that is too large is not read in part: nothing of it is known.
func asRead(data []byte, level Level, err error) (text string, exists bool, _ error) {
	var large *files.TooLargeError
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // such as .clinerules, which may be a file of rules
		return "", false, nil
	case errors.As(err, &large) && level == Project:
		return "", false, fmt.Errorf("it is larger than %d KiB, and is left alone: settings of a project are smaller; take out of it what does not belong there", large.Limit>>10)
	case errors.As(err, &large):
		return "", false, fmt.Errorf("it is larger than %d MiB, and is left alone", large.Limit>>20)
	case err != nil:
		return "", false, err
	}
	return string(data), true, nil
}
