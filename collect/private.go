package collect

import (
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

// Private is what is never read: the windows of these applications and the
// windows with these titles, and the dialogs of both. Both are globs, compared without case: `*` is any
// run of characters. While such a window is in front, nothing of it is read,
// and neither is selected text nor the clipboard.
type Private struct {
	Applications []string // process names or window classes, such as keepassxc
	Titles       []string // such as *Private Browsing*
	Broken       bool     // what is private could not be read from the settings: everything is
}

// asked tells whether anything may be private.
func (p Private) asked() bool { return p.Broken || len(p.Applications)+len(p.Titles) > 0 }

// refusal is the answer about a window that must not be read.
func (p Private) refusal() error {
	if p.Broken {
		return facts.Unavailable("the settings about what is `private` cannot be read, so no window is", "mend the settings file; `pertain context` shows what is wrong with it")
	}
	return errPrivate()
}

// hides tells whether a window must not be read.
func (p Private) hides(title string, names ...string) bool {
	if p.Broken {
		return true
	}
	for _, name := range names {
		if matchesAny(p.Applications, name) {
			return true
		}
	}
	return matchesAny(p.Titles, title)
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

// errPrivate is the answer about a window that must not be read.
func errPrivate() error {
	return facts.Unavailable("the settings say that the window in front is never read", "go to another window, or change `private` in the settings file")
}
