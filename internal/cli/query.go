package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// queryReport is the JSON form of what a query found.
type queryReport struct {
	Count       int           `json:"count"`
	Matches     []queryHit    `json:"matches"`
	Values      []facts.Value `json:"values,omitzero"`   // nil: not asked for
	Partial     bool          `json:"partial,omitempty"` // not everything of the window could be read: there may be more
	Diagnostics diag.List     `json:"diagnostics,omitempty"`

	left     string // what was left out of the window, in a few words
	answered bool   // the query was run, whatever there is to say of the rest
}

type queryHit struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Path string `json:"path"`
}

func (a *app) queryCommand() *cobra.Command {
	var values, sensitive bool
	var where situation
	cmd := &cobra.Command{
		Use:   "query QUERY",
		Short: "Show what a visual query hits",
		Long: `Show which visible elements a visual query selects, or point at the mistake in
it. The values of an attribute query are shown only when asked for.`,
		Example: `  pertain query "//Button[@name='Save']" --context situation.json
  pertain query "//TopLevel/@name" --context situation.json --show-values`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeQuery,
		RunE: func(cmd *cobra.Command, args []string) error {
			if done, err := a.askService(cmd, where); done {
				return err
			}
			limits, problems, err := a.queryLimits()
			if err != nil {
				return err
			}
			snapshot, gathered, err := a.snapshot(cmd, where, gatherVisual(limits.Extra))
			if err != nil {
				return err
			}
			result, list := pertain.Query(snapshot, args[0], pertain.QueryOptions{CaseSensitive: sensitive, Limits: limits})
			report := queryReport{Count: len(result.Elements), Matches: []queryHit{}, Diagnostics: slices.Concat(problems, gathered, list)}
			report.Partial, report.left = result.Missing != "", result.Missing
			report.answered = !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code != diag.ContextUnknownType })
			for _, i := range result.Elements {
				e := snapshot.Tree().At(i)
				report.Matches = append(report.Matches, queryHit{ID: e.ID, Type: e.Type.String(), Path: snapshot.Tree().Path(i)})
			}
			if values && result.Attribute != "" {
				report.Values = append([]facts.Value{}, result.Values...)
			}
			if err := a.printQuery(report, result.Attribute, values); err != nil {
				return err
			}
			if list.HasErrors() {
				return negative("")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&values, "show-values", false, "show the values of an attribute query")
	cmd.Flags().BoolVar(&sensitive, "case-sensitive", false, "compare strings with their case")
	a.jsonFlag(cmd)
	a.contextFlags(cmd, &where)
	return cmd
}

// queryLimits are the time limits of the settings, and what is wrong with these.
func (a *app) queryLimits() (cond.Limits, diag.List, error) {
	_, _, problems, misnamed := a.collectOptions()
	values := settings.Default()
	if paths := a.paths(); paths.Config != "" {
		if read, _, err := paths.Load(files.OS()); err == nil { // else the problems say so
			values = read
		}
	}
	return cond.Limits{Extra: values.Options.ExtraTimeout, VisualQuery: values.Options.VisualQueryTimeout, Regex: values.Options.RegexTimeout}, problems, misnamed
}

// gatherVisual collects the visible elements alone.
func gatherVisual(limit time.Duration) gathering {
	return func(ctx context.Context, g *facts.Gatherer, base facts.Parts) (facts.Gathering, error) {
		var needs facts.Needs
		needs.Add(facts.Visual)
		return g.Gather(ctx, needs, base, limit)
	}
}

func (a *app) printQuery(report queryReport, attribute string, values bool) error {
	if a.json {
		return a.writeJSON(report)
	}
	if !report.answered {
		return diag.Text(a.painted(a.call.Stdout), report.Diagnostics, a.textOptions(a.call.Stdout))
	}
	if err := diag.Text(a.painted(a.call.Stderr), report.Diagnostics, a.textOptions(a.call.Stderr)); err != nil { // there is an answer nevertheless
		return err
	}
	var b strings.Builder
	for i, hit := range report.Matches {
		b.WriteString(hit.Path)
		if hit.ID != "" {
			b.WriteString("  #" + clean(hit.ID))
		}
		if values && i < len(report.Values) {
			b.WriteString("  @" + attribute + " = " + clean(shownValue(report.Values[i], false)))
		}
		b.WriteByte('\n')
	}
	b.WriteString(plural(report.Count, "element"))
	if report.Partial {
		b.WriteString(" in what was read; there may be more: " + report.left)
	}
	b.WriteByte('\n')
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}
