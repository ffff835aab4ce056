package collect

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/pertain-dev/pertain/collect/internal/git"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/settings"
)

// Options say what the collectors of this machine work with. The zero value
// reads the desktop and knows neither a working directory nor an assistant.
type Options struct {
	Dir          string                   // working directory, absolute, for extra.workspace; empty: none
	FollowWindow bool                     // the workspace of the window in front counts before that of Dir, as programs that run for long want it
	Env          func(name string) string // environment; nil: os.Getenv
	Assistant    facts.Value              // the object assistant, as the settings give it (docs/reference/paths.md); absent: unknown
	Private      Private                  // what is never read

	// Window names another window than the one in front: by its number on the X server,
	// or by that of a process that has no other. 0: the one in front. Linux.
	Window int

	// Asker is a process in a terminal that was opened for it. While the desktop is
	// watched and that terminal is in front, the window counts that was in front before
	// it. 0: none. Linux.
	Asker int

	// PrivateNow is what is never read, asked each time: for a machine that is watched
	// for so long that the settings may change. nil: Private.
	PrivateNow func() Private

	// Trusted tells whether the user trusts a folder, absolute, that holds .git. It
	// is asked each time. In one that is not trusted git is never started: what is
	// told of it is read from its files. nil: none is trusted.
	Trusted func(folder string) bool
}

// Private is what is never read: the windows of these applications and the
// windows with these titles, and the dialogs of both. Both are globs, compared without case: `*` is any
// run of characters. While such a window is in front, nothing of it is read,
// and neither is selected text nor the clipboard.
//
// The zero value has Pertain's own list: private windows of the common browsers,
// password managers, key agents, and programs that ask for a password.
type Private struct {
	Applications []string // process names or window classes, such as keepassxc
	Titles       []string // such as *Private Browsing*
	Broken       bool     // what is private could not be read from the settings: everything is
	NoDefaults   bool     // only what is named here is private
}

// Machine is this machine's collectors and what they share: connections to the
// desktop, opened when the first collector needs them. It is safe for
// concurrent use.
type Machine struct {
	options Options
	desktop *desktop
	told    atomic.Pointer[toldWorkspace] // nil: nobody has asked for it
	lent    bool                          // the connections are another machine's
}

// Open makes the machine's collectors. It touches nothing yet.
func Open(options Options) *Machine {
	if options.Env == nil {
		options.Env = os.Getenv
	}
	return &Machine{options: options, desktop: newDesktop(options)}
}

// With is the same machine for another caller: with options of its own, which
// decide what it may read, over the connections of this one and with what is kept at
// hand while this one is watched. The variables of Env that tell which desktop it is
// must be the same. Closing it closes nothing.
func (m *Machine) With(options Options) *Machine {
	if options.Env == nil {
		options.Env = os.Getenv
	}
	return &Machine{options: options, desktop: m.desktop.with(options), lent: lends}
}

// Close ends the connections to the desktop. A collector that is called
// afterwards opens them again.
func (m *Machine) Close() {
	if !m.lent {
		m.desktop.close()
	}
}

// Watch keeps what the desktop shows at hand, so that collecting takes
// milliseconds, and calls changed whenever the user may be looking at something
// else: another window, another focused element, another selection, another
// clipboard. It returns when ctx ends, or with a facts.CollectError when this
// desktop cannot be watched. changed is called from one goroutine at a time and
// holds further news back while it runs.
func (m *Machine) Watch(ctx context.Context, changed func()) error {
	return m.desktop.watch(ctx, changed)
}

// Collectors is the table of this machine's collectors, in the order in which
// they are asked: of several that serve one part of the context, the one with
// the surest answer comes first.
//
// Here, and nowhere else, collectors are wired. Each is a file named after what it
// reads and its system, and exists on its system alone; what it reads with is in a
// package of its own below internal.
func (m *Machine) Collectors() []facts.Collector {
	table := []facts.Collector{assistant{m.options.Assistant}}
	table = append(table, m.desktop.collectors()...)
	for _, w := range m.workspaces() {
		table = append(table, w)
	}
	return table
}

// workspaces are the collectors of extra.workspace, in the order of asking.
func (m *Machine) workspaces() []workspace {
	directory := workspace{id: "workspace.directory", find: func(context.Context) (string, error) {
		return m.options.Dir, nil
	}, git: m.git(), told: &m.told}
	window := workspace{id: "workspace.window", find: m.desktop.frontDir, git: m.git(), told: &m.told}
	if m.options.FollowWindow {
		return []workspace{window, directory}
	}
	return []workspace{directory, window}
}

func (m *Machine) git() git.Reader {
	return git.Reader{Env: m.options.Env, Trusted: m.options.Trusted, Search: m.options.search}
}

// search is where collectors look for programs: never in the
// working directory, in a workspace around it, nor in a folder that is named besides.
func (o Options) search(without ...string) program.Search {
	without = append(without, settings.Strangers(files.OS(), o.Env("HOME"), o.Dir, o.Env("PATH"))...)
	return program.Search{Path: o.Env("PATH"), Without: without}
}

// Standard is the table of collectors for one question; see [Open] to keep them.
func Standard(options Options) []facts.Collector { return Open(options).Collectors() }
