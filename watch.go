package pertain

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// settleTime is how long a strategy that vanished or broke keeps its last good
// form: editors replace files, and write them in pieces.
const settleTime = 300 * time.Millisecond

// lookTime is how often everything is looked at where part of it cannot be
// watched, as for rules.
const lookTime = 20 * time.Second

// Watch reloads the catalog when files change and calls changed with each new
// one, until ctx ends. A strategy that an editor is just saving is neither lost
// nor shown as broken in between.
func (e *Engine) Watch(ctx context.Context, changed func(*Catalog)) error {
	var pending []string // files that vanished or broke, to be looked at again when they had time to settle
	for ctx.Err() == nil {
		if err := e.watch(ctx, &pending, changed); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// watch runs until the files to watch are others.
func (e *Engine) watch(ctx context.Context, pending *[]string, changed func(*Catalog)) error {
	ctx, stop := context.WithCancel(ctx)
	roots := e.watched()
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
	settle := time.NewTimer(e.settle)
	defer settle.Stop()
	if len(*pending) == 0 {
		settle.Stop()
	}
	var unwatched <-chan time.Time         // nil: all is watched
	paths, keepGood := []string(nil), true // first everything: what happened before the watch began is not told
	for {
		more, err := e.reloadChanged(ctx, paths, keepGood, changed)
		if err != nil {
			return err
		}
		if len(more) > 0 {
			*pending = spellings(append(*pending, more...)) // one that is saved twice is there twice
			settle.Reset(e.settle)
		}
		if !slices.Equal(roots, e.watched()) {
			return nil
		}
		keepGood = true
		select {
		case <-ctx.Done():
			return nil
		case change, ok := <-changes:
			if !ok {
				return nil
			}
			if change.Err != nil {
				e.warnUnwatched(change.Err)
				unwatched = time.Tick(lookTime)
			}
			paths = e.relevant(change)
		case <-unwatched:
			paths = nil
		case <-settle.C:
			paths, keepGood = *pending, false
			*pending = nil
		}
	}
}

// warnUnwatched says that part of the folders is not watched, and why.
func (e *Engine) warnUnwatched(why error) {
	if e.options.Logger != nil {
		e.options.Logger.Warn("some folders of strategies cannot be watched; they are looked at from time to time", "error", why, "every", lookTime)
	}
}

// relevant are the paths of a change that can be looked at one by one; none
// means: look at everything.
func (e *Engine) relevant(change files.Change) []string {
	if change.Rescan || len(change.Paths) > 64 {
		return nil
	}
	sources := e.Catalog().Sources()
	for _, path := range change.Paths {
		if !strings.HasSuffix(strings.ToLower(path), strategy.Suffix) && !slices.Contains(sources, path) {
			return nil // a folder, perhaps
		}
	}
	return change.Paths
}

func (e *Engine) reloadChanged(ctx context.Context, paths []string, keepGood bool, changed func(*Catalog)) (pending []string, err error) {
	e.loading.Lock()
	next, pending, err := e.load(ctx, paths, keepGood)
	if err != nil {
		e.loading.Unlock()
		return nil, err
	}
	previous := e.Catalog()
	same := slices.Equal(previous.strategies, next.strategies)
	if !same || !slices.EqualFunc(previous.providers, next.providers, sameProvider) {
		e.catalog.Store(next)
	}
	e.loading.Unlock()
	if !same {
		go next.Prepare() // matches until then go without the index
		changed(next)
	}
	return pending, nil
}

func sameProvider(a, b strategy.Provider) bool {
	return a.ID() == b.ID() && slices.Equal(a.Roots(), b.Roots())
}

// watched are the folders of the providers, those that providers are found in, and
// the files that `from` names.
func (e *Engine) watched() []string {
	catalog := e.Catalog()
	roots := slices.Clone(e.options.FindIn)
	for _, p := range catalog.providers {
		roots = append(roots, p.Roots()...)
	}
	return append(roots, catalog.Sources()...)
}

// UserPlaces are the files and folders of the user that rules are read from,
// whether or not they exist: who follows the rules watches them too.
func (b *Rulebook) UserPlaces() []string {
	if b.tree == nil {
		return nil // nothing was opened
	}
	return discover.UserPlaces(b.tree, b.places)
}
