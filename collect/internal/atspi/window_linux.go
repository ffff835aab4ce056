package atspi

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Target is a window as whoever looks for it knows it.
type Target struct {
	Title   string
	Shown   string // the title as its title bar has it
	PID     int    // 0: unknown
	Process string // name of its program
	Dialog  bool   // it belongs to another window
	X, Y    int    // where its content begins on the screen, in pixels; GTK 4 counts from there
	Width   int
}

// Window is a window as the accessibility bus knows it.
type Window struct {
	*Bus
	Target  Target
	Top     Node // the window itself, a child of its application
	Toolkit Toolkit
}

// None tells that there is no window.
func (s Window) None() bool { return s.Bus == nil }

// Open makes a window of an application ready to be read.
func (a *Bus) Open(ctx context.Context, found Node, w Target) (Window, error) {
	s := Window{Bus: a, Target: w, Top: found}
	var err error
	if s.Toolkit, err = a.toolkitOf(ctx, s.Top.Name); err != nil {
		return Window{}, Unanswered(ctx, err)
	}
	if s.Toolkit.Name == "Chromium" {
		s.wake(ctx)
	}
	return s, nil
}

// wakeTime is how long a sleeping Chromium gets to build its tree.
const wakeTime = 120 * time.Millisecond

// wake makes Chromium build its tree: until somebody asks for more than names
// and roles, its windows have one child, and that is nothing.
func (s Window) wake(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, wakeTime)
	defer cancel()
	for asked := false; ; asked = true {
		children, err := s.Children(ctx, s.Top)
		if err != nil || !slices.ContainsFunc(children, Node.None) {
			return
		}
		if !asked {
			attributes, relations := s.Start(ctx, s.Top, Prefix+"Accessible.GetAttributes"), s.Start(ctx, s.Top, Prefix+"Accessible.GetRelationSet")
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

// Unanswered words a failure of calls to one application.
func Unanswered(ctx context.Context, err error) error {
	var known *facts.CollectError
	if errors.As(err, &known) {
		return err
	}
	if ctx.Err() != nil {
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the program in front does not answer", Remedy: "wait until it reacts again", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program in front did not tell about its window", Remedy: "try again; if it stays so, start that program again", Err: err}
}

// errUnread is the answer where a window has more than can be read in time, and what was
// looked for may be in the rest.
var errUnread = &facts.CollectError{
	Code: diag.ExtraProviderTimeout, Reason: "the window in front has more than could be read in time",
	Remedy: "try again, or give the collectors more time with options.extraTimeout in the settings",
}

// application is a program on the bus.
type application struct {
	root Node
	pid  int
}

// applications are all programs on the bus. The bus itself knows their process
// ids, so one that hangs does not matter here.
func (a *Bus) applications(ctx context.Context) ([]application, error) {
	roots, err := a.Children(ctx, registry)
	if ctx.Err() != nil {
		return nil, busLate(err)
	}
	if err != nil {
		return nil, &facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "the accessibility bus does not answer", Remedy: "log in again", Err: err}
	}
	daemon := Node{busDaemon, "/org/freedesktop/DBus"}
	calls := make([]*dbus.Call, len(roots))
	for i, root := range roots {
		calls[i] = a.Start(ctx, daemon, busDaemon+".GetConnectionUnixProcessID", root.Name)
	}
	var apps []application
	for i, call := range calls {
		if pid, err := Result[uint32](call); err == nil {
			apps = append(apps, application{roots[i], int(pid)})
		}
	}
	return apps, nil
}
