package cli

import "github.com/spf13/cobra"

// strategyFlags adds the flags that say which strategies there are.
func (a *app) strategyFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&a.strategies, "strategies", nil, "load the strategies of this `DIR` instead of the user's and the workspace's (repeatable)")
	cmd.Flags().BoolVar(&a.noBuiltin, "no-builtin", false, "leave the builtin strategies out")
	_ = cmd.MarkFlagDirname("strategies")
}
