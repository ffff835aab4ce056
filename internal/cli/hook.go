package cli

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/hook"
)

// isHook tells a call of a hook, which is answered before anything else is looked at: no flag, setting or folder that is wrong
// may break the agent that calls it.
func isHook(args []string) bool {
	return len(args) > 0 && args[0] == "hook" && !slices.ContainsFunc(args, isHelp)
}

func isHelp(arg string) bool { return arg == "--help" || arg == "-h" }

// hurry lets a process that ends in a moment collect no garbage, up to a size that it should never reach.
func hurry() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(256 << 20)
}

func (a *app) hook(ctx context.Context, args []string) int {
	return hook.Run(ctx, hook.Call{
		Args: args, Stdin: a.call.Stdin, Stdout: a.call.Stdout, Stderr: a.call.Stderr, Env: a.call.Env, Dir: a.dir(), Account: a.call.Account,
	})
}

func (a *app) hookCommand() *cobra.Command {
	agents := strings.Join(hook.Agents(), " ")
	return &cobra.Command{
		Use:   "hook AGENT [EVENT] [--fail-closed]",
		Short: "Answer a hook of a coding agent",
		Long: `Answer a hook of a coding agent: its JSON on standard input, the answer on
standard output. ` + "`pertain setup`" + ` writes the settings that call it.

Rules that the agent does not load itself are given when a conversation begins
and when a file is read or written. A call that would break a rule with a trigger
is denied, with the rule as the reason; one rule denies three calls in a row at
most (the setting ttsr.budget), then it only reminds.

The exit code is 0, whatever happens: another one would deny every call in some
agents. Windsurf alone knows a denial as exit code 2; so is a denial that cannot
be written to standard output, with its reason on standard error. What goes wrong
is told in one line on standard error and by ` + "`pertain doctor`" + `; with --fail-closed
it is a denial. No text of a call is kept or told.

Agents: ` + agents + `.
EVENT is needed for agents whose JSON does not name it, such as Copilot.`,
		Example: `  pertain hook claude < event.json
  pertain hook copilot preToolUse < event.json`,
		DisableFlagParsing: true,
		PersistentPreRunE:  func(*cobra.Command, []string) error { return nil },
		ValidArgs:          hook.Agents(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.ContainsFunc(args, isHelp) {
				return cmd.Help()
			}
			if code := a.hook(cmd.Context(), args); code != exitDone {
				return &exit{code, ""}
			}
			return nil
		},
	}
}
