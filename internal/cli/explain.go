package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func (a *app) explainCommand() *cobra.Command {
	var values bool
	var where situation
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Draw a strategy's condition with the result of every part",
		Long: `Draw the condition tree of one strategy: true (✓), false (✗) or unknown (?) on
every node, why, and how long it took. All nodes are evaluated, also those that
matching would have skipped. Values of the context are shown only when asked for.`,
		Example: `  pertain explain user.summarize --context situation.json
  pertain explain builtin.explain-selection --selection "x" --show-values`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			engine, snapshot, _, err := a.engineAndSnapshot(cmd, where)
			if err != nil {
				return err
			}
			x, ok, err := engine.ExplainContext(cmd.Context(), args[0], snapshot, pertain.ExplainOptions{Values: values})
			if err != nil {
				return err
			}
			if !ok {
				return a.unknownID(engine.Catalog(), args[0], "result", "tree")
			}
			if a.json {
				return a.writeJSON(x)
			}
			return a.printExplanation(x, values)
		},
	}
	cmd.Flags().BoolVar(&values, "show-values", false, "show the values that were compared")
	a.jsonFlag(cmd)
	a.strategyFlags(cmd)
	a.contextFlags(cmd, &where)
	return cmd
}

// unknownID ends a command with the ids that may have been meant. In its JSON
// these fields are null.
func (a *app) unknownID(catalog *pertain.Catalog, id string, null ...string) error {
	near := catalog.NearestIDs(id)
	id = diag.Short(id)
	reason := "there is no strategy `" + id + "`; "
	if len(near) == 0 {
		reason += "`pertain match --all` lists them"
	} else {
		reason += "did you mean `" + strings.Join(near, "` or `") + "`?"
	}
	if a.json {
		answer := map[string]any{"id": id, "reason": reason, "nearest": append([]string{}, near...), "diagnostics": diag.List{}}
		for _, field := range null {
			answer[field] = nil
		}
		if err := a.writeJSON(answer); err != nil {
			return err
		}
	}
	return negative("%s", reason)
}

func (a *app) printExplanation(x pertain.Explanation, values bool) error {
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	s := x.Strategy
	fmt.Fprintf(&b, "%s  %s  %s\n", paint.mark(x.Result), paint.bold(clean(x.Shown())), paint.dim(clean(s.ID)))
	fmt.Fprintf(&b, "   %s\n", paint.dim(clean(a.shortName(s.Source.Name()))))
	switch {
	case !s.Valid:
		b.WriteString("   not valid: it is never matched\n")
	case !s.Trusted:
		b.WriteString("   the workspace is not trusted, so it is never recommended; run `pertain trust`\n")
	case !s.Enabled:
		b.WriteString("   disabled, so it is never recommended\n")
	}
	if reads := s.Needs.Names(); len(reads) > 0 {
		b.WriteString("   reads " + clean(strings.Join(reads, ", ")) + "\n")
	}
	if x.Tree != nil {
		b.WriteByte('\n')
		drawTrace(&b, paint, x.Tree, s.Source, "", values)
	}
	if _, err := fmt.Fprint(a.painted(a.call.Stdout), b.String()); err != nil {
		return err
	}
	if !s.Valid {
		fmt.Fprintln(a.call.Stdout)
		return diag.Text(a.painted(a.call.Stdout), s.Diagnostics, a.textOptions(a.call.Stdout))
	}
	return nil
}

// drawTrace draws a node and what is below it.
func drawTrace(b *strings.Builder, paint painter, t *cond.Trace, own *diag.Source, indent string, values bool) {
	fmt.Fprintf(b, "%s%s %s", indent, paint.mark(t.Result), clean(t.Label))
	if t.Reason != "" {
		b.WriteString("  " + paint.dim("("+clean(t.Reason)+")"))
	}
	if values && (t.Cut || !t.Value.IsAbsent()) {
		b.WriteString("  " + paint.dim("= "+clean(shownValue(t.Value, t.Cut))))
	}
	line := ""
	if t.Source == own && t.Source != nil {
		line = fmt.Sprintf("line %d, ", t.Source.LineAt(t.Span.Start))
	}
	fmt.Fprintf(b, "  %s\n", paint.dim(fmt.Sprintf("%s%.3f ms", line, float64(t.Duration.Nanoseconds())/1e6)))
	for _, child := range t.Children {
		drawTrace(b, paint, child, own, indent+"  ", values)
	}
	if t.Unlisted > 0 {
		fmt.Fprintf(b, "%s  %s\n", indent, paint.dim("… and "+thousands(strconv.Itoa(t.Unlisted))+" more"))
	}
}

// maxValue is how many characters of a value are shown.
const maxValue = 100

// shownValue is the beginning of a value; cut tells that it is one already. No more of it is looked at than what is shown.
func shownValue(v facts.Value, cut bool) string {
	short, _, less := v.Shortened(maxValue * utf8.UTFMax)
	if short.IsAbsent() && (cut || less) {
		return "…"
	}
	text, err := json.Marshal(short)
	if err != nil {
		return "…"
	}
	shown := shortValue(string(text))
	if (cut || less) && len(shown) == len(text) {
		shown += "…"
	}
	return shown
}

func shortValue(s string) string {
	if len(s) <= maxValue {
		return s
	}
	if r := []rune(s[:min(len(s), (maxValue+1)*utf8.UTFMax)]); len(r) > maxValue {
		return string(r[:maxValue-3]) + "…"
	}
	return s
}
