package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

const (
	// slowLook is how often is looked without a hint: folders of the home that do
	// not exist yet are not watched, and a system may have no watch left.
	slowLook = 20 * time.Second

	// blindLook is how old strategies may be that cannot be watched.
	blindLook = time.Second
)

// Watch calls changed with what changed on disk, strategies, rules or skills,
// until ctx ends. Calls do not overlap. What cannot be watched is looked at now
// and then.
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
		w.keepWatching(ctx, func(ctx context.Context) error {
			return w.Skills().Watch(ctx, func(*skill.Registry) { skills() })
		}, skills)
	})
	all.Go(func() {
		w.keepWatching(ctx, func(ctx context.Context) error { return w.watchDecisions(ctx, skills) }, func() { w.rethink(); skills() })
	})
	engine := w.engine.Load()
	all.Go(func() {
		w.keepWatching(ctx, func(ctx context.Context) error {
			w.blind.Store(false)
			err := engine.Watch(ctx, func(*pertain.Catalog) { tell("strategies") })
			w.blind.Store(err != nil && ctx.Err() == nil)
			return err
		}, func() {
			if w.reload(0) {
				tell("strategies")
			}
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

// keepWatching watches until ctx ends. Where that cannot be done it looks now and
// then, and tries again.
func (w *workspace) keepWatching(ctx context.Context, watch func(context.Context) error, look func()) {
	for ctx.Err() == nil {
		err := watch(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			w.cannotWatch(err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(slowLook):
		}
		look()
	}
}

// cannotWatch tells the user once for the whole server.
func (w *workspace) cannotWatch(why error) {
	w.service.unwatched.Do(func() {
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

// reload reads the strategies again if that was not done for a while, and tells
// whether they are others.
func (w *workspace) reload(after time.Duration) bool {
	now, last := time.Now().UnixNano(), w.reloaded.Load()
	if time.Duration(now-last) < after || !w.reloaded.CompareAndSwap(last, now) {
		return false
	}
	engine := w.engine.Load()
	old := engine.Catalog()
	next, err := engine.Reload(context.Background())
	return err == nil && !slices.Equal(old.Strategies(), next.Strategies())
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
	w.keepWatching(ctx, func(ctx context.Context) error {
		changes, err := files.Watch(ctx, files.WatchOptions{Roots: []string{w.app.abs(w.where.file)}})
		if err != nil {
			return err
		}
		for change := range changes {
			if change.Err != nil {
				w.cannotWatch(change.Err)
			}
			changed()
		}
		return nil
	}, changed)
	return nil
}

// watchRules compares the rules whenever something happens where rules are, and
// now and then without a hint.
func (w *workspace) watchRules(ctx context.Context, changed func()) {
	var known *pertain.Rulebook
	roots := []string{w.Root()}
	look := func() (moved bool) {
		book, err := w.Rules(ctx, pertain.RuleOptions{})
		if err != nil {
			return false
		}
		if known != nil && !sameRules(known.All(), book.All()) {
			changed()
		}
		known = book
		next := ruleFolders(book, w.Root())
		moved = !slices.Equal(next, roots)
		roots = next
		return moved
	}
	for ctx.Err() == nil {
		w.watchFolders(ctx, roots, look)
	}
}

// watchFolders looks at once, for what happened before the watch began, and with
// each change, until there are other folders to watch.
func (w *workspace) watchFolders(ctx context.Context, roots []string, look func() (moved bool)) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: roots, MaxFolders: 500, Skip: holdsNoRules})
	if err != nil {
		changes = nil // look now and then
		w.cannotWatch(err)
	}
	for !look() {
		select {
		case <-ctx.Done():
			return
		case change := <-changes:
			if change.Err != nil {
				w.cannotWatch(change.Err)
			}
		case <-time.After(slowLook):
			if changes == nil {
				return // there may be a watch by now
			}
		}
	}
}

// ruleFolders are the folder and those above up to the project's root, those that hold the
// rules that are known, and the user's, which need not exist yet.
func ruleFolders(book *pertain.Rulebook, dir string) []string {
	out := []string{dir}
	for dir != book.Root && len(dir) > len(book.Root) {
		dir = filepath.Dir(dir)
		out = append(out, dir)
	}
	for _, r := range book.All() {
		out = append(out, r.Path)
		out = append(out, r.Includes...)
	}
	out = append(out, book.UserPlaces()...)
	slices.Sort(out)
	return slices.Compact(out)
}

// holdsNoRules leaves out the folders of a project that no tool keeps rules in:
// all but those that begin with a dot, and what is below them.
func holdsNoRules(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return false // a file, or gone: it may have been a rule
	}
	name := filepath.Base(path)
	if strings.HasPrefix(name, ".") {
		return slices.Contains([]string{".git", ".hg", ".svn", ".venv", ".cache", ".next", ".nuxt", ".gradle", ".terraform"}, name)
	}
	for dir := filepath.Dir(path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if strings.HasPrefix(filepath.Base(dir), ".") {
			return name == "node_modules"
		}
	}
	return true
}

func sameRules(a, b []*rule.Rule) bool {
	return slices.EqualFunc(a, b, func(x, y *rule.Rule) bool {
		return x.Path == y.Path && x.Content == y.Content && x.Source.Text() == y.Source.Text() && x.Shadowed == y.Shadowed
	})
}
