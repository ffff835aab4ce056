//go:build linux || windows

package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
)

func (visual) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: visualID, Serves: []string{facts.Visual}, Permission: readPermission}
}

// Collect gives the tree that is kept, if it still holds; else it reads one, and
// keeps it if nothing was left out for lack of time.
func (v visual) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	w, err := v.front(ctx)
	if errors.Is(err, errNoWindow) {
		return facts.Part{}.With(facts.Visual, facts.Value{}), nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	warm := v.warm.Load()
	if kept, ok := warm.treeOf(ctx, w); ok {
		return kept, nil
	}
	since := warm.shape()
	s, err := v.accessible(ctx, w)
	if err != nil {
		return facts.Part{}, err
	}
	part, texts, err := v.read(ctx, s)
	if err == nil && whole(part.Tree) {
		warm.keepTree(since, w, s, part, texts)
	}
	return part, err
}
