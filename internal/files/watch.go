package files

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// WatchOptions says what to watch on the real disk.
type WatchOptions struct {
	Roots      []string      // files or folders, the latter with all below; they need not exist yet
	Debounce   time.Duration // quiet time before a change is told, 0 means 50 ms
	MaxDelay   time.Duration // a change is told after this long even if more keep coming, 0 means 1 s
	MaxFolders int           // folders to watch, 0 means 10,000
	// Skip names folders below a root that are not watched, such as node_modules; nil skips none.
	Skip func(path string) bool
}

// Change is a hint that something happened. It says where to look, never what is there now: the reader looks itself.
type Change struct {
	Paths  []string // absolute, sorted, each once; a new folder stands for all in it
	Rescan bool     // something was missed: look at everything
	Err    error    // part of the roots cannot be watched; told once for each reason
}

// Watch tells of changes below the roots until ctx ends; then it closes the channel and leaves nothing running. What happens
// while the receiver is busy is put together. Saving by rename, removing and making a root again, and roots
// that appear later are all seen.
func Watch(ctx context.Context, opts WatchOptions) (<-chan Change, error) {
	w, err := newWatcher(ctx, opts)
	if err != nil {
		return nil, err
	}
	out := make(chan Change)
	go w.run(ctx, out)
	return out, nil
}

func newWatcher(ctx context.Context, opts WatchOptions) (*watcher, error) {
	notify, err := openNotifier(ctx)
	if err != nil {
		return nil, err
	}
	w := &watcher{
		notify: notify, skip: opts.Skip, maxFolders: cmp.Or(opts.MaxFolders, 10_000),
		debounce: cmp.Or(opts.Debounce, 50*time.Millisecond), maxDelay: cmp.Or(opts.MaxDelay, time.Second),
		watched: map[string]bool{}, paths: map[string]bool{}, told: map[string]bool{},
	}
	for _, root := range opts.Roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			_ = notify.Close()
			return nil, err
		}
		w.roots = append(w.roots, abs)
	}
	w.arm(ctx)
	clear(w.paths) // what was there at the start is no change
	return w, nil
}

type watcher struct {
	notify     *notifier
	roots      []string
	skip       func(string) bool
	maxFolders int
	debounce   time.Duration
	maxDelay   time.Duration
	watched    map[string]bool // folders that notify watches

	paths  map[string]bool // what is to be told next
	rescan bool
	err    error
	told   map[string]bool // errors that were told
}

func (w *watcher) run(ctx context.Context, out chan<- Change) {
	defer close(out)
	defer func() { _ = w.notify.Close() }()
	var quiet, late <-chan time.Time // both nil: nothing is pending, or what is waits for the receiver
	var due Change                   // waits for the receiver; what happens meanwhile makes up the next one
	var send chan<- Change           // nil: nothing is due
	ripen := func() {
		quiet, late = nil, nil
		if send == nil && w.pending() {
			due, send = w.take(), out
		}
	}
	ripen()
	for {
		select {
		case <-ctx.Done():
			return
		case send <- due:
			send = nil
			if quiet == nil {
				ripen()
			}
			continue
		case <-quiet:
			ripen()
			continue
		case <-late:
			ripen()
			continue
		case event, ok := <-w.notify.Events:
			if !ok {
				return
			}
			w.handle(ctx, event)
		case err, ok := <-w.notify.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				w.startOver(ctx)
			} else {
				w.fail(err)
			}
		}
		if !w.pending() {
			continue
		}
		if late == nil {
			late = time.After(w.maxDelay)
		}
		quiet = time.After(w.debounce)
	}
}

// take empties what is pending into a change.
func (w *watcher) take() Change {
	c := Change{Paths: slices.Sorted(maps.Keys(w.paths)), Rescan: w.rescan, Err: w.err}
	clear(w.paths)
	w.rescan, w.err = false, nil
	return c
}

// maxPaths is how many paths are collected before it is simpler to look at everything.
const maxPaths = 4096

// startOver is for when the system has dropped events: nothing is known of what is watched now.
func (w *watcher) startOver(ctx context.Context) {
	for folder := range w.watched {
		_ = w.notify.Remove(folder) // it may be gone already
	}
	clear(w.watched)
	w.arm(ctx)
	clear(w.paths)
	w.rescan = true
}

func (w *watcher) pending() bool { return len(w.paths) > 0 || w.rescan || w.err != nil }

func (w *watcher) handle(ctx context.Context, event fsnotify.Event) {
	path := event.Name
	if event.Op&(fsnotify.Create|fsnotify.Write|fsnotify.Remove|fsnotify.Rename) == 0 {
		return // permissions and times: indexers touch them all the time
	}
	if event.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
		w.forget(path)
	}
	below, above := w.relation(path)
	if below && !w.skipped(path) {
		w.paths[path] = true
		if event.Op&^fsnotify.Write != 0 {
			// Not only what was made: the end of an old folder may be told after the new one of that name is there.
			w.watchFolder(ctx, path)
		}
		if len(w.paths) > maxPaths {
			clear(w.paths)
			w.rescan = true
		}
	}
	if above && event.Op&^fsnotify.Write != 0 {
		w.arm(ctx)
	}
}
