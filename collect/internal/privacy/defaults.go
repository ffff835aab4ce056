package privacy

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/browser"
)

// secretPrograms are programs for passwords and keys, as globs on the name of a
// program, the class of its window, or its bundle: password managers, key
// agents, and whatever asks for a password.
var secretPrograms = []string{
	// password managers
	"keepass*", "org.keepassxc.*", "keeweb*", "macpass*", "strongbox*", "bitwarden*", "com.bitwarden.*", "1password*", "com.1password.*", "com.agilebits.*",
	"enpass*", "lastpass*", "dashlane*", "nordpass*", "proton-pass*", "protonpass*", "proton pass*", "keeperpasswordmanager*", "roboform*", "buttercup*", "padloc*", "passbolt*",
	"org.gnome.world.secrets", "secrets", "gnome-passwordsafe", "gnome-secrets", "passwordsafe", "pwsafe*", "password-gorilla", "revelation", "qtpass", "gopass*", "authpass*", "elpass*", "spectre*", "pass-import",
	"com.apple.keychainaccess", "keychain access", "com.apple.passwords", "passwords",
	// keyrings, wallets and second factors
	"seahorse*", "org.gnome.seahorse*", "kwallet*", "org.kde.kwallet*", "kwalletmanager*", "authenticator", "com.belmoussaoui.authenticator", "authy*", "yubioath*", "com.yubico.*",
	// key agents, and programs that ask for a password
	"pinentry*", "org.gnupg.pinentry*", "gcr-prompter*", "gcr-viewer*", "gnome-keyring*", "*askpass*", "ssh-add*", "gksu*", "gksudo*", "kdesu*", "kdesudo*", "lxqt-sudo*", "lxsu*",
	"polkit-*", "*-polkit*", "*polkit-agent*", "lxpolkit*", "lxqt-policykit*", "mate-polkit*", "xfce-polkit*", "org.kde.polkit*",
	"credentialuibroker*", "consent", "securityagent", "com.apple.securityagent", "coreautha", "com.apple.localauthentication*",
	// browsers that know no other windows than private ones
	"tor browser*", "tor-browser*", "torbrowser*", "mullvad browser*", "mullvadbrowser*", "mullvad-browser*", "onionshare*",
}

// privateArguments are the arguments with which browsers are started for private
// windows; a browser of which all windows may be others, too, is not asked.
var privateArguments = map[browser.Kind][]string{
	browser.FirefoxKind:  {"-private", "--private"},
	browser.ChromiumKind: {"--incognito", "-incognito", "--inprivate", "-inprivate", "--private", "-private", "--tor", "--guest", "--bwsi"},
	browser.OtherBrowser: {
		"--incognito-mode", "-i", "--private-instance", // Epiphany
		"--private-browsing", // Falkon
		"-p", "--private",    // Midori and others
		"--privatesession",           // Otter
		"private-window",             // qutebrowser --target private-window
		"content.private_browsing",   // qutebrowser -s
		"--target=private-window",    // the same
		"--incognito", "--ephemeral", // relatives
	},
}

// usuallyPrivate tells whether a window is of a kind that nobody wants to be
// read, by its title or accessible name and by what its program is called.
func usuallyPrivate(title string, names []string) bool {
	for _, name := range names {
		if name != "" && matchesAny(secretPrograms, name) {
			return true
		}
	}
	switch browser.KindOf(names) {
	case browser.FirefoxKind:
		before, last := lastPart(title)
		return containsFold(last, "Tor Browser") || containsFold(last, "Mullvad Browser") ||
			slices.ContainsFunc(privatePhrases, func(phrase string) bool { return containsFold(last, phrase) || folded(before) == folded(phrase) })
	case browser.ChromiumKind:
		return slices.ContainsFunc(privateMarks, func(mark string) bool { return strings.HasSuffix(folded(title), folded(mark)) }) ||
			strings.Contains(title, "[InPrivate]") // Edge
	case browser.NoBrowser, browser.OtherBrowser:
	}
	return false
}

// lastPart is what stands in a title after the last dash, where Firefox writes
// its own name and a page cannot write, and the part before it: in some languages
// the words for private browsing stand before another dash.
func lastPart(title string) (before, last string) {
	for _, dash := range []string{" — ", " – ", " - "} {
		if at := strings.LastIndex(title, dash); at >= 0 {
			before, last = title[:at], title[at+len(dash):]
			if at := strings.LastIndex(before, dash); at >= 0 {
				before = before[at+len(dash):]
			}
			return before, last
		}
	}
	return "", title
}

// startedPrivate tells whether a browser was started for private windows.
func startedPrivate(arguments, names []string) bool {
	private := privateArguments[browser.KindOf(names)]
	return len(arguments) > 1 && slices.ContainsFunc(arguments[1:], func(argument string) bool { return slices.Contains(private, argument) })
}

func containsFold(text, part string) bool { return strings.Contains(folded(text), folded(part)) }

// folded makes texts equal that differ in case alone.
func folded(text string) string { return strings.ToLower(strings.ToUpper(text)) }
