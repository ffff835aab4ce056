package collect

import (
	"context"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/facts"
)

// visual reads the elements of the window in front over the accessibility bus.
type visual struct {
	*desktop
	types atspi.Types
}

const visualID = "linux.atspi"

// read makes the tree of a window.
func (v visual) read(ctx context.Context, s atspi.Window) (facts.Part, facts.TextReader, error) {
	return s.Tree(ctx, v.types)
}

// whole tells whether a tree is worth keeping: nothing was left out for lack of
// time.
func whole(tree *facts.Tree) bool { return tree.Partial() != atspi.LeftForTime }
