package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/strategy"
)

var lintFormats = []string{"text", "short", "json", "sarif", "github"}

func (a *app) lintCommand() *cobra.Command {
	format := "text"
	var fix bool
	var fixing fixOptions
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Check strategy and rule files and show every mistake at its place",
		Long: `Check strategy and rule files: for every mistake the file, line and column, what
is wrong and what to write instead.

PATH is a strategy file, a rule file, or a folder that is searched for both; or a
context file (NAME.context.json, NAME.context.yaml), or a test file, whose form is
checked: ` + "`pertain test`" + ` runs it. Without PATH, everything that would be loaded here is checked: the builtin
strategies, the user's, the workspace's, those of plugins, and all rules.

With --fix, rule files that are named are mended where that is safe: values that
need quotes, misspelt keys. Those in folders that are named are mended after a
question, or with --yes. --dry-run shows the change and writes nothing.

Of findings that say the same of many files the first five are shown; the other
formats list all.

The exit code is 1 when there are errors; warnings alone do not change it.`,
		Example: `  pertain lint
  pertain lint .pertain/strategies .cursor/rules
  pertain lint --fix --dry-run .cursor/rules/api.mdc
  pertain lint --fix --yes .cursor/rules
  pertain lint --format github .   # annotations in GitHub Actions
  pertain lint --format sarif . > pertain.sarif`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.json {
				format = "json"
			}
			if !slices.Contains(lintFormats, format) {
				return usage("--format %s: there is no such format; use one of text, short, json, sarif, github", format)
			}
			if fixing.dryRun && (!fix || format != "text") {
				return usage("--dry-run goes with --fix and prints a diff; leave out the other format")
			}
			if fixing.yes && !fix {
				return usage("--yes goes with --fix")
			}
			if err := a.refuseOthers(args); err != nil {
				return err
			}
			if fix {
				rules := slices.DeleteFunc(slices.Clone(args), lint.IsBeside) // of contexts and tests nothing is mended
				if len(rules) == 0 && len(args) > 0 {
					return usage("--fix mends rule files; there is none among the files that are named")
				}
				if err := a.fixRules(cmd.Context(), rules, fixing); err != nil || fixing.dryRun {
					return err
				}
			}
			report, err := a.lint(cmd.Context(), args, options.Agent)
			if err != nil {
				return err
			}
			if err := a.printLint(report, format); err != nil {
				return err
			}
			if report.Errors > 0 {
				return negative("")
			}
			return nil
		},
	}
	a.jsonFlag(cmd)
	a.agentFlag(cmd, &options)
	a.strategyFlags(cmd)
	cmd.Flags().StringVar(&format, "format", format, "how to print: text, short, json, sarif or github")
	cmd.Flags().BoolVar(&fix, "fix", false, "mend the rule files that are named, where that is safe")
	cmd.Flags().BoolVar(&fixing.yes, "yes", false, "with --fix: mend the files of folders without a question")
	cmd.Flags().BoolVar(&fixing.dryRun, "dry-run", false, "with --fix: show the change as a diff, write nothing")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(lintFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// refuseOthers refuses named files that are nothing of ours: read as
// rules they would have no mistakes, which says nothing of what they are.
func (a *app) refuseOthers(args []string) error {
	tree := files.OS()
	for _, arg := range args {
		path := a.abs(arg)
		info, err := tree.Stat(path)
		if err != nil || info.Kind == files.Folder || strategy.IsFile(path) || discover.ReadsAsRule(tree, a.ruleRoots(), path) {
			continue
		}
		switch ext := strings.ToLower(filepath.Ext(path)); {
		case lint.IsBeside(path):
		case strings.HasSuffix(path, cases.Suffix):
			return usage("lint %s: this is no test of a strategy, which is called NAME.strategy%s", arg, cases.Suffix)
		case ext == ".yaml", ext == ".yml", ext == ".json":
			return usage("lint %s: this is neither a strategy nor a rule file; a context is checked if its name ends in .context.json or .context.yaml, or by `pertain match --context %s`", arg, arg)
		case ext == ".txt":
			return usage("lint %s: this is neither a strategy nor a rule file; no tool reads rules there", arg)
		}
	}
	return nil
}

func (a *app) lint(ctx context.Context, args []string, agent string) (lint.Report, error) {
	workspace, err := a.lintWorkspace()
	if err != nil {
		return lint.Report{}, err
	}
	if agent != "" { // strategies are no agent's
		return a.lintAgent(ctx, workspace, args, agent)
	}
	if len(args) == 0 {
		return workspace.All(ctx)
	}
	report, err := workspace.Named(ctx, a.absAll(args))
	var named *lint.NamedError
	if errors.As(err, &named) {
		err = usage("%s", named)
	}
	return report, err
}

// lintWorkspace is the folder of this call.
func (a *app) lintWorkspace() (lint.Workspace, error) {
	options, err := a.engineOptions()
	return lint.Workspace{Environment: a.environment(), Engine: options, Strategies: a.strategyRoots(), Rules: a.ruleRoots()}, err
}

func (a *app) printLint(report lint.Report, format string) error {
	out := a.painted(a.call.Stdout)
	switch format {
	case "json":
		return a.writeJSON(report)
	case "sarif":
		return diag.SARIF(out, report.Diagnostics, diag.SARIFOptions{Version: Version(), Root: a.dir()})
	case "github":
		return diag.GitHub(out, report.Diagnostics, a.shortName)
	case "short":
		return diag.Lines(out, report.Diagnostics, a.textOptions(out))
	}
	shown, more := firstAlike(report.Diagnostics)
	if err := diag.Text(out, shown, a.textOptions(out)); err != nil {
		return err
	}
	if len(shown) > 0 {
		fmt.Fprintln(out)
	}
	for _, line := range more {
		fmt.Fprintln(out, clean(line))
	}
	if len(more) > 0 {
		fmt.Fprintln(out, "--format short lists them all.")
	}
	if report.Mendable > 0 {
		fmt.Fprintf(out, "%s can be mended by --fix.\n", plural(report.Mendable, "file"))
	}
	for _, line := range a.linkedOut(report.Rules) {
		fmt.Fprintln(out, clean(line)+".")
	}
	checked := plural(report.Files, "file") + " checked"
	if report.Elsewhere > 0 {
		checked = fmt.Sprintf("%s of this repository checked, and %d of your own and built in", plural(report.Files-report.Elsewhere, "file"), report.Elsewhere)
	}
	_, err := fmt.Fprintf(out, "%s: %s, %s\n", checked, plural(report.Errors, "error"), plural(report.Warnings, "warning"))
	return err
}
