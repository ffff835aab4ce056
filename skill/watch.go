package skill

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Watch loads the skills again when files change, and calls changed with each
// new registry, until ctx ends. It works on the real disk.
func (l Library) Watch(ctx context.Context, changed func(*Registry)) error {
	for ctx.Err() == nil {
		if err := l.watch(ctx, changed); err != nil {
			return err
		}
	}
	return nil
}

// watch runs until the folders to watch are others.
func (l Library) watch(ctx context.Context, changed func(*Registry)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	roots := l.watched(ctx)
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: roots, Skip: func(path string) bool {
		return strings.HasSuffix(path, "node_modules") || strings.HasSuffix(path, ".git")
	}})
	if err != nil {
		return err
	}
	for change := range changes {
		if change.Err != nil && len(change.Paths) == 0 && !change.Rescan {
			continue // a part cannot be watched; the rest goes on
		}
		registry, err := l.Load(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		changed(registry)
		if !slices.Equal(roots, l.watched(ctx)) {
			return nil
		}
	}
	return nil
}

// watched are the roots, and the folders elsewhere that links in them lead to.
func (l Library) watched(ctx context.Context) []string {
	var out []string
	for _, root := range l.Roots {
		out = append(out, root.Dir)
	}
	places, _, _ := l.places(ctx)
	for _, p := range places {
		if p.real != "" && p.problem == "" && p.real != p.Dir && !slices.Contains(out, p.real) {
			out = append(out, p.real)
		}
	}
	return out
}
