package collect

import (
	"context"
	"time"
)

// Times of watching: nobody is told by macOS without a run loop of the main
// thread, which a command has not, so the desktop is looked at.
const (
	axPeriod  = 250 * time.Millisecond // between two glances
	axFresh   = 3 * time.Second        // after which a tree is read again though nothing seems to have changed
	axPatient = 20                     // times as long as a reading took, at least, until the next one: applications have their own work
)

// axWatched is a desktop that is looked at.
type axWatched interface {
	// glance looks at what users change; it is cheap.
	glance(ctx context.Context) axGlance

	// refresh reads the tree of the window in front, so that it is at hand.
	refresh(ctx context.Context)
}

// axFollow looks at a desktop at each tick until ctx ends, keeps warm what is in
// front, and tells when that has changed.
func axFollow(ctx context.Context, ticks <-chan time.Time, d axWatched, warm *axWarm, changed func()) {
	last := d.glance(ctx)
	var next time.Time // when the tree is read again
	for {
		var now time.Time
		select {
		case <-ctx.Done():
			return
		case now = <-ticks:
		}
		glance := d.glance(ctx)
		if ctx.Err() != nil {
			return
		}
		switch last.news(glance) {
		case axOther:
			warm.Drop()
			next = now.Add(axReadAgain(ctx, d, warm))
			changed()
		case axTyped:
			warm.ForgetTexts()
			changed()
		case axSame:
			if now.Before(next) || !warm.Wanted() {
				break
			}
			before := warm.Fingerprint()
			warm.Drop()
			next = now.Add(axReadAgain(ctx, d, warm))
			if warm.Fingerprint() != before {
				changed()
			}
		}
		last = glance
	}
}

// axReadAgain reads the tree, if anybody wants it, and says after which time to
// do so again.
func axReadAgain(ctx context.Context, d axWatched, warm *axWarm) time.Duration {
	if !warm.Wanted() {
		return 0
	}
	began := time.Now()
	d.refresh(ctx)
	return max(axFresh, axPatient*time.Since(began))
}

// axNews is what has changed between two glances.
type axNews uint8

const (
	axSame  axNews = iota
	axTyped        // text, what is selected of it, or the clipboard
	axOther        // what the window shows
)

// news compares with a later glance.
func (g axGlance) news(later axGlance) axNews {
	if g == later {
		return axSame
	}
	typed := g
	typed.start, typed.length, typed.characters, typed.changes = later.start, later.length, later.characters, later.changes
	if typed == later {
		return axTyped
	}
	return axOther
}
