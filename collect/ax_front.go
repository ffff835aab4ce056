package collect

import (
	"hash/fnv"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// axRemedy is what the user does about a missing permission.
const axRemedy = "allow the terminal or program that runs pertain under System Settings > Privacy & Security > Accessibility, then start it again"

// errAXPermission is the answer where the user has not allowed accessibility.
func errAXPermission() error {
	return facts.PermissionMissing("reading the windows of other applications is not permitted", axRemedy)
}

// errAXTitle is the answer where windows with some titles must not be read and
// titles cannot be told.
func errAXTitle() error {
	return facts.PermissionMissing("the settings name windows that are never read, and the title of the window in front is not known", axRemedy)
}

// axFailed words why the application in front told nothing.
func axFailed(status axStatus) error {
	switch status {
	case axDisabled:
		return errAXPermission()
	case axCannotComplete:
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the application in front does not answer", Remedy: "wait until it reacts again"}
	case axNotImplemented:
		return facts.Unavailable("the application in front does not tell about its windows", "")
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the application in front did not tell about its window"}
}

// axFront is the window in front of an application and the element that has the
// keyboard; both are owned, and 0 where there is none.
type axFront struct {
	system        axSystem
	window, focus axRef
	title         string
}

func (f *axFront) close() {
	for _, ref := range []axRef{f.window, f.focus} {
		if ref != 0 {
			f.system.release(ref)
		}
	}
	f.window, f.focus = 0, 0
}

// axFrontOf asks an application for its window in front.
func axFrontOf(s axSystem, pid int, left func() time.Duration) (axFront, axStatus) {
	f := axFront{system: s}
	app := s.createApplication(pid)
	if app == 0 {
		return f, axInvalidElement
	}
	defer s.release(app)
	limit := left()
	if limit <= 0 {
		return f, axCannotComplete
	}
	answer, status := axRead(s, app, axOfApplication, 0, limit)
	defer answer.close()
	if status != axSuccess {
		return f, status
	}
	f.focus = answer.take(axFocusedElement)
	if f.window = answer.take(axFocusedWindow); f.window == 0 {
		f.window = answer.take(axMainWindow)
	}
	if f.window == 0 {
		return f, axSuccess
	}
	if limit = left(); limit <= 0 {
		return f, axCannotComplete
	}
	window, status := axRead(s, f.window, axOfWindow, axMaxName, limit)
	defer window.close()
	f.title = window.text(axTitle)
	return f, status
}

// axGlance is what is looked at again and again while the desktop is watched;
// two that are equal look at the same.
type axGlance struct {
	pid           int    // of the application in front; 0: unknown
	window, focus uint64 // hashes; 0: none
	title         string
	start, length float64 // of the selected text
	characters    float64 // in the element with the keyboard
	rows          uint64  // selected there
	changes       int     // of the clipboard
}

// axGlanceAt looks at an application with three short messages at most. What it
// does not tell in time stays zero.
func axGlanceAt(s axSystem, pid int, left func() time.Duration) axGlance {
	g := axGlance{pid: pid}
	front, _ := axFrontOf(s, pid, left)
	defer front.close()
	g.title = front.title
	if front.window != 0 {
		g.window = s.hash(front.window)
	}
	limit := left()
	if front.focus == 0 || limit <= 0 {
		return g
	}
	g.focus = s.hash(front.focus)
	answer, status := axRead(s, front.focus, axOfFocus, axMaxName, limit)
	defer answer.close()
	if status != axSuccess {
		return g
	}
	span := answer.at(axSelectedRange)
	g.start, g.length = span.a, span.b
	g.characters = answer.at(axCharacters).a
	rows := fnv.New64a()
	for _, row := range answer.at(axSelectedRows).elements {
		var b [8]byte
		for i, h := 0, s.hash(row); i < len(b); i, h = i+1, h>>8 {
			b[i] = byte(h)
		}
		rows.Write(b[:])
	}
	g.rows = rows.Sum64()
	return g
}

// axKey tells windows apart, and what has the keyboard in them.
type axKey struct {
	pid           int
	window, focus uint64
	title         string
}

// key is what a tree of the window is kept by.
func (f *axFront) key(pid int) axKey {
	k := axKey{pid: pid, window: f.system.hash(f.window), title: f.title}
	if f.focus != 0 {
		k.focus = f.system.hash(f.focus)
	}
	return k
}
