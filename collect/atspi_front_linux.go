package collect

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

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
		if s.top, err = a.find(ctx, w); err != nil {
			return scene{}, hung(ctx, err)
		}
	}
	if s.top.none() {
		if ctx.Err() != nil {
			return scene{}, hung(ctx, ctx.Err())
		}
		return scene{}, notAccessible(w)
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
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program in front did not tell about its window", Err: err}
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
		return nil, &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the accessibility bus did not answer in time", Remedy: "try again; if it stays so, log in again", Err: err}
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
// then, for programs in a sandbox, among all by its title.
func (a *accessibility) find(ctx context.Context, w window) (node, error) {
	apps, err := a.applications(ctx)
	if err != nil {
		return node{}, err
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
			return node{}, err
		}
		return choose(tops, w.title, false), nil
	}
	if w.title == "" {
		return node{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, strayTime)
	defer cancel()
	tops, _ := a.tops(ctx, strays) // what does not answer cannot be found, and nothing more
	return choose(tops, w.title, true), nil
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

// choose takes the window that is active and has the title; else the one that
// has the title (Chromium is late in saying that it is active); else the active
// one. When titles are all there is to go by, nothing else counts.
func choose(tops []top, title string, byTitle bool) node {
	var best node
	weight := 0
	for _, t := range tops {
		named := t.name == title || t.name != "" && strings.HasPrefix(title, t.name)
		w := 0
		switch {
		case named && t.states.has(stateActive):
			w = 4
		case named:
			w = 3
		case byTitle:
		case t.states.has(stateActive):
			w = 2
		case t.states.has(stateShowing):
			w = 1
		}
		if w > weight {
			best, weight = t.node, w
		}
	}
	return best
}

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
			return window{title: t.name, pid: t.pid, process: processName(t.pid), accessible: t.node}, nil
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

// notAccessible says what to do about a program that is not on the bus.
func notAccessible(w window) error {
	const reason = "the program in front is not on the accessibility bus"
	name := strings.ToLower(w.process + " " + w.class)
	switch {
	case isChromium(name):
		return facts.PermissionMissing(reason, "run "+turnOn+", then start the browser again")
	case isFirefox(name):
		return facts.PermissionMissing(reason, "run "+turnOn)
	case strings.Contains(name, "pcmanfm"):
		return facts.PermissionMissing(reason, "install libatk-adaptor and libgail-common, and start it with GTK_MODULES=gail:atk-bridge")
	}
	return facts.PermissionMissing(reason, "run "+turnOn+", then start the program again; some programs do not support accessibility")
}

func isChromium(name string) bool {
	for _, known := range []string{"chromium", "chrome", "brave", "msedge", "microsoft-edge", "vivaldi", "opera"} {
		if strings.Contains(name, known) {
			return true
		}
	}
	return false
}

func isFirefox(name string) bool {
	return strings.Contains(name, "firefox") || strings.Contains(name, "librewolf") || strings.Contains(name, "navigator")
}
