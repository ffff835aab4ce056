package lint

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/gitignore"
	"github.com/pertain-dev/pertain/rule"
)

// CheckRules tells what is probably not meant in rules that were read.
func (w Workspace) CheckRules(ctx context.Context, rules []*rule.Rule) (diag.List, error) {
	list := CheckTexts(rules)
	dead, err := w.DeadGlobs(ctx, rules)
	return append(list, dead...), err
}

// CheckTexts is what can be said about rules from their files alone.
func CheckTexts(rules []*rule.Rule) diag.List {
	return append(rule.CheckAll(rules), Examples(rules, false)...)
}

// packSize is how many rules a repository has at least that is a pack of them.
const packSize = 20

// DeadGlobs finds the globs that match no file of the project. Where the tree is
// too large to be walked, or is no project at all, nothing is said.
func (w Workspace) DeadGlobs(ctx context.Context, rules []*rule.Rule) (diag.List, error) {
	tree := follow.Noted(ctx, files.OS())
	flavor := tree.Flavor()
	coverage := rule.NewCoverage(rules, flavor == files.Windows)
	root := discover.ProjectRoot(tree, w.Rules.Dir)
	if coverage.Empty() || coverage.Exhausted() || root == w.Rules.Home || root == flavor.Dir(root) {
		return nil, nil
	}
	enough := errors.New("enough")
	seen, ruleFiles := 0, 0
	isRule := discover.IsRuleFile(tree, w.Rules)
	see := func(step files.Step) error {
		var limit *files.LimitError
		switch {
		case errors.As(step.Err, &limit):
			return enough
		case step.Err != nil:
			return nil //nolint:nilerr // what cannot be looked at is left out
		case step.Info.Kind == files.File:
			if seen++; seen > files.ProjectFiles {
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
	err := gitignore.Walk(ctx, tree, root, func(step files.Step) error {
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
		return coverage.Unknown(), nil //nolint:nilerr // what cannot be walked cannot be judged
	}
	if ruleFiles >= packSize && ruleFiles*2 > seen {
		return nil, nil // a pack of rules for other repositories
	}
	return coverage.Dead(), nil
}
