//go:build !linux && !windows && !darwin

package collect

import (
	"context"

	"github.com/pertain-dev/pertain/facts"
)

// desktop is a system whose desktop is not read.
type desktop struct{}

func newDesktop(Options) *desktop { return &desktop{} }

// lends says that with makes connections of its own: what is kept here is of one caller.
const lends = false

func (*desktop) with(options Options) *desktop { return newDesktop(options) }

func (*desktop) close() {}

func (d *desktop) collectors() []facts.Collector {
	return []facts.Collector{absence{"desktop", d.absent}}
}

func (*desktop) absent() error {
	return facts.Unavailable("the desktop of this system cannot be read", "give a context with --context")
}

func (d *desktop) tellFront(context.Context) (Front, error) { return Front{}, d.absent() }

func (*desktop) frontDir(context.Context) (string, error) { return "", nil }

func (d *desktop) watch(context.Context, func()) error { return d.absent() }
