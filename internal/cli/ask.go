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
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/menu"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/stream"
)

// askFlags are the flags of ask.
type askFlags struct {
	runFlags
	to    string // where the answer goes
	menu  string // the program of --to menu
	model string
	show  bool
	agree bool
	asker *menu.Menu // the menu that is in use, which is asked instead of the terminal; nil: none is
}

// Where an answer goes.
const (
	toTerminal  = "terminal"
	toMenu      = "menu"
	toClipboard = "clipboard"
)

func (a *app) askCommand() *cobra.Command {
	var flags askFlags
	cmd := &cobra.Command{
		Use:   "ask ID [INPUT]",
		Short: "Send the finished prompt of a strategy to a model and print its answer",
		Long: `Run one strategy, as ` + "`pertain run`" + ` does, send its prompt and system prompt to the
model that the settings name (ask.upstream, ask.model), and print the answer while
it comes. Rules with a trigger watch it: where it breaks one, it is interrupted, the
model is reminded and asked again, and nothing of the violation is printed.

Only this command, ` + "`pick --then ask`" + ` and the page of ` + "`serve`" + ` send what they read,
after you have agreed to that upstream, once, and again when a strategy reads more
than before: it asks on the terminal, and --agree is the answer of a script. --show
prints what would be sent, and sends nothing.

The key is taken from an environment variable: ANTHROPIC_API_KEY or OPENAI_API_KEY
at the providers' own addresses, else the one that the setting ask.keyVariable names.

--to says where the answer goes: terminal (standard output, the default), clipboard,
or menu, a window of the program that --menu names. See ` + "`pertain help ask`" + `.`,
		Example: `  git diff | pertain ask builtin.review-diff
  pertain ask builtin.explain-selection --selection "x := <-c" --show
  pertain ask user.rewrite "shorter, please" --to clipboard
  pertain ask user.rewrite --agree --json < draft.txt`,
		Args:              cobra.MaximumNArgs(2),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.settleAsk(cmd, &flags, args); err != nil {
				return err
			}
			return a.ask(cmd, args, flags)
		},
	}
	cmd.Flags().StringVar(&flags.input, "input", "", "what you want to add; it takes the place of {Argument}, or is appended (`TEXT`)")
	cmd.Flags().StringVar(&flags.plan, "plan", "", "send the stored plan in this `FILE` (- for standard input)")
	cmd.Flags().StringVar(&flags.to, "to", toTerminal, "where the answer goes: terminal, menu, or clipboard (`PLACE`)")
	cmd.Flags().BoolVar(&flags.copy, "copy", false, "the same as --to clipboard")
	cmd.Flags().StringVar(&flags.menu, "menu", menu.Auto, "the `PROGRAM` of --to menu")
	cmd.Flags().StringVar(&flags.model, "model", "", "ask this model instead of that of the settings (`NAME`)")
	cmd.Flags().BoolVar(&flags.show, "show", false, "print what would be sent, and send nothing")
	cmd.Flags().BoolVar(&flags.agree, "agree", false, "agree to send what this strategy reads to this upstream, now and later")
	a.jsonFlag(cmd)
	a.strategyFlags(cmd)
	a.contextFlags(cmd, &flags.where)
	noStdinFlag(cmd, &flags.where)
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions([]string{toTerminal, toMenu, toClipboard}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("menu", cobra.FixedCompletions(append(menu.Names(), menu.Auto), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// settleAsk looks for flags that do not go together.
func (a *app) settleAsk(cmd *cobra.Command, flags *askFlags, args []string) error {
	replayed := cmd.Flags().Changed("plan")
	switch {
	case len(args) == 0 && !replayed:
		return usage("ask: name a strategy; `pertain match` lists what is recommended")
	case len(args) == 2 && replayed:
		return usage("--plan takes no input: a stored plan is sent as it is")
	case len(args) == 2 && cmd.Flags().Changed("input"):
		return usage("the input stands after the id, or after --input, not both")
	case len(args) == 2:
		flags.input = args[1]
	}
	if flags.copy {
		if cmd.Flags().Changed("to") && flags.to != toClipboard {
			return usage("--copy and --to %s do not go together", flags.to)
		}
		flags.to = toClipboard
	}
	if cmd.Flags().Changed("menu") && flags.to != toMenu {
		return usage("--menu goes with --to menu")
	}
	return a.checkTo(flags.to)
}

func (a *app) checkTo(to string) error {
	switch {
	case to != toTerminal && to != toMenu && to != toClipboard:
		return usage("--to `%s` is not known; it takes terminal, menu or clipboard", to)
	case to == toMenu && a.json:
		return usage("--json and --to menu do not go together")
	}
	return nil
}

func (a *app) ask(cmd *cobra.Command, args []string, flags askFlags) error {
	upstream, err := a.upstream(flags.model)
	if err != nil {
		return err
	}
	var q question
	if cmd.Flags().Changed("plan") {
		p, err := a.storedPlan(cmd, args[:min(len(args), 1)], flags.runFlags)
		if err != nil {
			return err
		}
		q = newQuestion(p, "stored plan", false)
	} else {
		engine, x, err := a.planOf(cmd, args[0], &flags.runFlags, "answer")
		if err != nil {
			return err
		}
		q = questionOf(engine, x.Plan)
	}
	if len(flags.where.attach) > 0 {
		q.leftOut = append(q.leftOut, "the attached files: what the prompt says of them is sent")
	}
	return a.put(cmd.Context(), q, upstream, flags)
}

// question is a plan that is to be sent.
type question struct {
	plan    *plan.Plan
	subject ask.Subject
	leftOut []string // what of the plan a question cannot carry
}

// readsSelection is the sentence of the preprocessor that reads the same.
const readsSelection = "Reads the selected text"

// newQuestion is that of a plan. selection tells that it uses the selected text.
func newQuestion(p *plan.Plan, source string, selection bool) question {
	q := question{plan: p, subject: ask.Subject{ID: p.ID, Source: source}}
	for _, sentence := range p.Permissions {
		if !strings.HasPrefix(sentence, "Allows ") { // tools, of which there are none here
			q.subject.Reads = append(q.subject.Reads, sentence)
		}
	}
	if selection && !slices.Contains(q.subject.Reads, readsSelection) {
		q.subject.Reads = append(q.subject.Reads, readsSelection)
	}
	if len(p.Tools) > 0 {
		var names []string
		for _, rule := range p.Tools {
			names = append(names, "`"+rule.Pattern+"`")
		}
		q.leftOut = append(q.leftOut, "the rules for tools ("+strings.Join(names, ", ")+"): a plain question has no tools")
	}
	return q
}

// questionOf is that of a plan that an engine has made.
func questionOf(engine *pertain.Engine, p *plan.Plan) question {
	source := ""
	if s, ok := engine.Catalog().ByID(p.ID); ok && s.Source != nil {
		source = s.Source.Name()
	}
	return newQuestion(p, source, engine.UsesSelection(p.ID))
}

// upstream is the model of the settings. Those are the user's own: a workspace has none.
func (a *app) upstream(model string) (ask.Upstream, error) {
	values, problems, err := a.paths().Load(files.OS())
	if err != nil {
		return ask.Upstream{}, usage("the settings cannot be read: %s", err)
	}
	u, err := ask.Configured(values.Ask)
	if errors.Is(err, ask.ErrNone) {
		for _, d := range problems {
			if strings.HasPrefix(d.Message, "`ask") && d.Code != diag.StrategyUntrusted { // which was told
				return u, usage("the settings file has a mistake: %s", errors.New(d.Sentence()))
			}
		}
	}
	if err != nil {
		return u, usage("%s", err)
	}
	if model != "" {
		u.Model = model
	}
	if u.Model == "" {
		return u, usage("no model is named; set ask.model in the settings, or use --model")
	}
	return u, nil
}

// agreements are what the user has agreed to send.
func (a *app) agreements() ask.Agreements {
	state := a.paths().State
	if state == "" {
		return ask.Agreements{}
	}
	return ask.Agreements{Path: filepath.Join(state, "ask.json")}
}

// canAsk tells whether asking is offered: an upstream is set up, and the user has agreed
// to it.
func (a *app) canAsk() bool {
	u, err := a.upstream("")
	if err != nil {
		return false
	}
	agreed, err := a.agreements().Upstream(u)
	return agreed && err == nil
}

// key is that of an upstream.
func (a *app) key(u ask.Upstream) (string, error) {
	if u.KeyVariable == "" {
		return "", nil
	}
	key := strings.TrimSpace(a.call.Env(u.KeyVariable))
	switch {
	case key == "":
		return "", usage("the environment variable %s, which holds the key for %s, is not set", u.KeyVariable, u.URL.Host)
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", usage("the environment variable %s holds no key: it has characters that no key has", u.KeyVariable)
	}
	return key, nil
}

// put puts a question: shows it, or sends it after the user has agreed.
func (a *app) put(ctx context.Context, q question, u ask.Upstream, flags askFlags) error {
	options := ask.Options{Upstream: u, Version: Version()}
	if flags.show {
		return a.showOutgoing(ctx, q, options)
	}
	if !a.json {
		if err := diag.Lines(a.painted(a.call.Stderr), q.plan.Diagnostics, a.textOptions(a.call.Stderr)); err != nil {
			return err
		}
		for _, what := range q.leftOut {
			fmt.Fprintln(a.call.Stderr, "pertain: not sent: "+clean(what))
		}
	}
	var err error
	if options.Key, err = a.key(u); err != nil {
		return err
	}
	options.Rules, err = a.watchedNow(ctx, func(rule, message string) {
		fmt.Fprintf(a.call.Stderr, "pertain: a trigger of the rule %s is not watched: %s\n", clean(rule), clean(message))
	})
	if err != nil {
		return err
	}
	if err := a.agreed(ctx, q, u, flags); err != nil {
		return err
	}
	options.Journal = gatewayJournal{a}
	return a.answer(ctx, q, options, flags)
}

// watchedNow are the rules of this folder, as a gateway has them, without following them.
// tell hears of triggers that cannot be watched.
func (a *app) watchedNow(ctx context.Context, tell func(rule, message string)) (*gateway.Workspace, error) {
	book, err := a.rulebook(ctx, pertain.RuleOptions{})
	if err != nil {
		return nil, err
	}
	set, problems := stream.Compile(a.bookTriggers(book), stream.Options{})
	for _, p := range problems {
		tell(set.Trigger(p.Trigger).Name, p.Message)
	}
	policy, _, err := pertain.StreamPolicy(a.environment())
	if err != nil {
		return nil, usage("the settings cannot be read: %s", err)
	}
	return &gateway.Workspace{Dir: book.Root, Home: a.paths().Home, Triggers: set, Policy: policy, Binding: binding(book)}, nil
}
