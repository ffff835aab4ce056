package collect

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/pertain-dev/pertain/collect/internal/ax"
	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/macos"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// systemName begins the ids of collectors; readPermission is what those need
// that read other programs' windows.
const (
	systemName     = "macos"
	readPermission = "accessibility"
)

// desktop is the user's session on macOS. The system's libraries are called in
// this process; what applications tell by scripting only is asked for with
// osascript. Libraries are opened when they are first needed.
type desktop struct {
	options Options
	kinds   *ax.Types

	accessibility func() (*macos.Accessibility, error)
	appKit        func() (*macos.AppKit, error)
	windows       func() (*macos.WindowServer, error)
	processes     func() (*macos.Processes, error)

	warm atomic.Pointer[ax.Kept] // what is kept at hand while the desktop is watched; nil: nothing

	pasting sync.Mutex // the pasteboard is for one thread at a time
}

func newDesktop(options Options) *desktop {
	return &desktop{
		options: options, kinds: ax.NewTypes(),
		accessibility: sync.OnceValues(macos.OpenAccessibility),
		appKit:        sync.OnceValues(macos.OpenAppKit),
		windows:       sync.OnceValues(macos.OpenWindowServer),
		processes:     sync.OnceValues(macos.OpenProcesses),
	}
}

// lends says that with makes connections of its own: what is kept here is of one caller.
const lends = false

func (*desktop) with(options Options) *desktop { return newDesktop(options) }

// close has nothing to do: messages leave nothing open.
func (*desktop) close() {}

// collectors is the table of what reads macOS, in the order of asking.
func (d *desktop) collectors() []facts.Collector {
	return []facts.Collector{absence{systemName + ".desktop", d.absent}, selectionReader{d}, visual{d}, active{d}, clipboardReader{d}, finder{d}, tabReader{d}, page{d}}
}

// present tells whether there is a desktop that a user looks at.
func (d *desktop) present() bool {
	w, err := d.windows()
	return err == nil && w.Present()
}

// absent says why there is no desktop to read; nil if there is one.
func (d *desktop) absent() error {
	if d.present() {
		return nil
	}
	return facts.Unavailable("there is no desktop: nobody is logged in at the screen, or it is locked", "start Pertain in a session at the screen, or give a context with --context")
}

// errSystem is the answer where the system's libraries are not as expected.
func errSystem(err error) error {
	return &facts.CollectError{Code: diag.ExtraProviderUnavailable, Reason: "this version of macOS cannot be read", Err: err}
}

// application is the one in front.
type application struct {
	pid     int
	process string // name of its program
	title   string // of its window, where the window server tells it

	bundle, name string // such as com.apple.finder, and what it is called in the user's language
}

// key tells windows apart: the application alone does not.
func (application) key() string { return "" }

// names are what the application is called.
func (a application) names() []string { return []string{a.process, a.bundle, a.name} }

// errNameless is the answer about an application that may be one of those that
// the settings name.
func errNameless() error {
	return facts.Unavailable("the application in front does not say what it is, and it may be one that the settings call private", "go to another window")
}

// front is the application in front, if the settings do not say that it is
// never read.
//
// The workspace's own notion of it, frontmostApplication, is not asked: it stays
// as it was at first in a process whose main thread has no run loop.
func (d *desktop) front(context.Context) (application, error) {
	var app application
	if a, err := d.accessibility(); err == nil && a.Trusted() {
		app.pid = a.FrontPid()
	}
	if app.pid == 0 {
		w, err := d.windows()
		if err != nil {
			return app, errSystem(err)
		}
		app.pid, app.title = w.Front()
	}
	if app.pid == 0 {
		return app, errNoWindow
	}
	if p, err := d.processes(); err == nil {
		app.process = p.Program(app.pid)
	}
	p := d.private()
	if p.Asked() {
		app.bundle, app.name = d.identity(app.pid)
		if err := p.Refuses("", app.names()...); err != nil {
			return application{}, err
		}
	}
	if len(p.Applications) > 0 && app.bundle == "" && app.name == "" && app.process == "" {
		return application{}, errNameless()
	}
	return app, nil
}

// identity is what an application is called: its bundle, such as
// com.apple.finder, and its name in the user's language; "" if not known.
func (d *desktop) identity(pid int) (bundle, name string) {
	k, err := d.appKit()
	if err != nil {
		return "", ""
	}
	return k.Identity(pid)
}

// checked is front for what does not look at the window itself: windows with
// some titles rule that out, too.
func (d *desktop) checked(ctx context.Context) (application, error) {
	app, err := d.front(ctx)
	// Pertain's own list has titles of browsers alone, and does without where none is told.
	strict := len(d.private().Titles) > 0
	if err != nil || !strict && (d.private().NoDefaults || browser.KindOf(app.names()) == browser.NoBrowser) {
		return app, err
	}
	a, err := d.accessibility()
	switch {
	case err != nil && strict:
		return application{}, errSystem(err)
	case err == nil && a.Trusted():
		front, status := ax.FrontOf(a, app.pid, ax.TimeLeft(ctx, ax.Reserve))
		front.Close()
		if status != ax.StatusSuccess {
			return application{}, ax.Failed(status)
		}
		app.title = front.Title
	case app.title == "" && strict:
		return application{}, ax.ErrTitle()
	}
	if err := d.private().Refuses(app.title, app.names()...); err != nil {
		return application{}, err
	}
	return app, nil
}

// frontDir is the folder that the user of the window in front works in.
func (d *desktop) frontDir(ctx context.Context) (string, error) {
	if !d.present() {
		return "", nil
	}
	app, err := d.checked(ctx)
	if err != nil {
		if errors.Is(err, errNoWindow) {
			err = nil
		}
		return "", err
	}
	p, err := d.processes()
	if err != nil {
		return "", errSystem(err)
	}
	return p.WorkFolder(app.pid), nil
}

// programFile is the file that a process runs; "" if it is not known.
func (d *desktop) programFile(pid int) string {
	p, err := d.processes()
	if err != nil {
		return ""
	}
	return p.File(pid)
}
