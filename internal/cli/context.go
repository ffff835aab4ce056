package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visible"
)

// contextReport is the JSON form of what is collected (docs/reference/json.md).
type contextReport struct {
	Parts       []contextPart     `json:"parts"`
	Snapshot    *snapshotDocument `json:"snapshot,omitempty"`
	Diagnostics diag.List         `json:"diagnostics,omitempty"` // of the settings
}

type contextPart struct {
	Path        string    `json:"path"`
	Provider    string    `json:"provider,omitempty"`
	DurationMs  float64   `json:"durationMs"`
	Available   bool      `json:"available"`
	Summary     string    `json:"summary,omitempty"`
	Diagnostics diag.List `json:"diagnostics,omitempty"`

	cause cause // why there is nothing, where one diagnostic says all about it
}

// cause is why a part is missing and what to do about it. Without a desktop it
// is the same for most of them.
type cause struct{ reason, remedy string }

func (a *app) contextCommand() *cobra.Command {
	var only []string
	var values bool
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Show what Pertain sees now, from where, and what to do about the rest",
		Long: `Collect everything that conditions can ask for, and show for each part where it
came from and how long that took; for what cannot be seen, why, and what to do
about it. The values themselves are shown only when asked for.

With --show-values and --json, the member "snapshot" is a context that --context
accepts.`,
		Example: `  pertain context
  pertain context --only extra.file_manager --show-values
  pertain context --show-values --json | jq .snapshot > situation.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			needs, err := contextNeeds(only)
			if err != nil {
				return err
			}
			if done, err := a.askService(cmd, situation{}); done {
				return err
			}
			_, limit, problems, err := a.collectOptions()
			if err != nil {
				return err
			}
			machine := a.machine()
			environment := collect.Environment(a.call.Env, time.Now())
			base := facts.Parts{Values: facts.Fields()}
			report := contextReport{Diagnostics: problems}
			if wantsEnvironment(only) {
				base.Values = facts.Fields(facts.Field{Name: "environment", Value: environment})
				report.Parts = append(report.Parts, contextPart{
					Path: "environment", Provider: "environment", Available: true, Summary: fmt.Sprintf("%d of 5 values", len(environment.Fields())),
				})
			}
			gathered, err := facts.NewGatherer(machine.Collectors()...).Gather(cmd.Context(), needs, base, limit)
			if err != nil {
				return err
			}
			for _, p := range gathered.Parts {
				report.Parts = append(report.Parts, contextPart{
					Path: p.Path, Provider: p.Provider, DurationMs: milliseconds(p.Duration), Available: p.Available,
					Summary: p.Summary, Diagnostics: p.Diagnostics, cause: causeOf(p, gathered.Snapshot),
				})
			}
			slices.SortStableFunc(report.Parts, func(x, y contextPart) int { return strings.Compare(x.Path, y.Path) })
			if values {
				report.show(cmd.Context(), gathered.Snapshot, limit)
			}
			if a.json {
				return a.writeJSON(report)
			}
			return a.printContext(report)
		},
	}
	cmd.Flags().StringArrayVar(&only, "only", nil, "collect this `PATH` alone, such as clipboard or extra.browser (repeatable)")
	cmd.Flags().BoolVar(&values, "show-values", false, "also show what was found")
	_ = cmd.RegisterFlagCompletionFunc("only", completeNeeds)
	a.jsonFlag(cmd)
	return cmd
}

// show adds the values. The texts of all elements are read in one more call with
// the time limit of any other; what that was too short for is told.
func (r *contextReport) show(ctx context.Context, snapshot *facts.Snapshot, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	form := snapshot.Form(ctx, 0)
	r.Snapshot = &snapshotDocument{form}
	for i := range r.Parts {
		if r.Parts[i].Path == facts.Visual {
			r.Parts[i].Diagnostics = append(r.Parts[i].Diagnostics, form.Diagnostics()...)
		}
	}
}

// selectedText is collected like a need, though it is an attachment.
const selectedText = "attachments.selection.text"

// contextNeeds are the needs at, below or above some paths; all for none.
func contextNeeds(only []string) (facts.Needs, error) {
	var all, needs facts.Needs
	all.Add(facts.Visual, selectedText)
	for _, p := range facts.Paths() {
		all.Add(p.Needs)
	}
	if len(only) == 0 {
		return all, nil
	}
	for _, path := range only {
		found := wantsEnvironment([]string{path})
		for _, need := range all.Names() {
			if need == path || below(need, path) || below(path, need) {
				needs.Add(need)
				found = true
			}
		}
		if !found {
			return needs, usage("--only %s: nothing is collected under this name; %s", path, collectedNames(path, all))
		}
		if _, known := facts.Lookup(path); known && len(needs.Names()) > 0 {
			needs.AddPath(path) // what is costly is collected when it is named
		}
	}
	return needs, nil
}

// collectedNames says what could have been meant by a path.
func collectedNames(path string, all facts.Needs) string {
	if near := facts.NearestPath(path); near != "" {
		return "did you mean `" + near + "`?"
	}
	names := []string{"environment"}
	for _, need := range all.Names() {
		if strings.HasPrefix(need, "assistant.") || strings.HasPrefix(need, "clipboard.") {
			need, _, _ = strings.Cut(need, ".")
		}
		if !slices.Contains(names, need) {
			names = append(names, need)
		}
	}
	slices.Sort(names)
	return "there are " + strings.Join(names, ", ")
}

func wantsEnvironment(only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(path string) bool { return path == "environment" || below(path, "environment") })
}

// below tells whether a path lies in another.
func below(path, above string) bool { return strings.HasPrefix(path, above+".") }

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}

// causeOf is the cause of a missing part; none where there is more to say.
func causeOf(p facts.PartReport, snapshot *facts.Snapshot) cause {
	if p.Available || len(p.Diagnostics) != 1 || p.Diagnostics[0].Path != p.Path {
		return cause{}
	}
	return cause{snapshot.WhyAbsent(p.Path).Reason, p.Diagnostics[0].Hint}
}

// sharedCauses are those of several parts, in the order in which they come up.
// They are told once, below the parts.
func sharedCauses(parts []contextPart) []cause {
	count := map[cause]int{}
	var shared []cause
	for _, p := range parts {
		if p.cause.reason == "" {
			continue
		}
		if count[p.cause]++; count[p.cause] == 1 {
			shared = append(shared, p.cause)
		}
	}
	return slices.DeleteFunc(shared, func(c cause) bool { return count[c] < 2 })
}

// printContext shows the report to people: a line for each part, and below it
// what to do where something is missing.
func (a *app) printContext(report contextReport) error {
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	for _, d := range report.Diagnostics {
		where := d.File()
		if at, ok := d.Position(); ok {
			where = fmt.Sprintf("%s:%d:%d", where, at.Line, at.Column)
		}
		fmt.Fprintf(&b, "%s  %s: %s\n", paint.style("33", "!"), where, d.Message)
		if d.Hint != "" {
			fmt.Fprintf(&b, "   %s\n", d.Hint)
		}
	}
	shared := sharedCauses(report.Parts)
	for _, p := range report.Parts {
		printPart(&b, paint, p, slices.Index(shared, p.cause)+1)
	}
	for i, c := range shared {
		fmt.Fprintf(&b, "\n%s %s\n", paint.style("33", fmt.Sprintf("[%d]", i+1)), c.reason)
		if c.remedy != "" {
			fmt.Fprintf(&b, "    %s\n", c.remedy)
		}
	}
	if report.Snapshot != nil {
		text, err := report.Snapshot.indented()
		if err != nil {
			return err
		}
		b.WriteString("\n" + text + "\n")
	}
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}

// printPart shows one part. note is the number of the cause that it shares with
// others; 0: none.
func printPart(b *strings.Builder, paint painter, p contextPart, note int) {
	mark, said := paint.style("32", "✓"), p.Summary
	if !p.Available {
		mark, said = paint.style("33", "–"), "none now"
	}
	if note > 0 {
		said += " " + paint.style("33", fmt.Sprintf("[%d]", note))
	}
	fmt.Fprintf(b, "%s  %-34s %s", mark, p.Path, said)
	if p.Provider != "" {
		fmt.Fprintf(b, "%s", paint.dim(fmt.Sprintf("  (%s, %.1f ms)", p.Provider, p.DurationMs)))
	}
	b.WriteByte('\n')
	if note > 0 {
		return
	}
	for _, d := range p.Diagnostics {
		if p.Available && d.Severity == diag.Info && d.Path == p.Path {
			continue // somebody else knew
		}
		fmt.Fprintf(b, "   %s\n", paint.dim(d.Message))
		if d.Hint != "" {
			fmt.Fprintf(b, "   %s\n", d.Hint)
		}
	}
}

// snapshotDocument writes a snapshot in the form that --context reads
// (docs/reference/paths.md).
type snapshotDocument struct{ *facts.Form }

func (d *snapshotDocument) indented() (string, error) {
	text, err := json.MarshalIndent(d, "", "  ")
	return string(visible.JSON(text)), err
}
