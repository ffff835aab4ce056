package ax

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
)

// Times of watching: nobody is told by macOS without a run loop of the main
// thread, which a command has not, so the desktop is looked at.
const (
	Period  = 250 * time.Millisecond // between two glances
	Fresh   = 3 * time.Second        // after which a tree is read again though nothing seems to have changed
	Patient = 20                     // times as long as a reading took, at least, until the next one: applications have their own work
)

// Watched is a desktop that is looked at.
type Watched interface {
	// glance looks at what users change; it is cheap.
	Look(ctx context.Context) Look

	// refresh reads the tree of the window in front, so that it is at hand.
	Refresh(ctx context.Context)
}

// Follow looks at a desktop at each tick until ctx ends, keeps warm what is in
// front, and tells when that has changed.
func Follow(ctx context.Context, ticks <-chan time.Time, d Watched, warm *Kept, changed func()) {
	last := d.Look(ctx)
	var next time.Time // when the tree is read again
	for {
		var now time.Time
		select {
		case <-ctx.Done():
			return
		case now = <-ticks:
		}
		glance := d.Look(ctx)
		if ctx.Err() != nil {
			return
		}
		switch last.news(glance) {
		case Other:
			warm.Drop()
			next = now.Add(ReadAgain(ctx, d, warm))
			changed()
		case Typed:
			warm.ForgetTexts()
			changed()
		case Same:
			if now.Before(next) || !warm.Wanted() {
				break
			}
			before := warm.Fingerprint()
			warm.Drop()
			next = now.Add(ReadAgain(ctx, d, warm))
			if warm.Fingerprint() != before {
				changed()
			}
		}
		last = glance
	}
}

// ReadAgain reads the tree, if anybody wants it, and says after which time to
// do so again.
func ReadAgain(ctx context.Context, d Watched, warm *Kept) time.Duration {
	if !warm.Wanted() {
		return 0
	}
	began := time.Now()
	d.Refresh(ctx)
	return max(Fresh, Patient*time.Since(began))
}

// News is what has changed between two glances.
type News uint8

const (
	Same  News = iota
	Typed      // text, what is selected of it, or the clipboard
	Other      // what the window shows
)

// news compares with a later glance.
func (g Look) news(later Look) News {
	if g == later {
		return Same
	}
	typed := g
	typed.start, typed.length, typed.characters, typed.Changes = later.start, later.length, later.characters, later.Changes
	if typed == later {
		return Typed
	}
	return Other
}

// Kept is the tree of the window in front, kept while the desktop is watched.
type Kept = uitree.Kept[Key]
