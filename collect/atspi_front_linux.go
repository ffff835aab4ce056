package collect

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// scene is the window in front as the accessibility bus knows it.
type scene struct {
	*accessibility
	window  window
	top     node // the window itself, a child of its application
	toolkit toolkit
}

// sceneOf finds a window on the bus.
func (d *desktop) sceneOf(ctx context.Context, w window) (scene, error) {
	a, err := d.accessibility(ctx)
	if err != nil {
		return scene{}, err
	}
	a.register(ctx)
	s := scene{accessibility: a, window: w, top: w.accessible}
	if s.top.none() {
		found, err := d.find(ctx, a, w)
		if err != nil {
			return scene{}, hung(ctx, err)
		}
		if err := d.private().Refuses(found.name, process.Names(found.pid)...); err != nil { // what is read need not be what X calls so
			return scene{}, err
		}
		s.top = found.node
	}
	if s.top.none() {
		if ctx.Err() != nil {
			return scene{}, hung(ctx, ctx.Err())
		}
		return scene{}, notAccessible(w, d.accessibilityOn(ctx))
	}
	if s.toolkit, err = a.toolkit(ctx, s.top.Name); err != nil {
		return scene{}, hung(ctx, err)
	}
	if s.toolkit.name == "Chromium" {
		s.wake(ctx)
	}
	return s, nil
}

// wakeTime is how long a sleeping Chromium gets to build its tree.
const wakeTime = 120 * time.Millisecond

