package collect

import (
	"context"

	"github.com/pertain-dev/pertain/collect/internal/uia"
	"github.com/pertain-dev/pertain/facts"
)

// visual reads the elements of the window in front through UI Automation.
type visual struct{ *desktop }

const visualID = "windows.uia"

// whole tells whether a tree is worth keeping: nothing was left out.
func whole(tree *facts.Tree) bool { return tree.Partial() == "" }

// read makes the tree of a window.
func (v visual) read(ctx context.Context, s uia.Window) (facts.Part, facts.TextReader, error) {
	return s.Tree(ctx)
}
