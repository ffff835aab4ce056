package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/internal/preprocess"
)

// caseResult is the JSON form of a case.
type caseResult struct {
	cases.Result
	Message *string `json:"message"` // null: it passed
}

// casesReport is the JSON form of `test`.
type casesReport struct {
	Cases  []caseResult `json:"cases"`
	Passed int          `json:"passed"`
	Failed int          `json:"failed"`
}

func (a *app) testCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the cases beside strategies, and the examples of rules",
		Long: `Run the cases that authors write: those of NAME.strategy.test.yaml against the
strategy file beside it, and the examples in the frontmatter of rules. The form is
explained by ` + "`pertain help tests`" + `.

PATH is a test file, a strategy file, a rule file, or a folder that is searched for
them. Without PATH, the working directory, your own strategies folder and the rules
that are in force here.

Nothing is collected from this machine and nothing is written; a workspace need not
be trusted, since its prompts are made in memory and sent nowhere. The cases of one
that is not have 2 s of processor time; those of files that you name have 5 minutes.
What there is no time for failed, and says so. The exit code is 1 if a case failed.`,
		Example: `  pertain test
  pertain test .pertain/strategies/reply.strategy.md
  pertain test --json . | jq '.cases[] | select(.passed | not)'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := a.runCases(cmd.Context(), args)
			if err != nil {
				return err
			}
			if err := a.printCases(report); err != nil {
				return err
			}
			if report.Failed > 0 {
				return negative("")
			}
			return nil
		},
	}
	a.jsonFlag(cmd)
	a.strategyFlags(cmd)
	return cmd
}

// runCases finds and runs what is to be tested.
func (a *app) runCases(ctx context.Context, args []string) (casesReport, error) {
	report := casesReport{Cases: []caseResult{}}
	search := caseSearch{app: a, tree: files.OS()}
	if err := search.find(ctx, args); err != nil {
		return report, err
	}
	options, err := a.engineOptions()
	if err != nil {
		return report, err
	}
	// A case means the same on every machine.
	options.Limits, options.Disabled, options.Diagnostics, options.Preprocessors = cond.Limits{}, nil, nil, preprocess.Registry()
	run := caseRun{app: a, options: options.Together(), files: search.files}
	if err := run.all(ctx); err != nil {
		return report, err
	}
	for _, p := range run.progress {
		report.add(a, p.Results)
	}
	var trial lint.Trial
	for _, r := range search.rules {
		report.add(a, exampleResults(&trial, r))
	}
	return report, nil
}

// add counts results and puts the place before what failed.
func (r *casesReport) add(a *app, results []cases.Result) {
	for _, result := range results {
		c := caseResult{Result: result}
		if result.Passed {
			r.Passed++
		} else {
			r.Failed++
			text := oneLine(fmt.Sprintf("%s:%d: %s", a.shortName(result.File), result.Line, result.Message))
			c.Message = &text
		}
		r.Cases = append(r.Cases, c)
	}
}

func (a *app) printCases(report casesReport) error {
	if a.json {
		return a.writeJSON(report)
	}
	out := a.painted(a.call.Stdout)
	paint := a.painter(a.call.Stdout)
	var b strings.Builder
	for _, c := range report.Cases {
		mark := cond.False
		if c.Passed {
			mark = cond.True
		}
		b.WriteString(strings.TrimRight(paint.mark(mark)+"  "+paint.dim(clean(a.shortName(c.File)))+"  "+oneLine(c.Name), " ") + "\n")
		if c.Message != nil {
			b.WriteString("   " + *c.Message + "\n")
		}
	}
	if len(report.Cases) == 0 {
		b.WriteString("no cases were found; `pertain help tests` says how they are written\n")
	} else {
		fmt.Fprintf(&b, "\n%s, %d failed\n", plural(len(report.Cases), "case"), report.Failed)
	}
	_, err := fmt.Fprint(out, b.String())
	return err
}
