package cli

import (
	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
)

// agentFlag adds --agent: only what one agent loads by itself. It is checked before
// the command runs.
func (a *app) agentFlag(cmd *cobra.Command, options *pertain.RuleOptions) {
	var names []string
	cmd.Flags().StringArrayVar(&names, "agent", nil, "only what this agent loads by itself, in its own order: `NAME` is claude, codex, cursor, …")
	_ = cmd.RegisterFlagCompletionFunc("agent", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return pertain.AgentNames(), cobra.ShellCompDirectiveNoFileComp
	})
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(names) > 1:
			return usage("--agent: name one agent; call the command again for another")
		case len(names) == 1 && options.Documented:
			return usage("--agent: the rulebook as documented knows no agents; leave out --documented")
		case len(names) == 1:
			if err := pertain.CheckAgent(names[0]); err != nil {
				return usage("--agent: %s", err)
			}
			options.Agent = names[0]
		}
		return run(cmd, args)
	}
}
