package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/gitignore"
)

// scanBatch is how many files are handed over at once.
const scanBatch = 32

// walk finds the files and hands them over, each once.
func (s *scanner) walk(ctx context.Context, roots []string, paths chan<- []scanPath) error {
	var batch []scanPath
	send := func() error {
		if len(batch) == 0 {
			return nil
		}
		select {
		case paths <- batch:
			batch = nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	links, isRule := discover.NewLinkResolver(files.OS()), discover.IsRuleFile(files.OS(), s.app.ruleRoots())
	seen := map[string]bool{} // one file may be named several times, or be in a folder that is
	add := func(path scanPath) error {
		if len(roots) > 1 {
			real := cmp.Or(path.real, links.Real(path.name), path.name)
			if seen[real] {
				return nil
			}
			seen[real] = true
		}
		if batch = append(batch, path); len(batch) < scanBatch {
			return nil
		}
		return send()
	}
	for _, root := range roots {
		real, kind, err := s.check(root)
		switch {
		case err != nil && len(roots) > 1: // one bad argument costs only itself
			s.unread(scanProblem{root, strings.TrimPrefix(err.Error(), s.app.shortName(root)+": "), false})
			err = nil
		case err != nil:
		case kind == files.Folder:
			err = s.folder(ctx, root, real, func(path scanPath) error {
				if isRule(path.name) {
					return nil // a rule quotes what it forbids
				}
				return add(path)
			})
		default:
			err = add(scanPath{name: root, bounds: files.Anywhere().WithPseudo()})
		}
		if err != nil {
			return err
		}
	}
	return send()
}

// check refuses a path on the command line that cannot be looked at.
func (s *scanner) check(root string) (real string, kind files.Kind, err error) {
	o, err := files.OS().Open(root, files.Anywhere().WithPseudo())
	if err == nil {
		defer o.Close()
		real, kind = o.Real(), o.Info().Kind
		switch kind {
		case files.Folder:
			_, err = o.List()
		case files.File:
			_, err = o.Append(nil, 0)
		default: // opening a pipe would wait
			return "", 0, usage("%s: it is a special file; name a file or a folder", s.app.shortName(root))
		}
	}
	if err != nil {
		return "", 0, usage("%s: %s", s.app.shortName(root), fileerror.Reason(err))
	}
	return real, kind, nil
}

// folder gives the files below a folder. The .gitignore files of the whole project
// count, so the walk starts at its root and goes straight to the folder. root is the
// folder without links; its files are told by the name that the user gave it.
func (s *scanner) folder(ctx context.Context, named, root string, add func(scanPath) error) error {
	tree := files.OS()
	flavor := tree.Flavor()
	dir := realFolder(s.app.dir())
	name := func(path string) string { return filepath.Join(named, strings.TrimPrefix(path, root)) }
	top := discover.ProjectRoot(tree, root)
	if top == root && flavor.Inside(dir, root) { // no repository, as far as can be seen
		if _, _, found := files.FindUp(tree, root, ".git"); !found {
			top = dir
		}
	}
	within := files.BelowReal(root)
	pseudo := files.Pseudo(root)
	if pseudo { // then somebody has asked for it
		within = within.WithPseudo()
	}
	visit := func(step files.Step) error {
		switch {
		case step.Link:
			return nil
		case step.Err != nil:
			s.unread(walkProblem(name(step.Path), step.Err))
			return nil //nolint:nilerr // it is told, and the walk goes on
		case step.Info.Kind == files.Folder && step.Path != root && !pseudo && files.Pseudo(step.Path):
			s.unread(scanProblem{name(step.Path), "the system makes up its files, and reading them may never end; name it to look into it", true})
			return files.ErrSkipFolder
		case step.Info.Kind == files.File:
			return add(scanPath{name(step.Path), step.Path, within})
		}
		return nil
	}
	reached := top == root
	err := gitignore.Walk(ctx, tree, top, func(step files.Step) error {
		if step.Path == root && !reached {
			reached = !step.Link && step.Err == nil
			return nil
		}
		if step.Path == root || flavor.Inside(root, step.Path) {
			return visit(step)
		}
		if step.Info.Kind == files.Folder && !step.Link && !flavor.Inside(step.Path, root) {
			return files.ErrSkipFolder
		}
		return nil
	})
	if err == nil && !reached {
		// It is ignored; but somebody has named it.
		err = gitignore.Walk(ctx, tree, root, visit)
	}
	if err != nil && ctx.Err() == nil {
		return usage("%s: %s", s.app.shortName(named), fileerror.Reason(err))
	}
	return err
}

// realFolder is the path of a folder without links; as it is if that is not known.
func realFolder(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// walkProblem says why a folder is not looked at, or not to the end.
func walkProblem(path string, err error) scanProblem {
	var limit *files.LimitError
	switch {
	case !errors.As(err, &limit):
		return scanProblem{Path: path, Reason: fileerror.Reason(err)}
	case limit.What == "levels":
		return scanProblem{path, fmt.Sprintf("it is more than %d folders deep; name it to look into it", limit.Max), true}
	}
	if limit.What != "entries" {
		return scanProblem{Path: path, Reason: fmt.Sprintf("there are more than %d %s, and the rest is left out", limit.Max, limit.What)}
	}
	return scanProblem{Path: path, Reason: fmt.Sprintf("there are more than %d files and folders, and the rest is left out; name smaller folders, one after the other", limit.Max)}
}

// unread takes note of what cannot be looked at.
func (s *scanner) unread(p scanProblem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unreadable = append(s.unreadable, p)
}

// progress shows on a terminal how far the scan is, until the function it gives is
// called.
func (s *scanner) progress(ctx context.Context) (stop func()) {
	if !s.app.color(s.app.call.Stderr) {
		return func() {}
	}
	out := s.app.rewritten(s.app.call.Stderr)
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				fmt.Fprint(out, rewriteLine)
				return
			case <-tick.C:
				fmt.Fprintf(out, rewriteLine+"%s, %d MB", plural(int(s.read.Load()), "file"), s.bytes.Load()>>20)
			}
		}
	})
	return func() { cancel(); done.Wait() }
}
