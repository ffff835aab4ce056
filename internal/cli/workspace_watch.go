package cli

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/skill"
)

// tryAgain is when something is watched again that could not be read at all.
const tryAgain = 2 * time.Second

// Watch calls changed with what changed on disk, strategies, rules or skills,
// until ctx ends. Calls do not overlap.
func (w *workspace) Watch(ctx context.Context, changed func(part string)) error {
	var one sync.Mutex
	tell := func(part string) {
		one.Lock()
		defer one.Unlock()
		changed(part)
	}
	var rules sync.WaitGroup
	defer rules.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rules.Go(func() { w.watchRules(ctx, func() { tell("rules") }) })
	for ctx.Err() == nil {
		w.watchEngine(ctx, tell)
	}
	return nil
}

// watchEngine follows strategies and skills until the user decides otherwise:
// trust decides about both.
func (w *workspace) watchEngine(ctx context.Context, tell func(part string)) {
	var all sync.WaitGroup
	defer all.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	skills := func() { tell("skills") }
	all.Go(func() {
		w.keepWatching(ctx, func(ctx context.Context) error { return w.Skills().Watch(ctx, func(*skill.Registry) { skills() }) })
	})
	all.Go(func() {
		w.keepWatching(ctx, func(ctx context.Context) error { return w.watchDecisions(ctx, skills) })
	})
	engine := w.engine.Load()
	all.Go(func() {
		w.keepWatching(ctx, func(ctx context.Context) error {
			return engine.Watch(ctx, func(*pertain.Catalog) { tell("strategies") })
		})
	})
	select {
	case <-ctx.Done():
	case <-w.reopened:
		stop()
		tell("strategies")
		tell("skills")
	}
}

// keepWatching watches until ctx ends. What could not be read is tried again.
func (w *workspace) keepWatching(ctx context.Context, watch func(context.Context) error) {
	for ctx.Err() == nil {
		if err := watch(ctx); err != nil && ctx.Err() == nil {
			w.cannotWatch(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(tryAgain):
		}
	}
}

// cannotWatch tells the user once for the whole server.
func (w *workspace) cannotWatch(why error) {
	w.server.unwatched.Do(func() {
		about := []any{"error", why}
		if runtime.GOOS == "linux" {
			switch {
			case errors.Is(why, syscall.EMFILE):
				about = append(about, "remedy", "raise fs.inotify.max_user_instances with sysctl, or end programs that watch files")
			case errors.Is(why, syscall.ENOSPC):
				about = append(about, "remedy", "raise fs.inotify.max_user_watches with sysctl")
			}
		}
		w.logger.Warn("files cannot be watched, or not all of them; they are looked at when something is asked for, and now and then", about...)
	})
}

// WatchContext calls changed when the context may be another, until ctx ends. It
// is apart from Watch because it reads the desktop all the time: only who shows
// the context to somebody calls it. Where the desktop cannot be watched, the git
// workspace still is.
func (w *workspace) WatchContext(ctx context.Context, changed func()) error {
	switch w.where.file {
	case "-": // was read once
		return nil
	case "":
		var all sync.WaitGroup
		defer all.Wait()
		all.Go(func() { w.machine.WatchWorkspace(ctx, changed) })
		return w.machine.Watch(ctx, changed)
	}
	path, first := w.app.abs(w.where.file), true
	return follow.Changes(ctx, follow.Options{Unwatched: w.cannotWatch}, func(ctx context.Context) (time.Duration, error) {
		follow.Note(ctx, path)
		if !first {
			changed()
		}
		first = false
		return 0, nil
	})
}

// watchRules tells when rules are others, those of all folders of the project.
func (w *workspace) watchRules(ctx context.Context, changed func()) {
	first := true
	_ = pertain.WatchRules(ctx, w.app.environment(), pertain.RuleOptions{Nested: true}, func(*pertain.Rulebook) {
		if !first {
			changed()
		}
		first = false
	}, w.cannotWatch) // it ends with ctx alone
}