// wake makes Chromium build its tree: until somebody asks for more than names
// and roles, its windows have one child, and that is nothing.
func (s scene) wake(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, wakeTime)
	defer cancel()
	for asked := false; ; asked = true {
		children, err := s.children(ctx, s.top)
		if err != nil || !slices.ContainsFunc(children, node.none) {
			return
		}
		if !asked {
			attributes, relations := s.start(ctx, s.top, atspi+"Accessible.GetAttributes"), s.start(ctx, s.top, atspi+"Accessible.GetRelationSet")
			<-attributes.Done
			<-relations.Done
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// hung words a failure of calls to one application.
func hung(ctx context.Context, err error) error {
	var known *facts.CollectError
	if errors.As(err, &known) {
		return err
	}
	if ctx.Err() != nil {
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the program in front does not answer", Remedy: "wait until it reacts again", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program in front did not tell about its window", Remedy: "try again; if it stays so, start that program again", Err: err}
}

// application is a program on the bus.
type application struct {
	root node
	pid  int
}

// applications are all programs on the bus. The bus itself knows their process
// ids, so one that hangs does not matter here.
func (a *accessibility) applications(ctx context.Context) ([]application, error) {
	roots, err := a.children(ctx, registry)
	if ctx.Err() != nil {
		return nil, busLate(err)
	}
	if err != nil {
		return nil, &facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "the accessibility bus does not answer", Remedy: "log in again", Err: err}
	}
	daemon := node{busDaemon, "/org/freedesktop/DBus"}
	calls := make([]*dbus.Call, len(roots))
	for i, root := range roots {
		calls[i] = a.start(ctx, daemon, busDaemon+".GetConnectionUnixProcessID", root.Name)
	}
	var apps []application
	for i, call := range calls {
		if pid, err := result[uint32](call); err == nil {
			apps = append(apps, application{roots[i], int(pid)})
		}
	}
	return apps, nil
}

// strayTime is how long programs get that are asked only because the one in
// front could not be found by its process.
const strayTime = 40 * time.Millisecond

// find looks for a window of X on the bus: first among those of its process,
// then, for programs in a sandbox, among all by its title. The zero value says
// that its program is not there.
func (d *desktop) find(ctx context.Context, a *accessibility, w window) (top, error) {
	apps, err := a.applications(ctx)
	if err != nil {
		return top{}, err
	}
	var own, strays []application
	for _, app := range apps {
		if app.pid == w.pid && w.pid != 0 {
			own = append(own, app)
		} else {
			strays = append(strays, app)
		}
	}
	if len(own) > 0 {
		tops, err := a.tops(ctx, own)
		if err != nil {
			return top{}, err
		}
		t, ok := choose(tops, w.title)
		if ok && t.states.has(stateActive) {
			return t, nil
		}
		if others := d.otherTitles(w); !ok {
			t, ok = remaining(tops, w, others)
		} else {
			ok = unrivalled(tops, t, others)
		}
		if !ok {
			return top{}, errUnshown
		}
		return t, nil
	}
	if w.title == "" {
		return top{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, strayTime)
	defer cancel()
	tops, _ := a.tops(ctx, strays) // what does not answer cannot be found, and nothing more
	// Another program's window may have the title, too, as that of a terminal; but it is not active.
	tops = slices.DeleteFunc(tops, func(t top) bool { return !t.states.has(stateActive) })
	t, _ := choose(tops, w.title)
	return t, nil
}

// top is a window of an application.
type top struct {
	node
	pid    int
	name   string
	states states
}

// tops are the windows of applications. The error is that of an application
// which does not answer; the windows of the others are there nevertheless.
func (a *accessibility) tops(ctx context.Context, apps []application) ([]top, error) {
	calls := make([]*dbus.Call, len(apps))
	for i, app := range apps {
		calls[i] = a.start(ctx, app.root, atspi+"Accessible.GetChildren")
	}
	var tops []top
	var failed error
	for i, call := range calls {
		children, err := result[[]node](call)
		if err != nil {
			failed = err
			continue
		}
		for _, child := range children {
			if !child.none() {
				tops = append(tops, top{node: child, pid: apps[i].pid})
			}
		}
	}
	names, states := make([]*dbus.Call, len(tops)), make([]*dbus.Call, len(tops))
	for i, t := range tops {
		names[i], states[i] = a.name(ctx, t.node), a.states(ctx, t.node)
	}
	for i := range tops {
		tops[i].name = text(variant[string](names[i]))
		tops[i].states, _ = statesOf(states[i])
	}
	return tops, failed
}

// choose takes the window that has the title. Of several it is the active one;
// one that has it alone need not say that it is active (Chromium is late in
// that).
func choose(tops []top, title string) (top, bool) {
	var named, active []top
	for _, t := range tops {
		if t.called(title) {
			named = append(named, t)
			if t.states.has(stateActive) {
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
	return top{}, false
}

// unrivalled tells whether a window that has the title, but does not say that it
// is active, is the one in front: those that say so are other windows, whose
// titles are given.
func unrivalled(tops []top, t top, others []string) bool {
	return !slices.ContainsFunc(tops, func(rival top) bool {
		return rival.node != t.node && rival.states.has(stateActive) && !slices.ContainsFunc(others, rival.called)
	})
}

// called tells whether a window of X with a title may be this one. Chromium adds
// to the name what it does not write into the title, such as (Incognito).
func (t top) called(title string) bool {
	return t.name == title || browser.Bracketed(t.name, title)
}

// remaining takes the window that no other window of the program can be, whose
// titles are given: names are late, or missing. A dialog need not be on the bus
// at all, and then what is left is not the dialog.
func remaining(tops []top, w window, others []string) (top, bool) {
	if slices.ContainsFunc(tops, func(t top) bool { return t.called(w.title) }) {
		return top{}, false // several have the title, and none says that it is active
	}
	var rest, active []top
	for _, t := range tops {
		if !t.states.has(stateActive) && !t.states.has(stateShowing) {
			continue // programs keep windows at hand that nobody sees
		}
		if at := slices.IndexFunc(others, t.called); at >= 0 {
			others = slices.Delete(slices.Clone(others), at, at+1)
			continue
		}
		rest = append(rest, t)
		if t.states.has(stateActive) {
			active = append(active, t)
		}
	}
	if named := slices.DeleteFunc(slices.Clone(rest), func(t top) bool { return t.name == "" }); len(named) > 0 {
		rest = named // Chromium keeps windows without a name for its menus
	}
	switch {
	case len(active) == 1 && len(others) == 0:
		return active[0], true
	case len(active) == 1 && !w.dialog && beginning(active[0].name) == beginning(w.title):
		return active[0], true
	case len(active) == 0 && !w.dialog && len(rest) == 1 && len(others) == 0:
		return rest[0], true
	}
	return top{}, false
}

// beginning is what stands in a title before the name of the program.
func beginning(title string) string {
	first, _, _ := strings.Cut(title, " - ")
	return first
}

// errUnshown is the answer where a program is on the bus, and its window is not.
var errUnshown = facts.Unavailable("the window in front is one that its program does not show on the accessibility bus", "close it if it is a dialog, or go to another window")

// frontOfBus finds the window in front where no X server knows it: the one that
// calls itself active. The compositor itself tells nobody.
func (d *desktop) frontOfBus(ctx context.Context) (window, error) {
	a, err := d.accessibility(ctx)
	if err != nil {
		return window{}, err
	}
	apps, err := a.applications(ctx)
	if err != nil {
		return window{}, err
	}
	patience, cancel := context.WithTimeout(ctx, 2*strayTime) // a program that hangs must not hide the others
	defer cancel()
	tops, failed := a.tops(patience, apps)
	for _, t := range tops {
		if t.states.has(stateActive) {
			w := window{title: t.name, pid: t.pid, process: process.Name(t.pid), accessible: t.node}
			w.family = a.family(patience, t, tops)
			return w, nil
		}
	}
	if failed != nil {
		return window{}, hung(patience, failed)
	}
	return window{}, facts.Unavailable("the compositor does not tell which window is in front, and no program on the accessibility bus says that it is",
		"programs that were started before accessibility was turned on must be started again")
}

// turnOn is the command that makes programs show themselves on the bus.
const turnOn = "`busctl --user set-property org.a11y.Bus /org/a11y/bus org.a11y.Status IsEnabled b true`"

// notAccessible says what to do about a program that is not on the bus. on tells
// whether programs that are started now show themselves there.
func notAccessible(w window, on bool) error {
	const reason = "the program in front is not on the accessibility bus"
	name := strings.ToLower(w.process + " " + w.class)
	first, then := "run "+turnOn, ", then start"
	if on {
		first, then = "", "start"
	}
	switch {
	case browser.IsChromium(name):
		return facts.PermissionMissing(reason, first+then+" the browser again")
	case browser.IsFirefox(name) && !on:
		return facts.PermissionMissing(reason, first)
	case strings.Contains(name, "pcmanfm") && !strings.Contains(name, "pcmanfm-qt"):
		return facts.PermissionMissing(reason, "install libatk-adaptor and libgail-common, and start it with GTK_MODULES=gail:atk-bridge")
	case on:
		return facts.PermissionMissing(reason, "start it again if it was started before accessibility was turned on; some programs, such as xterm, do not support accessibility")
	}
	return facts.PermissionMissing(reason, first+then+" the program again; some programs do not support accessibility")
}

// accessibilityOn tells whether programs show themselves on the accessibility bus;
// false: they do not, or it is not known.
func (d *desktop) accessibilityOn(ctx context.Context) bool {
	session, err := dialBus(ctx, d.sessionAddress())
	if err != nil {
		return false
	}
	defer func() { _ = session.Close() }()
	var answer dbus.Variant
	err = session.Object("org.a11y.Bus", "/org/a11y/bus").CallWithContext(ctx, getProperty, dbus.FlagNoAutoStart, "org.a11y.Status", "IsEnabled").Store(&answer)
	on, _ := answer.Value().(bool)
	return err == nil && on
}
