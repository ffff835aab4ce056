package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/menu"
	"github.com/pertain-dev/pertain/plan"
)

// What becomes of a prompt.
const (
	thenPrint = "print"
	thenCopy  = "copy"
	thenType  = "type"
	thenRun   = "run"
	thenAsk   = "ask" // a model is asked, and its answer is what there is
)

// settleThen makes one of --then, --copy, --json and what stands after -- (or after
// `run` in the flag itself).
func (a *app) settleThen(cmd *cobra.Command, flags *pickFlags, args []string) error {
	dash := cmd.ArgsLenAtDash()
	if len(args) > 0 && dash != 0 {
		return usage("pick takes no arguments; a command for `--then run` stands after --")
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(flags.then), " ")
	switch word {
	case "":
		if cmd.Flags().Changed("then") {
			return usage("--then takes print, copy, type, ask or run")
		}
		switch {
		case len(args) > 0:
			return usage("a command stands after --, but nothing says what to do with it; write `--then run -- COMMAND`")
		case flags.copy || flags.byMenu() && !a.json:
			word = thenCopy
		default:
			word = thenPrint
		}
	case thenPrint, thenCopy, thenType, thenAsk:
		if rest != "" || len(args) > 0 {
			return usage("--then %s takes no command", word)
		}
	case thenRun:
		flags.command = append(strings.Fields(rest), args...)
		if len(flags.command) == 0 {
			return usage("--then run needs a command: `--then run -- llm -m gpt-5`, or `--then \"run llm\"`")
		}
	default:
		return usage("--then `%s` is not known; it takes print, copy, type, ask or run", flags.then)
	}
	switch {
	case flags.copy && word != thenCopy:
		return usage("--copy and --then %s do not go together", word)
	case word == thenType && flags.where.file != "":
		return usage("--then type needs the window that is in front, and --context describes another; leave --context out")
	case a.json && word != thenPrint && word != thenCopy && word != thenAsk:
		return usage("--json and --then %s do not go together", word)
	}
	flags.then, flags.copy = word, word == thenCopy
	return a.settleTo(cmd, flags)
}

// settleTo says where the answer of --then ask goes: with a menu to the clipboard, as a
// prompt does.
func (a *app) settleTo(cmd *cobra.Command, flags *pickFlags) error {
	switch {
	case flags.then != thenAsk && cmd.Flags().Changed("to"):
		return usage("--to goes with --then ask")
	case flags.then != thenAsk:
		return nil
	case !cmd.Flags().Changed("to") && flags.byMenu() && !a.json:
		flags.to = toClipboard
	case !cmd.Flags().Changed("to"):
		flags.to = toTerminal
	}
	return a.checkTo(flags.to)
}

// askPlan asks a model with the prompt that was chosen.
func (a *app) askPlan(ctx context.Context, desk *pickDesk, p *plan.Plan, flags pickFlags) error {
	u, err := a.upstream("")
	if err != nil {
		return err
	}
	asking := askFlags{runFlags: flags.runFlags, to: flags.to, menu: menu.Auto}
	if asking.to == "" {
		asking.to = toTerminal
	}
	if flags.byMenu() {
		shown, err := a.menuDesk().Find(flags.menu)
		if err != nil {
			return usage("--menu: %s", err)
		}
		asking.menu, asking.asker = flags.menu, &shown
	}
	engine := desk.engine
	if engine == nil { // the list is the service's, and whose file a strategy is, is known here alone
		if engine, err = a.planEngine(ctx, flags.where.file); err != nil {
			return err
		}
	}
	return a.put(ctx, questionOf(engine, p), u, asking)
}

// then does with a prompt what the user asked for.
func (a *app) then(ctx context.Context, desk *pickDesk, p *plan.Plan, flags pickFlags) error {
	switch flags.then {
	case thenType:
		return a.typePrompt(ctx, desk, p)
	case thenRun:
		return a.runOnPrompt(p, flags.command)
	case thenAsk:
		return a.askPlan(ctx, desk, p, flags)
	}
	if flags.then == thenCopy {
		flags.copy = true
	}
	if err := a.deliver(ctx, p, flags.runFlags); err != nil {
		return err
	}
	if flags.copy && flags.byMenu() {
		// Not a word of the prompt: messages are kept, and shown on locked screens.
		_ = a.menuDesk().Notify(ctx, menuTitle, "The prompt is on the clipboard ("+plural(utf8.RuneCountInString(p.Prompt), "character")+").")
	}
	return nil
}

// returnTime is how long the window that was in front may take to be there again after
// the menu is gone.
const returnTime = 2 * time.Second

// typePrompt types the prompt into the window that was in front when the command
// was called. It is not typed where that window is a terminal, or not known.
func (a *app) typePrompt(ctx context.Context, desk *pickDesk, p *plan.Plan) error {
	if !desk.before.known() {
		return negative("it is not known which window is in front, so nothing is typed; use `--then copy`, and see `pertain context`")
	}
	if menu.IsTerminal(desk.before.Name) || menu.HoldsTerminal(desk.before.PID) {
		return negative("the window in front is a terminal, which would run what is typed; use `--then copy`")
	}
	for end := time.Now().Add(returnTime); a.topWindow(ctx) != desk.before; {
		if time.Now().After(end) {
			return negative("another window is in front now, so nothing is typed; use `--then copy`")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	typed, err := a.menuDesk().Type(ctx, p.Prompt, func(ctx context.Context) bool { return a.topWindow(ctx) == desk.before })
	if errors.Is(err, menu.ErrElsewhere) {
		return negative("another window came to the front after %s, so the rest is not typed; use `--then copy`", plural(typed, "character"))
	}
	if err != nil {
		return negative("%s", err)
	}
	_, err = fmt.Fprintf(a.call.Stderr, "typed %s\n", plural(typed, "character"))
	return err
}

// runOnPrompt starts a command with the prompt on its standard input. Its exit code
// is that of this one.
func (a *app) runOnPrompt(p *plan.Plan, command []string) error {
	found, err := a.findProgram(command[0])
	if err != nil {
		return err
	}
	return a.handWith(found, a.call.Environ, strings.NewReader(p.Prompt), command[1:])
}
