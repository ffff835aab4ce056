package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "pertain",
		Short: "Which prompts and rules pertain to what is happening right now",
		Long: `Pertain decides which prompts and which rules pertain to what is happening
right now: deterministically, in milliseconds, and it can always say why.

Nothing is sent anywhere: there is no telemetry, and no command uses the network
unless you ask for it.

The languages and files are explained by ` + "`pertain help TOPIC`" + `: strategies, conditions,
operators, paths, visual, templates, rules, triggers and more.`,
		Args:              knownCommand,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.check(cmd) },
	}
	// Not the library's own flag: its templates call methods by their names, and with that in it the
	// linker must keep every method of every type, which is an eighth of the program.
	version := root.Flags().BoolP("version", "V", false, "print the version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		}
		return cmd.Help()
	}
	root.SetOut(a.legible(a.call.Stdout)) // before the command `completion` is made, which keeps it
	root.PersistentFlags().StringVar(&a.cwd, "cwd", "", "act as if started in this `DIR`")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		a.matchCommand(),
		a.explainCommand(),
		a.pickCommand(),
		a.hotkeyCommand(),
		a.serviceCommand(),
		a.skillsCommand(),
		a.runCommand(),
		a.askCommand(),
		a.contextCommand(),
		a.queryCommand(),
		a.lintCommand(),
		a.testCommand(),
		a.formatCommand(),
		a.schemaCommand(),
		a.rulesCommand(),
		a.promptCommand(),
		a.readCommand(),
		a.guardCommand(),
		a.exportCommand(),
		a.importCommand(),
		a.mcpCommand(),
		a.lspCommand(),
		a.serveCommand(),
		a.setupCommand(),
		a.doctorCommand(),
		a.hookCommand(),
		a.gatewayCommand(),
		a.withCommand(),
		a.journalCommand(),
		a.fleetCommand(),
		a.newCommand(),
		a.trustCommand(),
		a.versionCommand(),
		a.manCommand(root),
	)
	root.InitDefaultCompletionCmd()
	help := a.helpCommand()
	root.SetHelpCommand(help)
	root.AddCommand(help)
	for _, cmd := range root.Commands() {
		wordArguments(cmd)
	}
	return root
}

// knownCommand refuses a word that is no command, with the one it may have been
// meant to be.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" { // which the library does not count
			names = append(names, c.Name())
		}
	}
	if near := meantName(args[0], names); near != "" {
		return usage("there is no command `%s`; did you mean `%s %s`?", args[0], cmd.CommandPath(), near)
	}
	return usage("there is no command `%s`; see `%s --help`", args[0], cmd.CommandPath())
}

// wordArguments makes wrong arguments of a command and its subcommands say what
// to do.
func wordArguments(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		wordArguments(sub)
	}
	if cmd.HasSubCommands() && !cmd.Runnable() { // completion: otherwise any word is answered with its help
		cmd.Args, cmd.RunE = knownCommand, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		return
	}
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		var worded *exit
		if errors.As(err, &worded) {
			return err
		}
		if err != nil {
			return argumentError(cmd, args, err)
		}
		return nil
	}
}

func (a *app) jsonFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.json, "json", false, "the whole answer as one JSON document")
}
