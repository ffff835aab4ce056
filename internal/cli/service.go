package cli

import "github.com/spf13/cobra"

func (a *app) serviceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Keep the desktop and the strategies at hand, so that answers come at once",
		Long: `Keep the desktop watched and the strategies loaded in a process of your own, which
match, pick, context and query ask over a socket in $XDG_RUNTIME_DIR. They answer
the same with it and without it, sooner with it: each with the working directory,
the settings and the trust of who asks. Where it is away, hangs or is another
version, they look themselves.

It keeps the elements of the window in front while that does not change, the files
that a file manager shows there, and which windows were in front before; nothing of
it is written anywhere, and no window that is private is read.`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.serviceInstallCommand(), a.serviceRemoveCommand(), a.serviceStatusCommand(), a.serviceRunCommand())
	return cmd
}
