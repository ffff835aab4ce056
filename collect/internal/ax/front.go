package ax

import (
	"hash/fnv"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Remedy is what the user does about a missing permission.
const Remedy = "allow the terminal or program that runs pertain under System Settings > Privacy & Security > Accessibility, then start it again"

// ErrPermission is the answer where the user has not allowed accessibility.
func ErrPermission() error {
	return facts.PermissionMissing("reading the windows of other applications is not permitted", Remedy)
}

// ErrTitle is the answer where windows with some titles must not be read and
// titles cannot be told.
func ErrTitle() error {
	return facts.PermissionMissing("the settings name windows that are never read, and the title of the window in front is not known", Remedy)
}

// Failed words why the application in front told nothing.
func Failed(status Status) error {
	switch status {
	case StatusDisabled:
		return ErrPermission()
	case StatusCannotComplete:
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the application in front does not answer", Remedy: "wait until it reacts again"}
	case StatusNotImplemented:
		return facts.Unavailable("the application in front does not tell about its windows", "")
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the application in front did not tell about its window"}
}

// Front is the window in front of an application and the element that has the
// keyboard; both are owned, and 0 where there is none.
type Front struct {
	system        System
	Window, Focus Ref
	Title         string
}

// Close releases both.
func (f *Front) Close() {
	for _, ref := range []Ref{f.Window, f.Focus} {
		if ref != 0 {
			f.system.Release(ref)
		}
	}
	f.Window, f.Focus = 0, 0
}

// FrontOf asks an application for its window in front.
func FrontOf(s System, pid int, left func() time.Duration) (Front, Status) {
	f := Front{system: s}
	app := s.CreateApplication(pid)
	if app == 0 {
		return f, StatusInvalidElement
	}
	defer s.Release(app)
	limit := left()
	if limit <= 0 {
		return f, StatusCannotComplete
	}
	answer, status := Read(s, app, ListOfApplication, 0, limit)
	defer answer.close()
	if status != StatusSuccess {
		return f, status
	}
	f.Focus = answer.take(AttributeFocusedElement)
	if f.Window = answer.take(AttributeFocusedWindow); f.Window == 0 {
		f.Window = answer.take(AttributeMainWindow)
	}
	if f.Window == 0 {
		return f, StatusSuccess
	}
	if limit = left(); limit <= 0 {
		return f, StatusCannotComplete
	}
	window, status := Read(s, f.Window, ListOfWindow, MaxName, limit)
	defer window.close()
	f.Title = window.text(AttributeTitle)
	return f, status
}

// Look is what is looked at again and again while the desktop is watched;
// two that are equal look at the same.
type Look struct {
	Pid           int    // of the application in front; 0: unknown
	window, focus uint64 // hashes; 0: none
	Title         string
	start, length float64 // of the selected text
	characters    float64 // in the element with the keyboard
	rows          uint64  // selected there
	Changes       int     // of the clipboard
}

// LookAt looks at an application with three short messages at most. What it
// does not tell in time stays zero.
func LookAt(s System, pid int, left func() time.Duration) Look {
	g := Look{Pid: pid}
	front, _ := FrontOf(s, pid, left)
	defer front.Close()
	g.Title = front.Title
	if front.Window != 0 {
		g.window = s.Hash(front.Window)
	}
	limit := left()
	if front.Focus == 0 || limit <= 0 {
		return g
	}
	g.focus = s.Hash(front.Focus)
	answer, status := Read(s, front.Focus, ListOfFocus, MaxName, limit)
	defer answer.close()
	if status != StatusSuccess {
		return g
	}
	span := answer.at(AttributeSelectedRange)
	g.start, g.length = span.a, span.b
	g.characters = answer.at(AttributeCharacters).a
	rows := fnv.New64a()
	for _, row := range answer.at(AttributeSelectedRows).elements {
		var b [8]byte
		for i, h := 0, s.Hash(row); i < len(b); i, h = i+1, h>>8 {
			b[i] = byte(h)
		}
		rows.Write(b[:])
	}
	g.rows = rows.Sum64()
	return g
}

// Key tells windows apart, and what has the keyboard in them.
type Key struct {
	pid           int
	window, focus uint64
	title         string
}

// Key is what a tree of the window is kept by.
func (f *Front) Key(pid int) Key {
	k := Key{pid: pid, window: f.system.Hash(f.Window), title: f.Title}
	if f.Focus != 0 {
		k.focus = f.system.Hash(f.Focus)
	}
	return k
}

// Tree walks the window and makes a tree of what it finds. whole tells that
// nothing was left out that another walk would find. The element with the keyboard
// is worth a part of the reserve: for that, later is how much time is left.
func (f *Front) Tree(left, later func() time.Duration, kinds *Types, process string) (part facts.Part, texts facts.TextReader, whole bool, status Status) {
	walk := &Walk{system: f.system, left: left}
	f.system.Retain(f.Window) // the walk releases what it reads
	if status := walk.walk(f.Window); status != StatusSuccess {
		walk.close()
		return facts.Part{}, nil, false, status
	}
	walk.left = later
	whole = walk.lacks == "" || walk.lacks == TooMany
	part, texts = Part(walk, kinds, f.Focus, process)
	return part, texts, whole, StatusSuccess
}
