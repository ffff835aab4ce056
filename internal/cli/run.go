package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// runFlags are the flags of run.
type runFlags struct {
	where situation
	input string
	plan  string
	copy  bool
	tools []string
}

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run ID",
		Short: "Print the finished prompt of a strategy",
		Long: `Run one strategy: its preprocessors, then its templates, and print the prompt
alone. With --json the whole plan: system prompt, tool rules, what was read.

If a preprocessor fails, runs out of time or lacks its context, there is no
prompt: the reason is told and the exit code is 1. The strategy need not match,
unless it is a builtin one about something that only its condition names.

What is piped in is the selected text, if the strategy uses that; --no-stdin
leaves it alone. A pipe that says nothing for 10 seconds counts as empty.

A plan that was saved by --json is printed again by --plan; nothing is run or
read a second time.`,
		Example: `  git diff | pertain run builtin.review-diff | llm
  pertain run builtin.explain-selection --selection "x := <-c" | llm
  pertain run user.rewrite --input "shorter, please" --copy
  pertain run user.rewrite --json > plan.json && pertain run --plan plan.json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.tools != nil && !a.json {
				return usage("--tool goes with --json")
			}
			if cmd.Flags().Changed("plan") {
				return a.replay(cmd, args, flags)
			}
			if len(args) == 0 {
				return usage("run: name a strategy; `pertain match` lists what is recommended")
			}
			return a.run(cmd, args[0], flags)
		},
	}
	cmd.Flags().StringVar(&flags.input, "input", "", "what you want to add; it takes the place of {Argument}, or is appended (`TEXT`)")
	cmd.Flags().BoolVar(&flags.copy, "copy", false, "put the prompt on the clipboard instead of printing it")
	cmd.Flags().StringVar(&flags.plan, "plan", "", "print the stored plan in this `FILE` (- for standard input) again")
	cmd.Flags().StringArrayVar(&flags.tools, "tool", nil, "with --json, also say whether this tool `NAME` is allowed (repeatable)")
	a.jsonFlag(cmd)
	a.strategyFlags(cmd)
	a.contextFlags(cmd, &flags.where)
	noStdinFlag(cmd, &flags.where)
	return cmd
}

// planEngine is an engine whose preprocessors can all run, for the context in a file; empty: for one that is collected.
func (a *app) planEngine(ctx context.Context, file string) (*pertain.Engine, error) {
	options, err := a.engineOptions()
	if err != nil {
		return nil, err
	}
	options.Preprocessors = a.preprocessors(file)
	if a.call.guest != nil {
		return a.call.guest.engine(ctx, a.environment(), options.Preprocessors)
	}
	return pertain.Open(ctx, options)
}

// preprocessors are those for the context in a file: what one in a workspace that is not trusted calls selected is read in that workspace
// alone, as for the cases of its tests.
func (a *app) preprocessors(file string) *plan.Registry {
	if file == "" || file == "-" {
		return preprocess.Registry()
	}
	folder := settings.WorkspaceAround(files.OS(), filepath.Dir(a.abs(file)))
	if folder == "" || a.trusts(folder) {
		return preprocess.Registry()
	}
	return preprocess.RegistryForStrangers(folder, a.paths().Home)
}

func (a *app) run(cmd *cobra.Command, id string, flags runFlags) error {
	_, x, err := a.planOf(cmd, id, &flags, "prompt", "systemPrompt", "tools")
	if err != nil {
		return err
	}
	return a.deliver(cmd.Context(), x.Plan, flags)
}

// planOf makes the plan of a strategy. Where there is none, that is the error, and with
// --json everything has been printed; null are the fields that are null then.
func (a *app) planOf(cmd *cobra.Command, id string, flags *runFlags, null ...string) (*pertain.Engine, pertain.Execution, error) {
	var none pertain.Execution
	engine, err := a.planEngine(cmd.Context(), flags.where.file)
	if err != nil {
		return nil, none, err
	}
	needs, ok := engine.PlanNeeds(id)
	if !ok {
		return nil, none, a.unknownID(engine.Catalog(), id, null...)
	}
	if err := a.takeStdin(cmd, &flags.where, engine.UsesSelection(id)); err != nil {
		return nil, none, err
	}
	snapshot, gathered, err := a.snapshot(cmd, flags.where, gatherNeeds(needs))
	if err != nil {
		return nil, none, err
	}
	x, _, err := engine.Plan(cmd.Context(), id, snapshot, pertain.PlanOptions{Input: flags.input})
	if err != nil {
		return nil, none, err
	}
	if x.Plan == nil {
		x.Diagnostics = append(x.Diagnostics, gathered...)
		if a.json {
			if err := a.writeJSON(x); err != nil {
				return nil, none, err
			}
		}
		reason := x.Reason
		if slices.ContainsFunc(x.Diagnostics, func(d diag.Diagnostic) bool {
			return d.Code == diag.PreprocessorContextMissing && d.Path == "attachments.selection.text"
		}) {
			reason += "; pipe a text in, or give one with --selection"
		}
		return nil, none, negative("%s: %s", x.Strategy.ID, reason)
	}
	x.Plan.Diagnostics = append(x.Plan.Diagnostics, gathered...)
	return engine, x, nil
}

// gatherNeeds collects for an action that somebody asked for, which may take
// longer than matching.
func gatherNeeds(needs facts.Needs) gathering {
	return func(ctx context.Context, g *facts.Gatherer, base facts.Parts) (facts.Gathering, error) {
		return g.Gather(ctx, needs, base, plan.DefaultTimeout)
	}
}

// deliver prints or copies a plan.
func (a *app) deliver(ctx context.Context, p *plan.Plan, flags runFlags) error {
	if a.json {
		if err := a.writeJSON(answeredPlan{p, flags.tools}); err != nil {
			return err
		}
	} else if err := diag.Lines(a.painted(a.call.Stderr), p.Diagnostics, a.textOptions(a.call.Stderr)); err != nil {
		return err
	}
	if flags.copy {
		return a.copyText(ctx, p.Prompt)
	}
	if a.json {
		return nil
	}
	return a.printPrompt(p.Prompt)
}

// printPrompt prints a prompt as it is.
func (a *app) printPrompt(text string) error {
	_, err := fmt.Fprint(a.call.Stdout, withBreak(text))
	return err
}

// printable makes visible what would control a terminal, but for line breaks and
// tabs.
func printable(text string) string { return visible.Show(strings.ReplaceAll(text, "\r\n", "\n")) }

// withBreak ends a text with a line break.
func withBreak(text string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// replay delivers a stored plan.
func (a *app) replay(cmd *cobra.Command, args []string, flags runFlags) error {
	p, err := a.storedPlan(cmd, args, flags)
	if err != nil {
		return err
	}
	return a.deliver(cmd.Context(), p, flags)
}

// storedPlan reads the plan that --plan names.
func (a *app) storedPlan(cmd *cobra.Command, args []string, flags runFlags) (*plan.Plan, error) {
	for _, name := range []string{"input", "context", "attach", "text", "selection"} {
		if cmd.Flags().Changed(name) {
			return nil, usage("--plan and --%s do not go together: a stored plan is printed as it is", name)
		}
	}
	data, err := a.readPlan(flags.plan)
	if err != nil {
		return nil, err
	}
	var p plan.Plan
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, usage("--plan %s: %s", flags.plan, plan.ErrNoPlan)
	}
	if len(args) == 1 && strategy.Key(args[0]) != strategy.Key(p.ID) {
		return nil, usage("--plan %s: the plan is one of `%s`, not of `%s`", flags.plan, p.ID, args[0])
	}
	return &p, nil
}

// maxPlanBytes bounds a stored plan.
const maxPlanBytes = 64 << 20

func (a *app) readPlan(file string) ([]byte, error) {
	if file != "-" {
		data, err := files.OS().ReadFile(a.abs(file), maxPlanBytes)
		if err != nil {
			return nil, usage("--plan %s: %s", file, fileerror.Reason(err))
		}
		return data, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.call.Stdin, maxPlanBytes+1))
	if err != nil {
		return nil, usage("--plan -: %s", fileProblem(err))
	}
	if len(data) > maxPlanBytes {
		return nil, usage("--plan -: it has more than %d bytes", maxPlanBytes)
	}
	return data, nil
}

// answeredPlan is a plan with answers about tools.
type answeredPlan struct {
	*plan.Plan
	tools []string
}

// MarshalJSON adds `allowed` to the plan's form, if tools were asked about.
func (p answeredPlan) MarshalJSON() ([]byte, error) {
	data, err := p.Plan.MarshalJSON()
	if err != nil || p.tools == nil {
		return data, err
	}
	var answers facts.Value
	for _, tool := range p.tools {
		answer := facts.Value{}
		if allow := p.Allows(tool); allow != nil {
			answer = facts.Flag(*allow)
		}
		answers = facts.Fields(append(answers.Fields(), facts.Field{Name: tool, Value: answer})...)
	}
	allowed, err := answers.MarshalJSON()
	if err != nil {
		return nil, err
	}
	data = append(bytes.TrimSuffix(data, []byte("}")), `,"allowed":`...)
	return append(append(data, allowed...), '}'), nil
}
