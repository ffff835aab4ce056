// Package privacy decides which windows are never read.
//
//	settings ─┐
//	defaults ─┴ Rules + what a window and its program are called → an error that says why, or nil
//
// Use [Rules.Refuses] first. Whoever has a window asks it before anything in the
// window is read; the lists of what is private by itself are in defaults.go and
// titles.go.
package privacy

import (
	"errors"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

// Rules are what the settings say about private windows; see collect.Private. The
// zero value has Pertain's own list alone.
type Rules struct {
	Applications []string // process names or window classes, such as keepassxc
	Titles       []string // such as *Private Browsing*
	Broken       bool     // what is private could not be read from the settings: everything is
	NoDefaults   bool     // only what is named here is private
}

// Asked tells whether anything may be private.
func (p Rules) Asked() bool {
	return p.Broken || !p.NoDefaults || len(p.Applications)+len(p.Titles) > 0
}

// Refuses is the answer about a window that must not be read; nil if it may be.
// title is the window's title or its accessible name, names are what its program is called.
func (p Rules) Refuses(title string, names ...string) error {
	switch {
	case p.Broken:
		return facts.Unavailable("the settings about what is `private` cannot be read, so no window is", "mend the settings file; `pertain context` shows what is wrong with it")
	case p.named(title, names):
		return facts.Unavailable("the settings say that the window in front is never read", "go to another window, or change `private` in the settings file")
	case !p.NoDefaults && usuallyPrivate(title, names):
		return ErrUsual
	}
	return nil
}

// ForClipboard is what an answer about the window in front means for the
// clipboard, which need not have come from it: where the settings name nothing,
// only a window that is known to be private counts, and one that would have said
// whether it is.
func (p Rules) ForClipboard(err error) error {
	strict := p.Broken || len(p.Applications)+len(p.Titles) > 0
	if !strict && !errors.Is(err, ErrUsual) && !errors.Is(err, ErrUndecided) {
		return nil
	}
	return err
}

// named tells whether the settings name the window.
func (p Rules) named(title string, names []string) bool {
	for _, name := range names {
		if matchesAny(p.Applications, name) {
			return true
		}
	}
	return matchesAny(p.Titles, title)
}

// RefusesArguments is Refuses by the command line of a browser.
func (p Rules) RefusesArguments(arguments []string, names ...string) error {
	if !p.NoDefaults && startedPrivate(arguments, names) {
		return ErrUsual
	}
	return nil
}

// matchesAny treats a pattern that cannot be read as one that means itself.
func matchesAny(patterns []string, text string) bool {
	for _, pattern := range patterns {
		g, bad := glob.Compile(pattern, true)
		if bad == nil && g.Match(text) || bad != nil && glob.EqualFold(pattern, text) {
			return true
		}
	}
	return false
}

// ErrUndecided is the cause where a window's program would say whether it is private,
// and did not in time.
var ErrUndecided = errors.New("whether the window is private was not told")

// ErrUsual is the answer about a window of Pertain's own list.
var ErrUsual = facts.Unavailable("the window in front is of a kind that is never read: private browsing, or a program for passwords", "go to another window; `private.defaults: false` in the settings file lets such windows be read")
