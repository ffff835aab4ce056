package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

// Exit codes (docs/reference/exit-codes.md).
const (
	exitDone     = 0
	exitNegative = 1 // the answer is no
	exitUsage    = 2 // the call itself was wrong

	exitInterrupted = 130 // as shells do for Ctrl-C
	exitPipe        = 141 // as shells do for a pipe that nobody reads
)

// Invocation is one call of the program.
type Invocation struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Env     func(name string) string // environment; nil: empty
	Dir     string                   // working directory, absolute
	Account string                   // the user's home as the system knows it; empty: what the environment says
	Grace   func(time.Duration)      // how long a command that was interrupted may take to end; nil: nobody waits

	Environ []string                 // the whole environment, for a program that is started in the user's name; nil: empty
	Hand    func(to func(os.Signal)) // lets a program that has the terminal hear the signals of this one, nil: no longer; nil: there are none

	guest *guest // the command that the service answers by this call; nil: it is nobody else's
}

// Run calls [Main] with what the process was given.
func Run() int {
	dir, err := os.Getwd()
	if err != nil && !isHook(os.Args[1:]) {
		fmt.Fprintln(os.Stderr, "pertain: the working directory cannot be found; change to one that exists")
		return exitUsage
	}
	if isHook(os.Args[1:]) {
		hurry()
		signal.Ignore(syscall.SIGPIPE) // a denial that nobody reads is still one by the exit code
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	end := &ending{cancel: cancel, done: make(chan struct{})}
	end.listen()
	surviveFileLimit()
	var stdout io.Writer = os.Stdout
	if outputClosed() {
		stdout = closedOutput{}
	}
	var stdin io.Reader = os.Stdin
	if inputClosed() {
		stdin = closedInput{}
	}
	code := Main(ctx, Invocation{Args: os.Args[1:], Stdin: stdin, Stdout: stdout, Stderr: os.Stderr, Env: os.Getenv, Dir: dir, Account: settings.AccountHome(), Grace: end.grant, Environ: os.Environ(), Hand: end.hand})
	return end.code(code)
}

// Main runs one call and returns its exit code.
func Main(ctx context.Context, call Invocation) int {
	if call.Env == nil {
		call.Env = func(string) string { return "" }
	}
	files := given{call.Stdin, call.Stdout, call.Stderr}
	call.Stdout, call.Stderr = screened(call.Stdout), screened(call.Stderr)
	a := &app{call: call, given: files}
	a.call.Stderr = a.legible(call.Stderr)
	if isHook(call.Args) {
		return a.hook(ctx, call.Args[1:])
	}
	if !onTerminal(call.Stdout) { // a terminal is asked for its size and more
		a.out = &output{to: call.Stdout}
		a.call.Stdout = a.out
	}
	root := a.rootCommand()
	root.SetArgs(call.Args)
	root.SetIn(call.Stdin)
	root.SetErr(a.call.Stderr)
	code := a.exitCode(root.ExecuteContext(ctx))
	a.leave()
	if err := a.flush(); err != nil && code == exitDone {
		code = exitUsage
	}
	return code
}

// app is what the commands of one call share.
type app struct {
	call       Invocation
	caller     pertain.Caller
	json       bool
	cwd        string
	strategies []string
	noBuiltin  bool
	from       int              // the window that is read instead of the one in front, by its number or that of its process; 0: none
	before     bool             // the window counts that was in front before the terminal of this command
	live       *collect.Machine // what is collected from; nil: nothing was
	out        *output          // standard output; nil: a terminal
	given      given
}

// given are the input and outputs as the process has them, for programs that are
// handed the terminal.
type given struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// exit is an error that knows its exit code. With an empty message everything
// has been said already.
type exit struct {
	code    int
	message string
}

func (e *exit) Error() string { return e.message }

// negative ends a command whose answer is no.
func negative(format string, args ...any) error {
	return &exit{exitNegative, worded(format, args)}
}

// usage ends a command that was called wrongly.
func usage(format string, args ...any) error {
	return &exit{exitUsage, worded(format, args)}
}

// worded makes a message in which what the caller wrote is repeated in short.
// Errors know themselves what to repeat, and may list what there is.
func worded(format string, args []any) string {
	for i, arg := range args {
		if text, ok := arg.(string); ok && format != "%s" {
			args[i] = diag.Short(text)
		}
	}
	return fmt.Sprintf(format, args...)
}

func (a *app) exitCode(err error) int {
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	if failed := a.out.failed(); failed != nil {
		// Whatever else the command found, who reads it has not got the answer.
		if errors.Is(failed, syscall.EPIPE) || errors.Is(failed, io.ErrClosedPipe) {
			return exitPipe
		}
		fmt.Fprintln(a.call.Stderr, "pertain: standard output cannot be written: "+oneLine(discover.Reason(failed)))
		return exitUsage
	}
	if err == nil {
		return exitDone
	}
	var e *exit
	if !errors.As(err, &e) {
		e = &exit{exitUsage, err.Error()}
	}
	if e.message != "" {
		fmt.Fprintln(a.call.Stderr, "pertain: "+oneLine(e.message))
	}
	return e.code
}

// oneLine keeps errors of libraries in one line, and the words in them short.
func oneLine(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' })
	words = strings.Split(strings.Join(words, " "), " ")
	for i := range words {
		words[i] = diag.Short(words[i])
	}
	return clean(strings.Join(words, " "))
}

// dir is the folder to act in, absolute.
func (a *app) dir() string {
	if a.cwd == "" {
		return a.call.Dir
	}
	if filepath.IsAbs(a.cwd) {
		return filepath.Clean(a.cwd)
	}
	return filepath.Join(a.call.Dir, a.cwd)
}

// abs makes a path on the command line absolute. Paths are relative to where
// the program was started; --cwd moves that too.
func (a *app) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(a.dir(), path)
}

// checkDir refuses a --cwd that is no folder. A folder behind a link of a
// repository is none of its own: the call acts in the real folder.
func (a *app) checkDir() error {
	if a.cwd == "" {
		a.call.Dir = settings.WorkingDir(files.OS(), a.call.Dir)
		return nil
	}
	if info, err := os.Stat(a.dir()); err != nil || !info.IsDir() {
		return usage("--cwd %s: there is no such folder", a.cwd)
	}
	a.cwd = settings.WorkingDir(files.OS(), a.dir())
	return nil
}

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
