package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/hook"
	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/internal/program"
)

func (a *app) withCommand() *cobra.Command {
	var flags gatewayFlags
	cmd := &cobra.Command{
		Use:   "with AGENT [ARGS...]",
		Short: "Start an agent whose model's answers are interrupted where they break a rule",
		Long: `Start an agent with a gateway of its own between it and its model: see
` + "`pertain gateway --help`" + `. The agent gets the terminal and everything after its name,
and its exit code is that of this command, 128 and the signal's number where one
ended it. It is led to the gateway by its environment and arguments, for as long
as it runs; an address of a model that you have set is where its requests go on
to. Programs that are no agent known here are started with --: they get
ANTHROPIC_BASE_URL, OPENAI_BASE_URL and GOOGLE_GEMINI_BASE_URL.

Agents: ` + strings.Join(leadNames(), ", ") + `.`,
		Example: `  pertain with claude
  pertain with codex exec "mend the tests"
  pertain with -- python agent.py`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return leadNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("name an agent, such as `pertain with claude`, or a command after --; see `pertain with --help`")
			}
			if cmd.ArgsLenAtDash() == 0 {
				return a.with(cmd.Context(), flags, anyLead, args[0], args[1:])
			}
			lead, ok := leads[args[0]]
			if !ok {
				hint := diag.DidYouMean(args[0], leadNames())
				if hint == "" {
					hint = "for any other command write `pertain with -- " + diag.Short(args[0]) + "`"
				}
				return usage("there is no agent `%s` known here; %s", args[0], hint)
			}
			return a.with(cmd.Context(), flags, lead, lead.program, args[1:])
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows the agent is the agent's
	upstreamFlags(cmd, &flags)
	return cmd
}

// with starts a program with a gateway of its own.
func (a *app) with(ctx context.Context, flags gatewayFlags, l lead, name string, args []string) error {
	found, err := a.findProgram(name)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(follow.Share(context.WithoutCancel(ctx)))
	defer stop()
	listener, err := httpapi.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		return usage("no port of this machine can be listened on: %s", listenProblem(err))
	}
	defer func() { _ = listener.Close() }()
	to, err := l.prepare(a, "http://"+listener.Addr().String(), flags, args)
	if err != nil {
		return err
	}
	defer to.remove()
	g, err := a.openGateway(ctx, flags, to.set, to.lent, slog.New(slog.DiscardHandler)) // the terminal is the agent's
	if err != nil {
		return err
	}
	defer a.followFleet(ctx, func(string, bool) {})()
	g.options.Agent = l.agent
	if !to.partly { // else hooks watch as well as the gateway, which is safe; so they do without a place for it
		if announced, err := hook.Announce(ctx, a.paths().State, to.url, to.variable(a.call.Env)); err == nil {
			defer announced.Withdraw()
			to.env[hook.GatewayProofVariable] = announced.Key
			g.options.Release = func(r gateway.Release) { announced.Release(hook.Released(r)) }
		}
	}
	// A conversation of an agent with a gateway of its own moves nowhere: what it remembers stays here.
	shared, err := a.share(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	carried := shared.run(ctx, false)
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = gateway.New(g.options).Serve(ctx, listener) // it ends with ctx
	}()
	defer func() {
		stop()
		<-served
		carried()
	}()
	return a.hand(found, environment(a.call.Environ, to.env), append(to.before, to.args...))
}

// findProgram finds what is to be started: by its name in PATH, never in the workspace
// by chance, or by a path.
func (a *app) findProgram(name string) (program.Program, error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		found, err := program.Fixed(a.abs(name))
		if err != nil {
			return found, usage("%s: there is no such program", name)
		}
		return found, nil
	}
	found, err := a.programs().Find(name)
	if err != nil {
		return found, usage("%s is in no folder of PATH, those of the workspace and those that others may write aside; install it, or write its path after --", name)
	}
	return found, nil
}

// hand hands the terminal to a program until it ends.
func (a *app) hand(found program.Program, env, args []string) error {
	return a.handWith(found, env, a.given.stdin, args)
}

// handWith does so with another standard input.
func (a *app) handWith(found program.Program, env []string, stdin io.Reader, args []string) error {
	running, err := found.Hand(program.Call{Dir: a.dir(), Env: env, Stdin: stdin, Stdout: a.given.stdout, Stderr: a.given.stderr}, args...)
	if err != nil {
		return usage("the program cannot be started: %s", reason(err))
	}
	if a.call.Hand != nil {
		a.call.Hand(func(s os.Signal) {
			// The terminal sends Ctrl-C to the agent as well; others send theirs to this process alone.
			if s != os.Interrupt || !onTerminal(a.call.Stderr) && !onTerminal(a.call.Stdout) {
				running.Signal(s)
			}
		})
		defer a.call.Hand(nil)
	}
	code, err := running.Wait()
	if err != nil {
		return usage("the program cannot be waited for: %s", reason(err))
	}
	if code != exitDone {
		return &exit{code, ""}
	}
	return nil
}

// reason is an error of the system without the path that it is about.
func reason(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	return "the system refuses it"
}

// environment is that of the program: the user's, with what leads to the gateway.
func environment(own []string, led map[string]string) []string {
	var out []string
	for _, pair := range own {
		name, _, _ := strings.Cut(pair, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if _, ok := led[name]; !ok {
			out = append(out, pair)
		}
	}
	names := make([]string, 0, len(led))
	for name := range led {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, name+"="+led[name])
	}
	return out
}
