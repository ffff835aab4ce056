package pertain

import (
	"context"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/strategy"
)

// Watch reloads the catalog when files change and calls changed with each new
// one, until ctx ends. A strategy that an editor is just saving is neither lost
// nor shown as broken in between. Everything that decides about a strategy is
// followed: links wherever they lead, sources of `from` and skills, whether they
// are there yet or not. With options of [Locate], so is what they came from: the
// settings, which workspace it is, and whether the user trusts it.
func (e *Engine) Watch(ctx context.Context, changed func(*Catalog)) error {
	pending := patience{settle: e.settle}
	return follow.Changes(ctx, follow.Options{Unwatched: e.warnUnwatched}, func(ctx context.Context) (time.Duration, error) {
		return e.reloadChanged(ctx, &pending, changed)
	})
}

// warnUnwatched says that part of the folders is not watched, and why.
func (e *Engine) warnUnwatched(why error) {
	if e.options.Logger != nil {
		e.options.Logger.Warn("some folders of strategies cannot be watched; they are looked at from time to time", "error", why)
	}
}

// reloadChanged returns after which time it is to be called again; 0 means when
// something changes.
func (e *Engine) reloadChanged(ctx context.Context, pending *patience, changed func(*Catalog)) (again time.Duration, err error) {
	e.loading.Lock()
	e.relocate(ctx)
	next, waiting, err := e.load(ctx, nil, pending.waits)
	if err != nil {
		e.loading.Unlock()
		return 0, err
	}
	same := e.swap(next)
	e.loading.Unlock()
	if !same {
		go next.Prepare() // matches until then go without the index
		changed(next)
	}
	return pending.await(waiting), nil
}

func sameDiagnostic(a, b diag.Diagnostic) bool {
	return a.Code == b.Code && a.Message == b.Message && a.Span == b.Span && a.File() == b.File()
}

func sameProvider(a, b strategy.Provider) bool {
	return a.ID() == b.ID() && slices.Equal(a.Roots(), b.Roots())
}
