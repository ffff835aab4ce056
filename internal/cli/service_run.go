package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/service"
)

func (a *app) serviceRunCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "Be the service, until Ctrl+C",
		Long: `Be the service, as the unit of systemd starts it: watch the desktop, keep the
strategies loaded, and answer on the socket, until the process is ended. It prints
nothing but problems.`,
		Example: "  pertain service run",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serviceRun(cmd.Context()) },
	}
}

// hostGarbage is the growth until memory is collected, in percent: a process that
// mostly sleeps gives it back early.
const hostGarbage = 50

// exitOutdated ends the service so that it is started again as the new program.
const exitOutdated = 75

func (a *app) serviceRun(ctx context.Context) error {
	endpoint, err := service.Find(a.call.Env)
	if err != nil {
		return negative("%s", err)
	}
	listener, err := endpoint.Listen(ctx)
	switch {
	case errors.Is(err, service.ErrTaken):
		return negative("the service runs already")
	case err != nil:
		return negative("the socket of the service cannot be made: %s", err)
	}
	defer listener.Close()
	service.Seal()
	debug.SetGCPercent(hostGarbage)
	h := &host{app: a, build: service.Build(), since: time.Now(), answered: map[string]int{}}
	defer h.close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if self, err := os.Executable(); err == nil {
		h.outdated = func() bool { return service.Outdated(self) }
	}
	h.end = stop
	defer a.followFleet(ctx, func(line string, _ bool) { fmt.Fprintln(a.call.Stderr, line) })()
	if shared, err := a.share(ctx, serverLogger(a.call.Stderr, false)); err != nil { // it answers all the same
		fmt.Fprintln(a.call.Stderr, err)
	} else {
		defer shared.run(ctx, true)()
		defer stop() // before that is waited for
	}
	go h.prepare(ctx)
	if err := listener.Serve(ctx, h.answer); err != nil {
		return negative("the service cannot listen any more: %s", err)
	}
	if h.replaced.Load() {
		fmt.Fprintln(a.call.Stderr, "the program is another one by now; it has to be started again")
		return &exit{code: exitOutdated}
	}
	return nil
}

// prepare loads the strategies and looks at the desktop once, as a question would, so
// that the first one is answered as fast as the next. Where this process was started
// outside of a desktop, the first who asks has one.
func (h *host) prepare(ctx context.Context) {
	defer h.rest()
	env := h.app.sentEnv()
	g := &guest{host: h, question: service.Question{Env: env}}
	defer g.leave()
	engine, err := g.engine(ctx, h.app.environment(), nil)
	if err != nil || env["DISPLAY"] == "" && env["WAYLAND_DISPLAY"] == "" {
		return
	}
	options, _, _, _ := h.app.collectOptions()
	_, _ = engine.Gather(ctx, facts.NewGatherer(g.machine(options).Collectors()...), facts.Parts{Values: facts.Fields()}) // only so that it has been asked
}
