//go:build !linux && !windows && !darwin

package collect

import (
	"context"

	"github.com/pertain-dev/pertain/facts"
)

// desktop is a system whose desktop is not read.
type desktop struct{}

func newDesktop(Options) *desktop { return &desktop{} }

func (*desktop) close() {}

func (*desktop) collectors() []facts.Collector { return nil }

func (*desktop) frontDir(context.Context) (string, error) { return "", nil }

func (*desktop) watch(context.Context, func()) error {
	return facts.Unavailable("the desktop of this system cannot be watched", "")
}
