package skill

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
)

const (
	// retryTime is how long a watch waits before it loads again what could not be
	// loaded, such as choices that somebody is just writing.
	retryTime = time.Second
	// lookTime is how often everything is looked at where part of it cannot be
	// watched.
	lookTime = 20 * time.Second
)

// Watch loads the skills again when files change, and calls changed with each
// new registry, until ctx ends. What cannot be loaded at the time is tried again.
// It works on the real disk.
func (l Library) Watch(ctx context.Context, changed func(*Registry)) error {
	before, err := l.Load(ctx)
	if err != nil {
		before = nil // then the first that can be loaded is new
	}
	for ctx.Err() == nil {
		if err := l.watch(ctx, before, changed); err != nil {
			return err
		}
		before = nil
	}
	return nil
}

// watch runs until the folders to watch are others. What happened before it began
// is not told by the system, so it looks first; before, if not nil, is what was
// there then.
func (l Library) watch(ctx context.Context, before *Registry, changed func(*Registry)) error {
	ctx, stop := context.WithCancel(ctx)
	roots := l.watched(ctx)
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: roots, Skip: func(path string) bool {
		return strings.HasSuffix(path, "node_modules") || strings.HasSuffix(path, ".git")
	}})
	if err != nil {
		stop()
		return err
	}
	defer func() {
		stop()
		for range changes { // until it is closed: systems have few watches, and the next one is made at once
		}
	}()
	var retry, unwatched <-chan time.Time // nil: everything was loaded, and is watched
	for {
		registry, err := l.Load(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			retry = time.After(retryTime)
		default:
			retry = nil
			if before == nil || !before.same(registry) {
				changed(registry)
			}
			before = registry
		}
		if !slices.Equal(roots, l.watched(ctx)) {
			return nil
		}
		for looking := false; !looking; {
			select {
			case <-ctx.Done():
				return nil
			case <-retry:
				looking = true
			case <-unwatched:
				looking = true
			case change, ok := <-changes:
				if !ok {
					return nil
				}
				if change.Err != nil {
					unwatched = time.Tick(lookTime)
				}
				if len(change.Paths) > 0 || change.Rescan {
					looking = true
					before = nil // a skill has more files than the one that is compared
				}
			}
		}
	}
}

// same tells whether the skills of two registries are the same ones.
func (r *Registry) same(other *Registry) bool {
	return slices.EqualFunc(r.skills, other.skills, func(a, b *Skill) bool {
		return a.Place == b.Place && a.Source.Text() == b.Source.Text() && a.Enabled == b.Enabled && a.Valid == b.Valid
	}) && slices.EqualFunc(r.diagnostics, other.diagnostics, func(a, b diag.Diagnostic) bool {
		return a.File() == b.File() && a.Message == b.Message
	})
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
