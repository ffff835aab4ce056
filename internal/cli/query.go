package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// queryReport is the JSON form of what a query found.
type queryReport struct {
	Count       int           `json:"count"`
	Matches     []queryHit    `json:"matches"`
	Values      []facts.Value `json:"values,omitzero"` // nil: not asked for
	Diagnostics diag.List     `json:"diagnostics,omitempty"`
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
			snapshot, _, err := a.snapshot(cmd, where, gatherVisual)
			if err != nil {
				return err
			}
			result, list := pertain.Query(snapshot, args[0], pertain.QueryOptions{CaseSensitive: sensitive})
			report := queryReport{Count: len(result.Elements), Matches: []queryHit{}, Diagnostics: list}
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

// gatherVisual collects the visible elements alone.
func gatherVisual(ctx context.Context, g *facts.Gatherer, base facts.Parts) (facts.Gathering, error) {
	var needs facts.Needs
	needs.Add(facts.Visual)
	return g.Gather(ctx, needs, base, cond.DefaultLimits().Extra)
}

func (a *app) printQuery(report queryReport, attribute string, values bool) error {
	if a.json {
		return a.writeJSON(report)
	}
	odd := func(d diag.Diagnostic) bool { return d.Code == diag.ContextUnknownType }
	if len(report.Diagnostics) > 0 {
		if !slices.ContainsFunc(report.Diagnostics, odd) {
			return diag.Text(a.painted(a.call.Stdout), report.Diagnostics, a.textOptions(a.call.Stdout))
		}
		if err := diag.Text(a.painted(a.call.Stderr), report.Diagnostics, a.textOptions(a.call.Stderr)); err != nil { // there is an answer nevertheless
			return err
		}
	}
	var b strings.Builder
	for i, hit := range report.Matches {
		b.WriteString(hit.Path)
		if hit.ID != "" {
			b.WriteString("  #" + clean(hit.ID))
		}
		if values && i < len(report.Values) {
			text, err := report.Values[i].MarshalJSON()
			if err != nil {
				return err
			}
			b.WriteString("  @" + attribute + " = " + clean(shortValue(string(text))))
		}
		b.WriteByte('\n')
	}
	b.WriteString(plural(report.Count, "element") + "\n")
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}
