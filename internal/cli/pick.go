package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/menu"
	"github.com/pertain-dev/pertain/plan"
)

// pickFlags are the flags of pick.
type pickFlags struct {
	runFlags
	menu    string   // a menu program instead of the terminal
	from    string   // the window that it is about
	then    string   // what becomes of the prompt
	to      string   // where the answer of --then ask goes
	command []string // of `--then run`
}

// byMenu tells whether a menu program shows the list.
func (f *pickFlags) byMenu() bool { return f.menu != "" && f.menu != menuTerminal }

func (a *app) pickCommand() *cobra.Command {
	var flags pickFlags
	cmd := &cobra.Command{
		Use:   "pick [-- COMMAND...]",
		Short: "Choose one of the recommended strategies and print its prompt",
		Long: `Show what is recommended now, with a preview of the prompt and of what it reads
and allows, and print the prompt of the one you choose.

Type to filter. Keys: enter prints, ctrl+y copies, ctrl+x explains, tab goes to the
input line and back, pgup and pgdown scroll the preview, esc goes back or leaves.
Where a model is set up and you have agreed to it, ctrl+s asks it.
Who leaves without a choice gets exit code 130.

The list is drawn on the terminal, never on standard output, so a pipe gets the
prompt alone. Without a terminal, the list is printed with numbers and the answer
is read from standard input: a number, and after it what you want to add.

With --menu the list is shown by a menu program over the window in front: ` + strings.Join(menu.Names(), ", ") + `,
or auto, the first of them that is installed and fits the session. What is on the
screen is read before the menu opens. A prompt that has a place for your input asks
for it. With --menu terminal the list is drawn here, in a terminal that was opened
for it: with the service (` + "`pertain service`" + `) it is about the window that was in front
before this terminal. --context-from names a window: the number that the window
manager gives it, or that of its process.

--then says what becomes of the prompt: print (the default without a menu), copy
(the default with one, told by a message of the desktop), type (into the window
that was in front: never into a terminal, and line ends become blanks), ask, which
sends it to a model as ` + "`pertain ask`" + ` does (the answer goes to the terminal, with a menu
to the clipboard, or where --to says), or run, which starts a command, without a
shell, with the prompt on its standard input.

What is piped in is the selected text; the terminal is asked then, and there must
be one. --no-stdin leaves it alone, --selection gives another text.`,
		Example: `  pertain pick | llm
  git diff | pertain pick | llm
  pertain pick --selection "x := <-c" --copy
  pertain pick --menu auto
  xterm -e pertain pick --menu terminal --copy
  pertain pick --menu rofi --then ask
  pertain pick --menu rofi --then run -- llm -m gpt-5`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.settleThen(cmd, &flags, args); err != nil {
				return err
			}
			if err := a.settleWindow(cmd, flags); err != nil {
				return err
			}
			return a.pick(cmd, flags)
		},
	}
	cmd.Flags().StringVar(&flags.input, "input", "", "what you want to add; it takes the place of {Argument}, or is appended (`TEXT`)")
	cmd.Flags().BoolVar(&flags.copy, "copy", false, "put the prompt on the clipboard instead of printing it")
	cmd.Flags().StringVar(&flags.menu, "menu", "", "show the list with this menu `PROGRAM`, auto, or terminal")
	cmd.Flags().StringVar(&flags.from, "context-from", "", "the `WINDOW` that it is about, or its process, by a number, instead of the one in front")
	cmd.Flags().StringVar(&flags.then, "then", "", "what becomes of the prompt: print, copy, type, ask, or run (`WHAT`)")
	cmd.Flags().StringVar(&flags.to, "to", "", "where the answer of --then ask goes: terminal, menu, or clipboard (`PLACE`)")
	a.jsonFlag(cmd)
	a.strategyFlags(cmd)
	a.contextFlags(cmd, &flags.where)
	noStdinFlag(cmd, &flags.where)
	_ = cmd.RegisterFlagCompletionFunc("menu", cobra.FixedCompletions(append(menu.Names(), menu.Auto, menuTerminal), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions([]string{toTerminal, toMenu, toClipboard}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("then", cobra.FixedCompletions([]string{thenPrint, thenCopy, thenType, thenAsk, thenRun}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) pick(cmd *cobra.Command, flags pickFlags) error {
	if a.call.guest != nil {
		return a.servePick(cmd, flags)
	}
	if flags.byMenu() {
		return a.pickByMenu(cmd, flags)
	}
	desk, err := a.pickFrom(cmd, &flags)
	if err != nil {
		return err
	}
	desk.asks = a.canAsk()
	chosen, err := a.choose(cmd.Context(), desk, flags.runFlags)
	if err != nil {
		return err
	}
	switch chosen.wish {
	case wishCopy:
		flags.then = thenCopy
	case wishAsk:
		flags.then = thenAsk
	case noWish, wishPrint:
	}
	return a.then(cmd.Context(), desk, chosen.plan, flags)
}

// pickFrom collects what is on the screen and what is recommended for it.
func (a *app) pickFrom(cmd *cobra.Command, flags *pickFlags) (*pickDesk, error) {
	if desk, err := a.askForList(cmd, flags); desk != nil || err != nil {
		return desk, err
	}
	var before front
	if flags.then == thenType {
		before = a.readWindow(cmd.Context())
	}
	engine, err := a.planEngine(cmd.Context(), flags.where.file)
	if err != nil {
		return nil, err
	}
	if err := a.takeStdin(cmd, &flags.where, true); err != nil {
		return nil, err
	}
	snapshot, _, err := a.snapshot(cmd, flags.where, engine.Gather)
	if err != nil {
		return nil, err
	}
	m, err := engine.Match(cmd.Context(), snapshot, pertain.MatchOptions{})
	if err != nil {
		return nil, err
	}
	if len(m.Candidates) == 0 {
		return nil, negative("nothing is recommended here; `pertain match --all` shows what there is and why not")
	}
	desk := &pickDesk{engine: engine, snapshot: snapshot, before: before}
	if flags.where.file == "" {
		desk.gatherer = facts.NewGatherer(a.machine().Collectors()...)
	}
	reasoning, cancel := context.WithTimeout(cmd.Context(), reasonTime)
	defer cancel()
	for _, c := range m.Candidates {
		desk.items = append(desk.items, pickItem{Candidate: c, reason: a.reason(reasoning, engine, snapshot, c), input: engine.TakesInput(c.Strategy.ID)})
	}
	return desk, nil
}

// pickItem is a strategy to choose.
type pickItem struct {
	pertain.Candidate
	reason string
	input  bool // its prompt has a place for input
}

// choice is what the user chose.
type choice struct {
	plan *plan.Plan
	wish wish // noWish: what --then says
}

// pickDesk makes plans for what is looked at.
type pickDesk struct {
	engine   *pertain.Engine
	snapshot *facts.Snapshot
	gatherer *facts.Gatherer // nil: the context is complete
	before   front           // the window that is typed into; the zero value: it is not known, or nothing is typed
	items    []pickItem
	asks     bool         // a model can be asked
	service  *serviceDesk // where all this is asked instead; nil: it is here
}

// explain draws why a strategy is recommended.
func (d *pickDesk) explain(item pickItem) string {
	if d.service != nil {
		return d.service.explain(item.Strategy.ID)
	}
	x, ok := d.engine.Explain(item.Strategy.ID, d.snapshot, pertain.ExplainOptions{})
	if !ok || x.Tree == nil {
		return ""
	}
	var tree strings.Builder
	drawTrace(&tree, painter{}, x.Tree, item.Strategy.Source, "", false)
	return tree.String()
}

// emptyPrompt is why there is nothing to print, copy or send.
const emptyPrompt = "the prompt is empty: the strategy has no text, or what it is made of is not there now"

// plan runs a strategy. A prompt with nothing in it is none, and that is the reason.
func (d *pickDesk) plan(ctx context.Context, id, input string) (pertain.Execution, error) {
	x, err := d.execute(ctx, id, input)
	if err == nil && x.Plan != nil && strings.TrimSpace(x.Plan.Prompt) == "" {
		x.Plan, x.Reason = nil, emptyPrompt
	}
	return x, err
}

// execute runs it. What it needs beyond what matching read is collected now.
func (d *pickDesk) execute(ctx context.Context, id, input string) (pertain.Execution, error) {
	if d.service != nil {
		return d.service.plan(ctx, id, input)
	}
	snapshot := d.snapshot
	if needs, _ := d.engine.PlanNeeds(id); d.gatherer != nil {
		gathered, err := d.gatherer.Gather(ctx, needs, facts.Parts{Values: snapshot.Values(), Tree: snapshot.Tree()}, plan.DefaultTimeout)
		if err != nil {
			return pertain.Execution{}, err
		}
		snapshot = gathered.Snapshot
	}
	x, _, err := d.engine.Plan(ctx, id, snapshot, pertain.PlanOptions{Input: input})
	return x, err
}

// errNothingChosen ends the command without a word: the user knows.
var errNothingChosen = &exit{code: exitInterrupted}
