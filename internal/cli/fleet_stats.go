package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/tally"
)

func (a *app) fleetStatsCommand() *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Tell what rules did on all machines of the fleet",
		Long: `Tell which rules fired most on all machines that share their journal with the
fleet (fleet.journal), how often they were heeded, for which agents and in how
many repositories, over time, and which rules that hold here did nothing at all.

Machines count their journals by days of UTC; the day that --since falls on is
counted whole.`,
		Example: `  pertain fleet stats
  pertain fleet stats --since 7d --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			period, ok := parsePeriod(since)
			if !ok {
				return usage("--since %s: write a number with s, m, h, d or w, such as `90m`, `24h` or `7d`", since)
			}
			shared, err := a.share(cmd.Context(), slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			if shared == nil {
				return noFleet()
			}
			defer shared.fleet.Close()
			report, err := a.fleetReport(cmd.Context(), shared, period)
			if err != nil {
				return fleetError(err)
			}
			if a.json {
				return a.writeJSON(report)
			}
			return a.printFleetStats(report)
		},
	}
	cmd.Flags().StringVar(&since, "since", "30d", "how far back, such as `24h` or 7d")
	a.jsonFlag(cmd)
	return cmd
}

// fleetReports answers the page; nil: there is no fleet.
func (a *app) fleetReports(shared *sharing) func(context.Context, time.Duration) (tally.Report, error) {
	if shared == nil {
		return nil
	}
	return func(ctx context.Context, period time.Duration) (tally.Report, error) {
		return a.fleetReport(ctx, shared, period)
	}
}

// fleetReport is what rules did on all machines in a period. Those that hold here and did nothing are told.
func (a *app) fleetReport(ctx context.Context, shared *sharing, period time.Duration) (tally.Report, error) {
	now := time.Now()
	summary := tally.NewSummary(now.Add(-period), now)
	if err := shared.fleet.Ledger("").Sum(ctx, summary); err != nil {
		return tally.Report{}, err
	}
	var names []string
	if book, err := pertain.OpenRules(ctx, a.environment(), pertain.RuleOptions{}); err == nil {
		for _, r := range book.Rules() {
			names = append(names, r.Name)
		}
	}
	return summary.Report(names), nil
}

// shownRules and shownGroups are how many a terminal gets.
const (
	shownRules  = 40
	shownGroups = 10
	shownNever  = 40
)

func (a *app) printFleetStats(r tally.Report) error {
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	fmt.Fprintf(&b, "%s to %s, %s: %s, %s heeded\n", r.Since, r.Until, counted(r.Machines, "machine"), counted(r.Total.Fired, "firing"), percent(r.Total.Share))
	days := make([]int, len(r.Days))
	for i, d := range r.Days {
		days[i] = d.Fired
	}
	if len(days) > 1 {
		fmt.Fprintf(&b, "%s  %s\n", sparkline(days), paint.dim("firings by day"))
	}
	if len(r.Rules) > 0 {
		b.WriteString("\n" + paint.dim("   fired   given  heeded  rule") + "\n")
	}
	for i, rule := range r.Rules {
		if i == shownRules {
			fmt.Fprintf(&b, "%s\n", paint.dim(fmt.Sprintf("  … and %d more; --json has all", len(r.Rules)-i)))
			break
		}
		details := []string{strings.Join(rule.Agents, ", "), fmt.Sprintf("%d repositories", rule.Repositories), "last " + rule.Last}
		if rule.Repositories == 1 {
			details[1] = "1 repository"
		}
		if details[0] == "" {
			details = details[1:]
		}
		fmt.Fprintf(&b, "%8s%8s%8s  %s  %s  %s\n", number(rule.Fired), number(rule.Given), percent(rule.Share), paint.bold(clean(rule.Name)), sparkline(rule.Days), paint.dim(clean(strings.Join(details, ", "))))
	}
	writeGroups(&b, "agents", r.Agents)
	writeGroups(&b, "repositories", r.Repositories)
	if len(r.Never) > 0 {
		more := ""
		never := r.Never
		if len(never) > shownNever {
			more = fmt.Sprintf(" … and %d more", len(never)-shownNever)
			never = never[:shownNever]
		}
		fmt.Fprintf(&b, "\nhold here and did nothing: %s%s\n", clean(strings.Join(never, ", ")), more)
	}
	_, err := fmt.Fprint(a.painted(a.call.Stdout), b.String())
	return err
}

func writeGroups(b *strings.Builder, title string, groups []tally.Group) {
	if len(groups) == 0 {
		return
	}
	var parts []string
	for i, g := range groups {
		if i == shownGroups {
			parts = append(parts, fmt.Sprintf("… and %d more", len(groups)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s heeded)", clean(cmp.Or(g.Name, "not known")), number(g.Fired), percent(g.Share)))
	}
	fmt.Fprintf(b, "\n%s: %s\n", title, strings.Join(parts, ", "))
}

// percent is a share in words; none is not known.
func percent(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100**share)
}

// number is one that people read.
func number(n int) string { return thousands(strconv.Itoa(n)) }

func counted(n int, noun string) string {
	return number(n) + strings.TrimPrefix(plural(n, noun), strconv.Itoa(n))
}

// sparkline draws numbers as a line of blocks: the largest is full, and nothing is the lowest.
func sparkline(numbers []int) string {
	const steps = "▁▂▃▄▅▆▇█"
	most := 0
	for _, n := range numbers {
		most = max(most, n)
	}
	var b strings.Builder
	for _, n := range numbers {
		step := 0
		if most > 0 && n > 0 {
			step = 1 + (n*6)/most
		}
		b.WriteString(string([]rune(steps)[step]))
	}
	return b.String()
}
