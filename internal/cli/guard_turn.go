package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/stream"
)

// streamPolicy reads the settings, and tells on stderr what is wrong with them.
func (a *app) streamPolicy() (stream.Policy, error) {
	policy, list, err := pertain.StreamPolicy(a.environment())
	if err != nil {
		return policy, usage("%s", err)
	}
	return policy, diag.Lines(a.painted(a.call.Stderr), list, a.textOptions(a.call.Stderr))
}

// startGuard makes a call of guard a turn of the conversation that a file remembers; ""
// is none. keepGoing counts where the user gave it, and wins over settings and rules.
func (a *app) startGuard(ctx context.Context, g *guard, options pertain.RuleOptions, memory string, keepGoing bool) error {
	var err error
	if g.policy, err = a.streamPolicy(); err != nil {
		return err
	}
	if g.policy.Disabled {
		fmt.Fprintln(a.call.Stderr, "pertain: no rule watches this text, because the settings say `ttsr: {enabled: false}`")
	}
	kept, err := a.guardMemory(ctx, memory)
	if err != nil {
		return err
	}
	book, err := a.rulebook(ctx, options)
	if err != nil {
		return err
	}
	triggers := a.bookTriggers(book)
	if g.policy.Disabled {
		triggers = nil
	}
	if !g.reminds {
		g.policy.InterruptMode, g.policy.Budget = stream.InterruptAlways, math.MaxInt
		if keepGoing {
			g.policy.InterruptMode = stream.InterruptNever
		}
		for i := range triggers {
			triggers[i].InterruptMode = ""
		}
	}
	set, problems := stream.Compile(triggers, stream.Options{Documented: options.Documented})
	if err := g.begin(ctx, set, kept); err != nil {
		return usage("--memory %s: the file cannot be written: %s", memory, fileerror.Reason(err))
	}
	if g.policy.Disabled {
		return nil
	}
	a.tellFull(set, problems)
	a.tellIdle(g)
	return a.tellBroken(book, options)
}

// begin begins the turn. kept may be nil.
func (g *guard) begin(ctx context.Context, set *stream.Set, kept stream.Memory) (err error) {
	g.set = set
	if g.watcher, err = stream.NewWatcher(ctx, set, kept, g.policy); err != nil {
		return err
	}
	if err := g.watcher.StartShared(ctx); err != nil { // who cannot write is told before the model has spoken
		return err
	}
	g.silent = make([]bool, set.Len())
	for i := range g.silent {
		g.silent[i] = g.watcher.Silent(i)
	}
	g.keepGoing = !g.watcher.MayInterrupt(prose)
	return nil
}

// guardMemory opens the memory of a conversation; nil if none is named.
func (a *app) guardMemory(ctx context.Context, name string) (stream.Memory, error) {
	if name == "" {
		return nil, nil //nolint:nilnil // no memory is a memory that forgets
	}
	if info, err := os.Stat(a.abs(name)); err == nil && !info.Mode().IsRegular() { // else the lock would be left beside it
		return nil, usage("--memory %s: it is no regular file; name another", name)
	}
	kept, err := stream.OpenFileMemoryIn(a.dir(), a.abs(name))
	if err != nil {
		return nil, usage("--memory %s: the file cannot be written: %s", name, fileerror.Reason(err))
	}
	a.seal(kept, name)
	switch _, err := kept.Load(ctx); {
	case errors.Is(err, stream.ErrNoRecord):
		return nil, usage("--memory %s: %s", name, stream.ErrNoRecord)
	case err != nil:
		return nil, usage("--memory %s: %s", name, fileerror.Reason(err))
	}
	return kept, nil
}

// unkept says that what fired cannot be remembered.
func unkept(err error) error {
	if errors.Is(err, stream.ErrNoRecord) {
		return fmt.Errorf("the memory of the conversation cannot be read: %w", stream.ErrNoRecord)
	}
	return fmt.Errorf("the memory of the conversation cannot be written: %s", fileerror.Reason(err))
}
