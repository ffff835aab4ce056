package browser

import (
	"slices"
	"strings"
)

// Kind is a family of browsers that tell in the same way that a window is
// a private one.
type Kind int

const (
	NoBrowser Kind = iota
	FirefoxKind
	ChromiumKind
	OtherBrowser // by its command line alone
)

// otherBrowsers tell in no title that a window is private.
var otherBrowsers = []string{"epiphany", "org.gnome.epiphany", "gnome-web", "falkon", "midori", "qutebrowser", "otter-browser", "konqueror", "luakit", "dooble", "nyxt"}

// KindOf goes by what a program is called.
func KindOf(names []string) Kind {
	all := strings.ToLower(strings.Join(names, " "))
	switch {
	case slices.ContainsFunc(otherBrowsers, func(known string) bool { return strings.Contains(all, known) }):
		return OtherBrowser
	case IsFirefox(all):
		return FirefoxKind
	case IsChromium(all):
		return ChromiumKind
	}
	return NoBrowser
}

// IsChromium tells whether a name, in small letters, is that of Chromium or a
// relative.
func IsChromium(name string) bool {
	for _, known := range []string{"chromium", "chrome", "brave", "msedge", "microsoft-edge", "vivaldi", "opera"} {
		if strings.Contains(name, known) {
			return true
		}
	}
	return false
}

// IsFirefox is IsChromium for Firefox.
func IsFirefox(name string) bool {
	return strings.Contains(name, "firefox") || strings.Contains(name, "librewolf") || strings.Contains(name, "navigator")
}

// Bracketed tells whether the accessible name of a window of Chromium says more, in
// brackets, than its title: that it is private, or a guest's, in any language.
func Bracketed(name, title string) bool {
	rest, ok := strings.CutPrefix(name, title)
	rest = strings.TrimSpace(rest)
	return ok && title != "" && (strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") || strings.HasPrefix(rest, "（") && strings.HasSuffix(rest, "）"))
}
