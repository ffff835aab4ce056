package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/internal/hotkey"
)

// hotkeyFlags are the flags of hotkey.
type hotkeyFlags struct {
	key     string
	then    string // what becomes of the prompt; "": what pick does with it by itself
	desktop string
	dryRun  bool
}

func (a *app) hotkeyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hotkey",
		Short: "Bind a key of the desktop to `pertain pick --menu auto`",
		Long: `Bind a key of the desktop to ` + "`pertain pick --menu auto`" + `, or take the binding back.

Desktops: ` + strings.Join(hotkey.Names(), ", ") + `. Window managers get a line between two
marks in their own file; desktops are told by their own setting programs. Where that
is impossible, the line to write by hand is printed, and the exit code is 1.`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.hotkeyPart("install", "Bind the key", false), a.hotkeyPart("remove", "Take the binding back", true))
	return cmd
}

func (a *app) hotkeyPart(name, short string, remove bool) *cobra.Command {
	flags := hotkeyFlags{key: hotkey.DefaultKey}
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Long: short + `. A second run changes nothing; what was there before comes back
byte for byte with ` + "`remove`" + `.`,
		Example: `  pertain hotkey ` + name + ` --dry-run`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.hotkey(cmd, flags, remove) },
	}
	if !remove {
		cmd.Example += "\n  pertain hotkey install --key Super+F5 --then ask"
		cmd.Flags().StringVar(&flags.key, "key", hotkey.DefaultKey, "the `KEY`, such as Super+space or Ctrl+Alt+P")
		cmd.Flags().StringVar(&flags.then, "then", "", "what becomes of the prompt: copy (the default), type, or ask (`WHAT`)")
		_ = cmd.RegisterFlagCompletionFunc("then", cobra.FixedCompletions([]string{thenCopy, thenType, thenAsk}, cobra.ShellCompDirectiveNoFileComp))
	}
	cmd.Flags().StringVar(&flags.desktop, "desktop", "", "the desktop's `NAME`, if it is not that of this session")
	cmd.Flags().BoolVar(&flags.dryRun, "dry-run", false, "change nothing, and print what would be done")
	_ = cmd.RegisterFlagCompletionFunc("desktop", cobra.FixedCompletions(hotkey.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) hotkey(cmd *cobra.Command, flags hotkeyFlags, remove bool) error {
	key, err := hotkey.ParseKey(flags.key)
	if err != nil {
		return usage("--key: %s", err)
	}
	var then []string
	switch flags.then {
	case "", thenCopy: // what pick does with a menu
	case thenType, thenAsk:
		then = []string{"--then", flags.then}
	default:
		return usage("--then `%s` is not known; a key takes copy, type or ask", flags.then)
	}
	self, without := a.ownProgram(a.workspace())
	if self == "" && !remove {
		return negative("%s", without)
	}
	command := append([]string{self, "pick", "--menu", "auto"}, then...)
	desktop, err := hotkey.Find(flags.desktop, a.call.Env)
	switch {
	case err != nil && flags.desktop != "":
		return usage("--desktop: %s", err)
	case err != nil && remove:
		return negative("%s; name the desktop with --desktop", err)
	case err != nil:
		return negative("%s; bind %s to `%s` in its settings, or name the desktop with --desktop", err, key, strings.Join(command, " "))
	}
	session, err := a.hotkeySession()
	if err != nil {
		return err
	}
	steps, err := desktop.Plan(cmd.Context(), session, key, command, remove)
	if err != nil {
		if remove {
			return negative("%s: %s", desktop.Name, err)
		}
		if _, printed := fmt.Fprintln(a.call.Stdout, desktop.ByHand(key, command)); printed != nil {
			return printed
		}
		var missing *hotkey.MissingError
		if errors.As(err, &missing) {
			return negative("%s: %s; the line above belongs there", desktop.Name, missing)
		}
		return negative("%s: %s; what to do by hand is above", desktop.Name, err)
	}
	return a.takeSteps(cmd, desktop, key, steps, flags.dryRun, remove)
}

// takeSteps does what was planned, or shows it.
func (a *app) takeSteps(cmd *cobra.Command, desktop hotkey.Desktop, key hotkey.Key, steps []hotkey.Step, dryRun, remove bool) error {
	if len(steps) == 0 {
		_, err := fmt.Fprintln(a.call.Stderr, map[bool]string{true: "no key is bound", false: key.String() + " is bound already"}[remove])
		return err
	}
	for _, step := range steps {
		switch {
		case dryRun && step.Change != nil:
			if _, err := fmt.Fprint(a.call.Stdout, lineDiff(step.Change.Path, step.Change.Before, step.Change.After)); err != nil {
				return err
			}
		case dryRun:
			if _, err := fmt.Fprintln(a.call.Stdout, printable(step.String())); err != nil {
				return err
			}
		default:
			if err := step.Run(cmd.Context()); err != nil {
				return negative("%s: %s", desktop.Name, err)
			}
		}
	}
	if dryRun {
		return nil
	}
	said := key.String() + " shows what is recommended"
	if remove {
		said = "the key is free again"
	}
	switch desktop.Name {
	case "sway", "i3":
		said += ", once " + desktop.Name + " has read its file again (" + desktop.Name + "-msg reload)"
		said = strings.Replace(said, "sway-msg", "swaymsg", 1)
	case "kde":
		said += ", from the next login on"
	}
	_, err := fmt.Fprintln(a.call.Stderr, said)
	return err
}

// hotkeySession is the user's session.
func (a *app) hotkeySession() (hotkey.Session, error) {
	home := a.paths().Home
	if home == "" {
		return hotkey.Session{}, negative("there is no home folder; set HOME to an absolute path")
	}
	folder := func(variable, other string) string {
		if dir := a.call.Env(variable); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, other)
	}
	return hotkey.Session{
		Home: home, Config: folder("XDG_CONFIG_HOME", ".config"), Data: folder("XDG_DATA_HOME", ".local/share"), Search: a.programs(), Env: a.call.Env,
	}, nil
}
