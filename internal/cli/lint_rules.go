package cli

import (
	"context"
	"os"
	"slices"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/rule"
)

// lintAgent checks the rule files that one agent loads; with paths, those among
// them.
func (a *app) lintAgent(ctx context.Context, workspace lint.Workspace, args []string, agent string) (lint.Report, error) {
	options := pertain.RuleOptions{Agent: agent, Nested: len(args) > 0}
	book, err := a.rulebook(ctx, options)
	if err != nil {
		return lint.Report{}, err
	}
	named := func(string) bool { return true }
	if paths := a.absAll(args); len(paths) > 0 {
		for i, path := range paths {
			if _, err := os.Stat(path); err != nil {
				return lint.Report{}, usage("%s: there is no such file or folder", args[i])
			}
		}
		named = func(file string) bool {
			return slices.ContainsFunc(paths, func(path string) bool { return file == path || files.OS().Flavor().Inside(path, file) })
		}
	}
	rules := slices.DeleteFunc(slices.Clone(book.All()), func(r *rule.Rule) bool { return !named(r.Path) })
	report := lint.Report{Files: len(rules)}
	for _, d := range book.Warnings() {
		if named(d.File()) {
			report.Diagnostics.Add(d)
			if d.Code == diag.RuleEmpty {
				report.Files++
			}
		}
	}
	list, err := workspace.CheckRules(ctx, rules)
	if err != nil {
		return lint.Report{}, err
	}
	report.Diagnostics = append(report.Diagnostics, list...)
	report.Finish()
	return report, nil
}

func (a *app) ruleRoots() discover.RuleRoots {
	return discover.RuleRoots{Dir: a.dir(), Home: a.paths().Home}
}
