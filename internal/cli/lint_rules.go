package cli

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/strategy"
)

// lintRules checks the rule files among the named paths (those that are no
// strategy files, and in folders those that a tool would read); without paths,
// everything that `rules` loads. It gives the files that were looked at, and how many of
// them have something to mend.
func (a *app) lintRules(ctx context.Context, paths []string) (looked []string, mendable int, list diag.List, err error) {
	rules, list, looked, err := a.rulesToLint(ctx, paths)
	if err != nil {
		return nil, 0, nil, err
	}
	for _, r := range rules {
		if len(r.Fixes) > 0 {
			mendable++
		}
	}
	list = withoutSynced(list, rules)
	found, err := a.checkRules(ctx, rules)
	if err != nil {
		return nil, 0, nil, err
	}
	if len(paths) == 0 {
		found = append(found, discover.NearNames(files.OS(), a.ruleRoots())...)
	}
	return looked, mendable, append(list, found...), nil
}

// checkRules tells what is probably not meant in rules that were read.
func (a *app) checkRules(ctx context.Context, rules []*rule.Rule) (diag.List, error) {
	list := rule.CheckAll(rules)
	list = append(list, exampleProblems(rules, false)...)
	dead, err := a.deadGlobs(ctx, rules)
	return append(list, dead...), err
}

// lintAgent checks the rule files that one agent loads; with paths, those among
// them.
func (a *app) lintAgent(ctx context.Context, args []string, agent string) (lintReport, error) {
	options := pertain.RuleOptions{Agent: agent, Nested: len(args) > 0}
	book, err := a.rulebook(ctx, options)
	if err != nil {
		return lintReport{}, err
	}
	named := func(string) bool { return true }
	if paths := a.absAll(args); len(paths) > 0 {
		for i, path := range paths {
			if _, err := os.Stat(path); err != nil {
				return lintReport{}, usage("%s: there is no such file or folder", args[i])
			}
		}
		named = func(file string) bool {
			return slices.ContainsFunc(paths, func(path string) bool { return file == path || files.OS().Flavor().Inside(path, file) })
		}
	}
	rules := slices.DeleteFunc(slices.Clone(book.All()), func(r *rule.Rule) bool { return !named(r.Path) })
	report := lintReport{Files: len(rules)}
	for _, d := range book.Warnings() {
		if named(d.File()) {
			report.Diagnostics.Add(d)
			if d.Code == diag.RuleEmpty {
				report.Files++
			}
		}
	}
	list, err := a.checkRules(ctx, rules)
	if err != nil {
		return lintReport{}, err
	}
	report.Diagnostics = append(report.Diagnostics, list...)
	report.finish()
	return report, nil
}

// strategyPaths are the named paths that may hold strategies: all but files
// with another name.
func (a *app) strategyPaths(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && !info.IsDir() && (!strategy.IsFile(path) || discover.ReadsAsRule(files.OS(), a.ruleRoots(), path))
	})
}

func (a *app) rulesToLint(ctx context.Context, paths []string) (rules []*rule.Rule, list diag.List, looked []string, err error) {
	if len(paths) > 0 {
		rules, list, looked, err = discover.NamedRules(ctx, files.OS(), a.ruleRoots(), a.absAll(paths))
		if err != nil && ctx.Err() == nil {
			err = usage("%s", err)
		}
		return rules, list, looked, err
	}
	book, err := a.rulebook(ctx, pertain.RuleOptions{})
	if err != nil {
		return nil, nil, nil, err
	}
	for _, r := range book.All() {
		if r.Shadowed && r.Export != nil { // what is wrong with it is wrong with its source
			continue
		}
		rules = append(rules, r)
		looked = append(looked, r.Path)
	}
	list = slices.Clone(book.Warnings())
	for _, d := range list {
		if d.Code == diag.RuleEmpty {
			looked = append(looked, d.File())
		}
	}
	return rules, list, looked, nil
}

func (a *app) ruleRoots() discover.RuleRoots {
	return discover.RuleRoots{Dir: a.dir(), Home: a.paths().Home}
}

// packSize is how many rules a repository has at least that is a pack of them.
const packSize = 20

// maxFiles is how large a project may be for its globs to be looked at.
const maxFiles = 500_000

// deadGlobs finds the globs that match no file of the project. Where the tree is
// too large to be walked, or is no project at all, nothing is said.
func (a *app) deadGlobs(ctx context.Context, rules []*rule.Rule) (diag.List, error) {
	tree := files.OS()
	flavor := tree.Flavor()
	coverage := rule.NewCoverage(rules, flavor == files.Windows)
	root := discover.ProjectRoot(tree, a.dir())
	if coverage.Empty() || coverage.Exhausted() || root == a.paths().Home || root == flavor.Dir(root) {
		return nil, nil
	}
	enough := errors.New("enough")
	seen, ruleFiles := 0, 0
	isRule := discover.IsRuleFile(tree, a.ruleRoots())
	see := func(step files.Step) error {
		var limit *files.LimitError
		switch {
		case errors.As(step.Err, &limit):
			return enough
		case step.Err != nil:
			return nil //nolint:nilerr // what cannot be looked at is left out
		case step.Info.Kind == files.File:
			if seen++; seen > maxFiles {
				return enough
			}
			if isRule(step.Path) {
				ruleFiles++
			}
			if coverage.See(flavor.ToSlash(step.Path)); coverage.Exhausted() {
				return enough
			}
		case step.Info.Kind == files.Folder && flavor.Base(step.Path) == "node_modules":
			return files.ErrSkipFolder
		}
		if coverage.Empty() {
			return files.ErrSkipAll
		}
		return nil
	}
	var links []string // to folders: rules may name files by the way through them
	err := discover.WalkProject(ctx, tree, root, func(step files.Step) error {
		if step.Link && step.Info.Kind == files.Folder {
			links = append(links, step.Path)
			return nil
		}
		return see(step)
	})
	for _, link := range links {
		if err != nil || coverage.Empty() {
			break
		}
		err = files.Walk(ctx, tree, link, files.WalkOptions{}, see)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, nil //nolint:nilerr // what cannot be walked cannot be judged
	}
	if ruleFiles >= packSize && ruleFiles*2 > seen {
		return nil, nil // a pack of rules for other repositories
	}
	return coverage.Dead(), nil
}
