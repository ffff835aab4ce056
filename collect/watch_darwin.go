package collect

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/ax"
	"github.com/pertain-dev/pertain/facts"
)

// watch looks at the desktop several times a second. Without the permission for
// accessibility it sees another application in front and another clipboard.
func (d *desktop) watch(ctx context.Context, changed func()) error {
	if err := d.absent(); err != nil {
		return err
	}
	warm := &ax.Kept{}
	d.warm.Store(warm)
	defer d.warm.Store(nil)
	ticker := time.NewTicker(ax.Period)
	defer ticker.Stop()
	ax.Follow(ctx, ticker.C, d, warm, changed)
	return nil
}

// Look is an Watched. Of an application that is never read, nothing is
// looked at.
func (d *desktop) Look(ctx context.Context) ax.Look {
	ctx, cancel := context.WithTimeout(ctx, ax.Period)
	defer cancel()
	var g ax.Look
	if app, err := d.front(ctx); err == nil {
		g.Pid = app.pid
		if a, err := d.accessibility(); err == nil && a.Trusted() {
			g = ax.LookAt(a, app.pid, ax.TimeLeft(ctx, 0))
			if d.private().Refuses(g.Title, app.names()...) != nil {
				g = ax.Look{Pid: app.pid}
			}
		}
	}
	g.Changes = d.pasteChanges()
	return g
}

// Refresh is an Watched.
func (d *desktop) Refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_, _ = visual{d}.Collect(ctx, nil, facts.Request{}) // who asks later is told what is wrong
}
