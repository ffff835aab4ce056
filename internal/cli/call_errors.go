package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pertain-dev/pertain/diag"
)

// flagError words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	see := "see `" + cmd.CommandPath() + " --help`"
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown, see)
	case errors.As(err, &bare):
		return usage("--%s needs a value%s; %s", bare.GetFlag().Name, valueName(bare.GetFlag()), see)
	case errors.As(err, &wrong):
		flag := wrong.GetFlag()
		if flag.Value.Type() == "bool" {
			return usage("--%s takes no value, or =true or =false, not `%s`; %s", flag.Name, wrong.GetValue(), see)
		}
		return usage("--%s cannot be `%s`; %s", flag.Name, wrong.GetValue(), see)
	case errors.As(err, &syntax):
		return usage("`%s` is no flag; %s", syntax.GetSpecifiedFlag(), see)
	}
	return usage("%s; %s", diag.Short(err.Error()), see)
}

func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError, see string) error {
	name := err.GetSpecifiedName()
	dashes := "--"
	if err.GetSpecifiedShortnames() != "" {
		dashes = "-"
		if long := err.GetSpecifiedShortnames(); cmd.Flags().Lookup(long) != nil { // -json
			return usage("there is no flag `-%s`; did you mean `--%s`?", long, long)
		}
	}
	if dashes == "--" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := meantName(name, names); near != "" {
			return usage("there is no flag `--%s`; did you mean `--%s`? %s", name, near, see)
		}
	}
	return usage("there is no flag `%s`; %s", dashes+name, see)
}

// meantName is the command or flag that was probably meant, or "": the only one that begins with the word, since people shorten
// names, else one that is written nearly so.
func meantName(word string, names []string) string {
	begun := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return len(word) < 2 || !strings.HasPrefix(name, word) })
	if len(begun) == 1 {
		return begun[0]
	}
	return diag.Nearest(word, names)
}

// valueName is the value of a flag as its help calls it.
func valueName(flag *pflag.Flag) string {
	if name, _ := pflag.UnquoteUsage(flag); name != "" && name != "string" && name != "stringArray" {
		return ", `--" + flag.Name + " " + name + "`"
	}
	return ""
}

// argumentError words how many arguments a command takes; the library counts them.
func argumentError(cmd *cobra.Command, args []string, err error) error {
	see := "see `" + cmd.CommandPath() + " --help`"
	_, takes, _ := strings.Cut(cmd.Use, " ")
	switch {
	case takes == "" && len(args) > 0 && cmd.HasSubCommands():
		return knownCommand(cmd, args)
	case takes == "" && len(args) > 0:
		return usage("`%s` takes no arguments, and there is `%s`; %s", cmd.CommandPath(), args[0], see)
	case takes == "":
		return usage("%s; %s", diag.Short(err.Error()), see)
	case len(args) == 0:
		return usage("say what it is about: `%s`; %s", cmd.CommandPath()+" "+takes, see)
	}
	return usage("%s: `%s`; %s", fmt.Sprintf("%d arguments are too many", len(args)), cmd.CommandPath()+" "+takes, see)
}
