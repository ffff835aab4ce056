package cli

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/internal/settings"
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
	settleZone()
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
	log.SetOutput(io.Discard) // libraries write there what others have sent, such as an upstream that speaks unasked
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
