package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/ax"
	"github.com/pertain-dev/pertain/collect/internal/macos"
	"github.com/pertain-dev/pertain/facts"
)

// visual reads the elements of the window in front over the system's
// accessibility.
type visual struct{ *desktop }

func (visual) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.accessibility", Serves: []string{facts.Visual}, Permission: readPermission}
}

func (v visual) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	_, app, front, err := v.window(ctx)
	if errors.Is(err, errNoWindow) {
		return facts.Part{}.With(facts.Visual, facts.Value{}), nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	defer front.Close()
	key := front.Key(app.pid)
	warm := v.warm.Load()
	if kept, ok := warm.Tree(key); ok {
		return kept, nil
	}
	since := warm.Generation()
	part, texts, whole, status := front.Tree(ax.TimeLeft(ctx, ax.Reserve), ax.TimeLeft(ctx, ax.Reserve/5), v.kinds, app.process)
	if status != ax.StatusSuccess {
		return facts.Part{}, ax.Failed(status)
	}
	if whole {
		warm.Keep(since, key, part, texts)
	}
	return part, nil
}

// window is the window in front, if it may be read; the caller closes it.
func (d *desktop) window(ctx context.Context) (*macos.Accessibility, application, ax.Front, error) {
	a, err := d.accessibility()
	if err != nil {
		return nil, application{}, ax.Front{}, errSystem(err)
	}
	if !a.Trusted() {
		return nil, application{}, ax.Front{}, ax.ErrPermission()
	}
	app, err := d.front(ctx)
	if err != nil {
		return nil, application{}, ax.Front{}, err
	}
	front, status := ax.FrontOf(a, app.pid, ax.TimeLeft(ctx, ax.Reserve))
	switch {
	case status != ax.StatusSuccess:
		err = ax.Failed(status)
	case front.Window == 0:
		err = errNoWindow
	default:
		err = d.private().Refuses(front.Title, app.names()...)
	}
	if err != nil {
		front.Close()
		return nil, application{}, ax.Front{}, err
	}
	return a, app, front, nil
}
