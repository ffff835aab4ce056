package collect

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// watch looks at the desktop several times a second. Without the permission for
// accessibility it sees another application in front and another clipboard.
func (d *desktop) watch(ctx context.Context, changed func()) error {
	if err := d.absent(); err != nil {
		return err
	}
	warm := &axWarm{}
	d.warm.Store(warm)
	defer d.warm.Store(nil)
	ticker := time.NewTicker(axPeriod)
	defer ticker.Stop()
	axFollow(ctx, ticker.C, d, warm, changed)
	return nil
}

// glance is an axWatched. Of an application that is never read, nothing is
// looked at.
func (d *desktop) glance(ctx context.Context) axGlance {
	ctx, cancel := context.WithTimeout(ctx, axPeriod)
	defer cancel()
	var g axGlance
	if app, err := d.front(ctx); err == nil {
		g.pid = app.pid
		if a, err := d.accessibility(); err == nil && a.trusted() {
			g = axGlanceAt(a, app.pid, axTimeLeft(ctx, 0))
			if d.private().Refuses(g.title, app.names()...) != nil {
				g = axGlance{pid: app.pid}
			}
		}
	}
	g.changes = d.pasteChanges()
	return g
}

// refresh is an axWatched.
func (d *desktop) refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, _ = visual{d}.Collect(ctx, nil, facts.Request{}) // who asks later is told what is wrong
}
