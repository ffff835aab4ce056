package collect

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/privacy"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/facts"
)

// maxOwners bounds how far it is followed which window belongs to which.
const maxOwners = 16

// nameTime is how long programs get to say how their windows are called where
// only their privacy hangs on it; nameLasts is how long the answer counts, so
// that the collectors of one question ask once.
const (
	nameTime  = 80 * time.Millisecond
	nameLasts = 100 * time.Millisecond
)

// judged is what was last said about a window by its names; see nameLasts.
type judged struct {
	mu   sync.Mutex // held while programs are asked, for nameTime at most
	of   string     // the windows
	when time.Time
	err  error
}

// guard refuses a window that must not be read: because of what it is called,
// in its title or on the accessibility bus, or because it belongs to such a
// window, as a dialog does.
func (d *desktop) guard(ctx context.Context, w window) error {
	p := d.private()
	if !p.Asked() {
		return nil
	}
	owners, err := d.owners(w)
	if err != nil {
		return err
	}
	family := append([]window{w}, owners...)
	speaks := len(p.Titles) > 0 // whether a name on the bus may say that a window is private
	for _, one := range family {
		names := append(process.Names(one.pid), one.process, one.class, one.instance)
		if err := cmp.Or(p.Refuses(one.title, names...), p.Refuses(one.shown(), names...), p.RefusesArguments(process.Arguments(one.pid), names...)); err != nil {
			return err
		}
		speaks = speaks || !p.NoDefaults && browser.KindOf(names) == browser.ChromiumKind
	}
	for _, title := range w.family {
		if err := p.Refuses(title, w.process, w.class); err != nil {
			return err
		}
	}
	if !speaks || w.id == 0 && !w.accessible.None() { // the title is that of the bus
		return nil
	}
	of := ""
	for _, one := range family {
		of += one.key() + "\x00" + one.title + "\x00" + one.bar + "\x00"
	}
	d.names.mu.Lock()
	defer d.names.mu.Unlock()
	if d.names.of != of || time.Since(d.names.when) > nameLasts {
		err := d.guardNames(ctx, family)
		if ctx.Err() != nil { // the next question may have more time
			return err
		}
		d.names.of, d.names.err, d.names.when = of, err, time.Now()
	}
	return d.names.err
}

// guardNames refuses windows by their names on the accessibility bus. Where
// those cannot be had, titles are all there is, but for Chromium, which writes
// only there that a window is a private one.
func (d *desktop) guardNames(ctx context.Context, family []window) error {
	limited, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	for _, one := range family {
		chromium := browser.IsChromium(strings.ToLower(one.process + " " + one.class))
		found, err := d.nameOf(limited, one)
		if err == nil && !found.None() {
			if err := d.private().Refuses(found.Name, append(process.Names(found.PID), one.process, one.class)...); err != nil {
				return err
			}
			if !d.private().NoDefaults && chromium && browser.Bracketed(found.Name, one.title) {
				return privacy.ErrUsual
			}
		}
		known := err == nil && !found.None() || errors.Is(err, atspi.ErrUnshown) && one.dialog
		if known || !chromium {
			continue
		}
		if err := undecided(limited, err); err != nil {
			return err
		}
		if len(d.private().Titles) == 0 {
			continue // nothing of the window can be read but through its debugging port, which knows
		}
		return facts.PermissionMissing("the browser in front does not say whether its window is one of those that the settings call private",
			"run "+turnOn+", then start the browser again")
	}
	return nil
}

// undecided is the answer about a browser that is on the bus, and did not tell the name
// of its window: it may be a private one, so that what was copied there is not read
// either. err is why there is no name; nil: the browser is not on the bus at all.
func undecided(limited context.Context, err error) error {
	if limited.Err() == nil && (err == nil || errors.Is(err, errNoBus)) {
		return nil
	}
	var told *facts.CollectError
	if !errors.As(atspi.Unanswered(limited, cmp.Or(err, limited.Err())), &told) {
		return privacy.ErrUndecided
	}
	own := *told
	own.Err = errors.Join(told.Err, privacy.ErrUndecided)
	return &own
}

// errNoBus is the cause where there is no accessibility bus to ask.
var errNoBus = errors.New("there is no accessibility bus")

// nameOf finds a window on the bus.
func (d *desktop) nameOf(ctx context.Context, w window) (atspi.Toplevel, error) {
	bus, err := d.session.Dial(ctx)
	if err != nil {
		return atspi.Toplevel{}, errors.Join(err, errNoBus)
	}
	return bus.Find(ctx, w.target(), func() []string { return d.otherTitles(w) })
}

// owners are the windows that a window of X belongs to, the nearest first. One
// that belongs to others but does not say to which may belong to each of its
// program.
func (d *desktop) owners(w window) ([]window, error) {
	if !w.dialog {
		return nil, nil
	}
	x, err := d.x11()
	if err != nil {
		return nil, err
	}
	shown, err := x.ShownWindows()
	if err != nil {
		return nil, facts.Unavailable("the X server does not tell which window the dialog in front belongs to", "close it")
	}
	var all []window
	for at := w; len(all) < maxOwners; {
		if !slices.Contains(shown, at.owner) {
			if at.dialog {
				all = append(all, d.others(w)...)
			}
			return all, nil
		}
		found, ok := x.Window(at.owner)
		owner := fromX11(found)
		if !ok || slices.ContainsFunc(all, func(seen window) bool { return seen.id == owner.id }) {
			break
		}
		all = append(all, owner)
		at = owner
	}
	return all, nil
}

// others are the other windows of a window's program that the window manager
// shows.
func (d *desktop) others(w window) []window {
	x, err := d.x11()
	if err != nil || w.id == 0 {
		return nil
	}
	shown, err := x.ShownWindows()
	if err != nil {
		return nil
	}
	var all []window
	for _, id := range shown {
		if id == w.id {
			continue
		}
		found, ok := x.Window(id)
		other := fromX11(found)
		if ok && (x.SameClient(id, w.id) || other.pid == w.pid && w.pid != 0) {
			all = append(all, other)
		}
	}
	return all
}

// otherTitles are the titles of others.
func (d *desktop) otherTitles(w window) []string {
	var titles []string
	for _, other := range d.others(w) {
		titles = append(titles, other.title)
	}
	return titles
}

// tellsPrivacy refuses a browser of which nobody says whether its window is a
// private one: its name on the bus would.
func (d *desktop) tellsPrivacy(ctx context.Context, w window) error {
	found, err := d.nameOf(ctx, w)
	if err == nil && !found.None() || !browser.IsChromium(strings.ToLower(w.process+" "+w.class)) {
		return nil // the window has been looked at
	}
	return facts.PermissionMissing("the browser in front does not say whether its window is a private one", "run "+turnOn+", then start the browser again; or set `private.defaults: false`")
}
