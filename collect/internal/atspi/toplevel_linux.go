package atspi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/facts"
)

// Toplevel is a window of an application.
type Toplevel struct {
	Node
	PID    int
	Name   string
	states States
}

// strayTime is how long programs get that are asked only because the one in
// front could not be found by its process.
const strayTime = 40 * time.Millisecond

// Find looks for a window of X on the bus: first among those of its process,
// then, for programs in a sandbox, among all by its title. otherTitles are those of
// the other windows of its program. The zero value says that its program is not
// there.
func (a *Bus) Find(ctx context.Context, w Target, otherTitles func() []string) (Toplevel, error) {
	apps, err := a.applications(ctx)
	if err != nil {
		return Toplevel{}, err
	}
	var own, strays []application
	for _, app := range apps {
		if app.pid == w.PID && w.PID != 0 {
			own = append(own, app)
		} else {
			strays = append(strays, app)
		}
	}
	if len(own) > 0 {
		tops, err := a.toplevels(ctx, own)
		if err != nil {
			return Toplevel{}, err
		}
		t, ok := choose(tops, w.Title)
		if ok && t.states.Has(StateActive) {
			return t, nil
		}
		if others := otherTitles(); !ok {
			t, ok = remaining(tops, w, others)
		} else {
			ok = unrivalled(tops, t, others)
		}
		if !ok {
			return Toplevel{}, ErrUnshown
		}
		return t, nil
	}
	if w.Title == "" {
		return Toplevel{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, strayTime)
	defer cancel()
	tops, _ := a.toplevels(ctx, strays) // what does not answer cannot be found, and nothing more
	// Another program's window may have the title, too, as that of a terminal; but it is not active.
	tops = slices.DeleteFunc(tops, func(t Toplevel) bool { return !t.states.Has(StateActive) })
	t, _ := choose(tops, w.Title)
	return t, nil
}

// toplevels are the windows of applications. The error is that of an application
// or a window which does not answer; the windows of the others are there nevertheless.
func (a *Bus) toplevels(ctx context.Context, apps []application) ([]Toplevel, error) {
	calls := make([]*dbus.Call, len(apps))
	for i, app := range apps {
		calls[i] = a.Start(ctx, app.root, Prefix+"Accessible.GetChildren")
	}
	var tops []Toplevel
	var failed error
	for i, call := range calls {
		children, err := Result[[]Node](call)
		if err != nil {
			failed = err
			continue
		}
		for _, child := range children {
			if !child.None() {
				tops = append(tops, Toplevel{Node: child, PID: apps[i].pid})
			}
		}
	}
	names, states := make([]*dbus.Call, len(tops)), make([]*dbus.Call, len(tops))
	for i, t := range tops {
		names[i], states[i] = a.Name(ctx, t.Node), a.States(ctx, t.Node)
	}
	for i := range tops {
		if err := tops[i].take(names[i], states[i]); err != nil {
			failed = err
		}
	}
	return tops, failed
}

// take waits for what a window tells of itself. One that does not tell, such as one that
// was just closed, has no name and no states; of one that was not heard in time nothing
// is known, and that is the error.
func (t *Toplevel) take(name, states *dbus.Call) error {
	text, unnamed := Variant[string](name)
	t.Name = ValidText(text, unnamed)
	var unsaid error
	t.states, unsaid = StatesOf(states)
	for _, err := range []error{unnamed, unsaid} {
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}

// choose takes the window that has the title. Of several it is the active one;
// one that has it alone need not say that it is active (Chromium is late in
// that).
func choose(tops []Toplevel, title string) (Toplevel, bool) {
	var named, active []Toplevel
	for _, t := range tops {
		if t.called(title) {
			named = append(named, t)
			if t.states.Has(StateActive) {
				active = append(active, t)
			}
		}
	}
	switch {
	case len(active) > 0:
		return active[0], true
	case len(named) == 1:
		return named[0], true
	}
	return Toplevel{}, false
}

// unrivalled tells whether a window that has the title, but does not say that it
// is active, is the one in front: those that say so are other windows, whose
// titles are given.
func unrivalled(tops []Toplevel, t Toplevel, others []string) bool {
	return !slices.ContainsFunc(tops, func(rival Toplevel) bool {
		return rival.Node != t.Node && rival.states.Has(StateActive) && !slices.ContainsFunc(others, rival.called)
	})
}

// called tells whether a window of X with a title may be this one. Chromium adds
// to the name what it does not write into the title, such as (Incognito).
func (t Toplevel) called(title string) bool {
	return t.Name == title || browser.Bracketed(t.Name, title)
}

// remaining takes the window that no other window of the program can be, whose
// titles are given: names are late, or missing. A dialog need not be on the bus
// at all, and then what is left is not the dialog.
func remaining(tops []Toplevel, w Target, others []string) (Toplevel, bool) {
	if slices.ContainsFunc(tops, func(t Toplevel) bool { return t.called(w.Title) }) {
		return Toplevel{}, false // several have the title, and none says that it is active
	}
	var rest, active []Toplevel
	for _, t := range tops {
		if !t.states.Has(StateActive) && !t.states.Has(StateShowing) {
			continue // programs keep windows at hand that nobody sees
		}
		if at := slices.IndexFunc(others, t.called); at >= 0 {
			others = slices.Delete(slices.Clone(others), at, at+1)
			continue
		}
		rest = append(rest, t)
		if t.states.Has(StateActive) {
			active = append(active, t)
		}
	}
	if named := slices.DeleteFunc(slices.Clone(rest), func(t Toplevel) bool { return t.Name == "" }); len(named) > 0 {
		rest = named // Chromium keeps windows without a name for its menus
	}
	switch {
	case len(active) == 1 && len(others) == 0:
		return active[0], true
	case len(active) == 1 && !w.Dialog && beginning(active[0].Name) == beginning(w.Title):
		return active[0], true
	case len(active) == 0 && !w.Dialog && len(rest) == 1 && len(others) == 0:
		return rest[0], true
	}
	return Toplevel{}, false
}

// beginning is what stands in a title before the name of the program.
func beginning(title string) string {
	first, _, _ := strings.Cut(title, " - ")
	return first
}

// ErrUnshown is the answer where a program is on the bus, and its window is not.
var ErrUnshown = facts.Unavailable("the window in front is one that its program does not show on the accessibility bus", "close it if it is a dialog, or go to another window")

// Active finds the window that calls itself active, where no X server knows which
// is in front and the compositor tells nobody. family are the names of the windows
// that it may belong to.
func (a *Bus) Active(ctx context.Context) (found Toplevel, family []string, err error) {
	apps, err := a.applications(ctx)
	if err != nil {
		return Toplevel{}, nil, err
	}
	patience, cancel := context.WithTimeout(ctx, 2*strayTime) // a program that hangs must not hide the others
	defer cancel()
	tops, failed := a.toplevels(patience, apps)
	for _, t := range tops {
		if t.states.Has(StateActive) {
			return t, a.family(patience, t, tops), nil
		}
	}
	if failed != nil {
		return Toplevel{}, nil, Unanswered(patience, failed)
	}
	return Toplevel{}, nil, ErrNoneActive
}

// ErrNoneActive is the answer where no window on the bus says that it is active.
var ErrNoneActive = facts.Unavailable("the compositor does not tell which window is in front, and no program on the accessibility bus says that it is",
	"programs that were started before accessibility was turned on must be started again")

// NamesOf are the names of all windows that a process has on the bus.
func (a *Bus) NamesOf(ctx context.Context, pid int) []string {
	apps, err := a.applications(ctx)
	if err != nil {
		return nil
	}
	tops, _ := a.toplevels(ctx, slices.DeleteFunc(apps, func(app application) bool { return app.pid != pid })) // what does not answer has no names
	var names []string
	for _, t := range tops {
		names = append(names, t.Name)
	}
	return names
}

// family are the names of the windows that one may belong to, where no X server
// tells: all of its program, unless it is a window of its own. Others that say
// that they are active, too, count with them.
func (a *Bus) family(ctx context.Context, one Toplevel, tops []Toplevel) []string {
	role, err := Result[uint32](a.role(ctx, one.Node))
	own := err == nil && role == RoleFrame
	var names []string
	for _, t := range tops {
		if t.Node != one.Node && (t.states.Has(StateActive) || t.PID == one.PID && !own) {
			names = append(names, t.Name)
		}
	}
	return names
}
