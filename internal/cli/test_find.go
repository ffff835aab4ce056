package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// testFile is a test file that was found.
type testFile struct {
	path    string
	root    string // folder that was searched; empty: the file was named
	within  files.Bounds
	results []cases.Result // what is wrong with it, where it cannot be read
}

// caseSearch finds what is to be tested.
type caseSearch struct {
	app   *app
	tree  files.Tree
	files []testFile
	rules []*rule.Rule
	seen  map[string]bool
}

func (s *caseSearch) find(ctx context.Context, args []string) error {
	s.seen = map[string]bool{}
	if len(args) == 0 {
		return s.findAll(ctx)
	}
	var rules []string
	for _, arg := range args {
		path := s.app.abs(arg)
		info, err := s.tree.Stat(path)
		if err != nil {
			return usage("%s: %s", arg, fileerror.Reason(err))
		}
		_, isTest := cases.StrategyOf(path)
		switch {
		case info.Kind == files.Folder:
			if err := s.folder(ctx, path); err != nil {
				return err
			}
			rules = append(rules, path)
		case isTest:
			s.named(path)
		case strategy.IsFile(path):
			beside := cases.Beside(path)
			if _, err := s.tree.Stat(beside); err != nil {
				return usage("%s: there are no cases beside it; write them into %s, or see `pertain new strategy --test`", arg, s.app.shortName(beside))
			}
			s.named(beside)
		case discover.ReadsAsRule(s.tree, s.app.ruleRoots(), path) || strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".mdc"):
			rules = append(rules, path)
		default:
			return usage("%s: neither a test file (NAME.strategy%s), a strategy file, a rule file nor a folder", arg, cases.Suffix)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	found, _, _, err := discover.NamedRules(ctx, s.tree, s.app.ruleRoots(), rules)
	if err != nil {
		return usage("%s", err)
	}
	s.rules = found
	return nil
}

// findAll looks where strategies and rules are that count here.
func (s *caseSearch) findAll(ctx context.Context) error {
	folders := []string{s.app.dir()}
	if named := s.app.environment().Strategies; len(named) > 0 {
		folders = append(folders, named...)
	} else if own := s.app.paths().UserStrategies; own != "" {
		folders = append(folders, own)
	}
	for _, folder := range folders {
		if info, err := s.tree.Stat(folder); err != nil || info.Kind != files.Folder {
			continue
		}
		if err := s.folder(ctx, folder); err != nil {
			return err
		}
	}
	book, err := s.app.rulebook(ctx, pertain.RuleOptions{})
	if err != nil {
		return err
	}
	s.rules = book.Rules()
	return nil
}

// folder finds the test files below a folder. Links lead no further than the workspace
// that it is in, or the folder itself where it is in none or the user's own.
func (s *caseSearch) folder(ctx context.Context, root string) error {
	around := settings.WorkspaceAround(s.tree, root)
	within := files.Below(s.tree, cmp.Or(around, root))
	if around != "" && s.app.isOwnFolder(root) {
		within = files.Below(s.tree, around, root)
	}
	return files.Walk(ctx, s.tree, root, files.WalkOptions{Within: &within}, func(step files.Step) error {
		if step.Info.Kind == files.Folder && step.Err == nil {
			if name := filepath.Base(step.Path); (name == ".git" || name == "node_modules") && step.Rel != "." {
				return files.ErrSkipFolder
			}
			return nil
		}
		var limit *files.LimitError
		if errors.As(step.Err, &limit) {
			s.problem(step.Path, "not everything below it was searched: "+fileerror.Reason(step.Err))
			return nil
		}
		if _, ok := cases.StrategyOf(step.Path); ok && step.Info.Kind != files.Folder {
			s.file(step.Path, root, within, step.Err)
		}
		return nil
	})
}

// named adds a test file that the user named, or the strategy that it is about. It reaches what the strategy does.
func (s *caseSearch) named(path string) {
	s.file(path, "", strategyfile.Reach(s.tree, s.app.strategyRoots(), path), nil)
}

func (s *caseSearch) problem(path, message string) {
	s.files = append(s.files, testFile{path: path, results: []cases.Result{{File: path, Line: 1, Message: message}}})
}

// file adds a test file, once.
func (s *caseSearch) file(path, root string, within files.Bounds, err error) {
	if s.seen[path] {
		return
	}
	s.seen[path] = true
	if err != nil {
		s.problem(path, "the file cannot be read: "+fileerror.Reason(err))
		return
	}
	s.files = append(s.files, testFile{path: path, root: root, within: within})
}
