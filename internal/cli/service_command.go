package cli

import (
	"context"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/internal/service"
	"github.com/pertain-dev/pertain/strategy"
)

// guest is a command of another process that the service does: with that process's
// working directory, environment, settings and trust, and over what the service keeps.
type guest struct {
	host     *host
	caller   *service.Caller
	question service.Question
	unsent   atomic.Bool  // a variable was asked for that did not come along
	desk     *watchedDesk // that it reads; nil: none yet
}

// env is the command's environment.
func (g *guest) env(name string) string {
	if !service.Sent(name) {
		g.unsent.Store(true)
		return ""
	}
	return g.question.Env[name]
}

// engine is one that holds what an engine would that is opened now.
func (g *guest) engine(ctx context.Context, environment pertain.Environment, preprocessors strategy.Preprocessors) (*pertain.Engine, error) {
	return g.host.engine(ctx, environment, g.question.Env, preprocessors)
}

// machine reads the desktop within what the command may read.
func (g *guest) machine(options collect.Options) *collect.Machine {
	if g.desk == nil {
		g.desk = g.host.borrow(g.question.Env)
	}
	return g.desk.machine.With(options)
}

// leave gives the desktop back.
func (g *guest) leave() {
	if g.desk != nil {
		g.desk.users.Done()
	}
}

// served tells whether the service does a command.
func served(cmd *cobra.Command) bool {
	if !cmd.HasParent() || cmd.Parent().HasParent() {
		return false
	}
	switch cmd.Name() {
	case "match", "context", "query", "pick":
		watch := cmd.Flags().Lookup("watch")
		return watch == nil || !watch.Changed
	}
	return false
}
