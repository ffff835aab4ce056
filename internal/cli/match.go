package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func (a *app) matchCommand() *cobra.Command {
	var all, watch bool
	var where situation
	cmd := &cobra.Command{
		Use:   "match",
		Short: "List the strategies that are recommended now",
		Long: `List, in order, what is recommended in the current context, each with the
reason in a few words. With --all, also what is not, and why not.`,
		Example: `  pertain match --context situation.json
  pertain match --selection "panic: runtime error" --all
  cat situation.yaml | pertain match --context - --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if watch {
				return a.watchMatch(cmd, where, all)
			}
			if done, err := a.askService(cmd, where); done {
				return err
			}
			engine, snapshot, gathered, err := a.engineAndSnapshot(cmd, where)
			if err != nil {
				return err
			}
			m, err := engine.Match(cmd.Context(), snapshot, pertain.MatchOptions{All: all})
			if err != nil {
				return err
			}
			m.Diagnostics = append(m.Diagnostics, gathered...)
			if a.json {
				return a.writeJSON(m)
			}
			return a.printMatch(cmd.Context(), engine, snapshot, m, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also list what is not recommended")
	cmd.Flags().BoolVar(&watch, "watch", false, "list again whenever it changes, until Ctrl+C (with --json one line each)")
	a.jsonFlag(cmd)
	a.strategyFlags(cmd)
	a.contextFlags(cmd, &where)
	return cmd
}

// engineAndSnapshot is what match, explain and their like begin with. The list
// says what could not be collected.
func (a *app) engineAndSnapshot(cmd *cobra.Command, where situation) (*pertain.Engine, *facts.Snapshot, diag.List, error) {
	engine, err := a.engine(cmd.Context())
	if err != nil {
		return nil, nil, nil, err
	}
	snapshot, gathered, err := a.snapshot(cmd, where, engine.Gather)
	return engine, snapshot, gathered, err
}

func (a *app) engine(ctx context.Context) (*pertain.Engine, error) {
	options, err := a.engineOptions()
	if err != nil {
		return nil, err
	}
	if a.call.guest != nil {
		return a.call.guest.engine(ctx, a.environment(), nil)
	}
	return pertain.Open(ctx, options)
}

func (a *app) printMatch(ctx context.Context, engine *pertain.Engine, snapshot *facts.Snapshot, m pertain.Match, all bool) error {
	var b strings.Builder
	paint := a.painter(a.call.Stdout)
	reasoning, cancel := context.WithTimeout(ctx, reasonTime)
	defer cancel()
	shown := 0
	for _, c := range m.Candidates {
		if c.Result != cond.True && shown >= 0 && all {
			if shown > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(paint.dim("not recommended:") + "\n")
			shown = -1
		}
		if c.Result == cond.True {
			shown++
		}
		fmt.Fprintf(&b, "%s  %s\n", paint.mark(c.Result), paint.bold(clean(c.Shown()))+paint.dim("  "+clean(c.Strategy.ID)))
		if c.Strategy.Description != "" {
			b.WriteString("   " + clean(c.Strategy.Description) + "\n")
		}
		if why := a.reason(reasoning, engine, snapshot, c); why != "" {
			b.WriteString("   " + paint.dim(clean(why)) + "\n")
		}
	}
	if len(m.Candidates) == 0 {
		b.WriteString("nothing is recommended here; `pertain match --all` shows what there is and why not\n")
	}
	if _, err := fmt.Fprint(a.painted(a.call.Stdout), b.String()); err != nil {
		return err
	}
	for _, n := range m.Notices {
		fmt.Fprintln(a.call.Stderr, n.Message)
	}
	if n := untrusted(engine.Catalog()); n > 0 && !all {
		fmt.Fprintf(a.call.Stderr, "%s of this workspace left out, because it is not trusted; look at them, then run `pertain trust`\n", plural(n, "strategy file"))
	}
	return a.mentionProblems(m.Diagnostics)
}

// mentionProblems says on stderr that there are mistakes, without showing them.
func (a *app) mentionProblems(list diag.List) error {
	odd := 0
	for _, d := range list {
		if d.Code == diag.ContextUnknownType {
			odd++
		}
	}
	if odd > 0 {
		fmt.Fprintf(a.call.Stderr, "%s about the context; `--json` shows them\n", plural(odd, "warning"))
	}
	inSettings, inFiles := 0, 0
	for _, d := range list {
		switch {
		case d.Severity != diag.Error:
		case d.Source != nil && d.Source.Name() == a.paths().Config:
			inSettings++
		default:
			inFiles++
		}
	}
	if inSettings > 0 {
		fmt.Fprintf(a.call.Stderr, "%s in the settings file %s; `pertain lint` shows them\n", plural(inSettings, "error"), clean(a.homeName(a.paths().Config)))
	}
	if inFiles > 0 {
		_, err := fmt.Fprintf(a.call.Stderr, "%s in strategy files; `pertain lint` shows them\n", plural(inFiles, "error"))
		return err
	}
	return nil
}

// untrusted counts the strategies that wait for the user's trust.
func untrusted(catalog *pertain.Catalog) int {
	n := 0
	for _, s := range catalog.Strategies() {
		if !s.Trusted {
			n++
		}
	}
	return n
}
