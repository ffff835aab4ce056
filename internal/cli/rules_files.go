package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/gitignore"
	"github.com/pertain-dev/pertain/rule"
)

// filesReport is the JSON form of `rules files`.
type filesReport struct {
	Rule  string   `json:"rule"`
	Files []string `json:"files"`
	Count int      `json:"count"`
}

func (a *app) rulesFilesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "files NAME",
		Short: "List the files of the repository that a rule applies to",
		Long: `List the files of the repository that a rule applies to, relative to its root:
whether its globs mean what they were meant to. Files that .gitignore names are left
out, and so are .git and node_modules; git itself is not started.`,
		Example: `  pertain rules files api-style
  pertain rules files packages/pay/style --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := a.ruleFiles(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(report)
			}
			out := bufio.NewWriter(a.painted(a.call.Stdout))
			for _, file := range report.Files {
				fmt.Fprintln(out, clean(file))
			}
			return out.Flush()
		},
		ValidArgsFunction: a.completeRules,
	}
	a.jsonFlag(cmd)
	return cmd
}

// maxLeftOut is how many folders are told of that were not looked at to their end.
const maxLeftOut = 10

// ruleFiles finds the files that the rule of a name applies to.
func (a *app) ruleFiles(ctx context.Context, name string) (filesReport, error) {
	book, r, err := a.findRule(ctx, name, pertain.RuleOptions{})
	if err != nil {
		return filesReport{}, err
	}
	alone := *book // files are compared with this rule alone, however many there are
	alone.Set = book.Alone(r)
	report := filesReport{Rule: r.Name, Files: []string{}}
	tree := files.OS()
	var paths, found []string
	left := 0 // folders that were not looked at to their end
	ask := func() error {
		for i, verdicts := range alone.ForPaths(paths, false) {
			if slices.ContainsFunc(verdicts, func(v rule.Verdict) bool { return v.Rule == r }) {
				found = append(found, paths[i])
			}
		}
		paths = paths[:0]
		return ctx.Err()
	}
	err = gitignore.Walk(ctx, tree, book.Root, func(step files.Step) error {
		var limit *files.LimitError
		switch {
		case errors.As(step.Err, &limit): // the files that are found are told all the same
			if left++; left <= maxLeftOut {
				fmt.Fprintf(a.call.Stderr, "pertain: %s: there are more than %d %s; files beyond that are left out\n", a.shortName(step.Path), limit.Max, limit.What)
			}
			return nil
		case step.Err != nil || step.Info.Kind != files.File:
			return nil //nolint:nilerr // what cannot be looked at is no file of the rule
		}
		if paths = append(paths, step.Path); len(paths) < chunk {
			return nil
		}
		return ask()
	})
	if err == nil {
		err = ask()
	}
	if err != nil {
		return filesReport{}, err
	}
	if left > maxLeftOut {
		fmt.Fprintf(a.call.Stderr, "pertain: so it is with %d more folders\n", left-maxLeftOut)
	}
	for _, path := range found {
		if rel, ok := tree.Flavor().Rel(book.Root, path); ok {
			report.Files = append(report.Files, tree.Flavor().ToSlash(rel))
		}
	}
	slices.Sort(report.Files)
	report.Count = len(report.Files)
	return report, nil
}
