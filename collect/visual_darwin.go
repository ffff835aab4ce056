package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
)

// visual reads the elements of the window in front over the system's
// accessibility.
type visual struct{ *desktop }

func (visual) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.accessibility", Serves: []string{facts.Visual}, Permission: readPermission}
}

func (v visual) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	a, app, front, err := v.window(ctx)
	if errors.Is(err, errNoWindow) {
		return facts.Part{}.With(facts.Visual, facts.Value{}), nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	defer front.close()
	key := front.key(app.pid)
	warm := v.warm.Load()
	if kept, ok := warm.Tree(key); ok {
		return kept, nil
	}
	since := warm.Generation()
	walk := &axWalk{system: a, left: axTimeLeft(ctx, axReserve)}
	a.retain(front.window) // the walk releases what it reads
	if status := walk.walk(front.window); status != axSuccess {
		walk.close()
		return facts.Part{}, axFailed(status)
	}
	walk.left = axTimeLeft(ctx, axReserve/5) // the element with the keyboard is worth a part of the reserve
	whole := walk.lacks == "" || walk.lacks == axTooMany
	part, texts := axPart(walk, v.kinds, front.focus, app.process)
	if whole {
		warm.Keep(since, key, part, texts)
	}
	return part, nil
}

// window is the window in front, if it may be read; the caller closes it.
func (d *desktop) window(ctx context.Context) (*systemAccessibility, application, axFront, error) {
	a, err := d.accessibility()
	if err != nil {
		return nil, application{}, axFront{}, errSystem(err)
	}
	if !a.trusted() {
		return nil, application{}, axFront{}, errAXPermission()
	}
	app, err := d.front(ctx)
	if err != nil {
		return nil, application{}, axFront{}, err
	}
	front, status := axFrontOf(a, app.pid, axTimeLeft(ctx, axReserve))
	switch {
	case status != axSuccess:
		err = axFailed(status)
	case front.window == 0:
		err = errNoWindow
	default:
		err = d.private().Refuses(front.title, app.names()...)
	}
	if err != nil {
		front.close()
		return nil, application{}, axFront{}, err
	}
	return a, app, front, nil
}
