package privacy

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestPrivate(t *testing.T) {
	p := Rules{Applications: []string{"KeePassXC", "*bank*", "[x"}, Titles: []string{"*private browsing*"}, NoDefaults: true}
	for _, tt := range []struct {
		title, process, class string
		want                  bool
	}{
		{"Notes", "mousepad", "Mousepad", false},
		{"Database", "keepassxc", "", true},
		{"Database", "", "keepassxc", true},
		{"x", "my-BANK-app", "", true},
		{"Page - Firefox (Private Browsing)", "firefox", "", true},
		{"Page (Incognito)", "chromium", "", false}, // nobody has named it, and the defaults are off
		{"x", "[X", "", true},                       // a pattern that cannot be read means itself
		{"", "", "", false},
	} {
		if got := p.Refuses(tt.title, tt.process, tt.class) != nil; got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
	if p.RefusesArguments([]string{"chromium", "--incognito"}, "chromium") != nil {
		t.Error("the defaults are off, and a command line counts")
	}
}

// TestBrokenPrivate: where nobody knows what is private, everything is.
func TestBrokenPrivate(t *testing.T) {
	p := Rules{Broken: true, NoDefaults: true}
	if err := p.Refuses("Notes", "mousepad"); err == nil || !p.Asked() || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("%v %v", err, p.Asked())
	}
	if p := (Rules{NoDefaults: true}); p.Asked() {
		t.Error("nothing is private, and it is asked for")
	}
}

// TestPrivateByDefault: the zero value knows what is usually private, and takes
// nothing else for it.
func TestPrivateByDefault(t *testing.T) {
	for _, tt := range []struct {
		title string
		names []string
		want  bool
	}{
		// as the browsers write it
		{"Mozilla Firefox Private Browsing", []string{"firefox-esr", "firefox-esr"}, true},
		{"Widgets — Mozilla Firefox Private Browsing", []string{"firefox"}, true},
		{"Widgets - Mozilla Firefox (Private Browsing)", []string{"firefox"}, true},
		{"Dings — Mozilla Firefox Privater Modus", []string{"firefox"}, true},
		{"Truc — Navigation privée de Mozilla Firefox", []string{"firefox"}, true},
		{"Věc — Anonymní prohlížení — LibreWolf", []string{"librewolf"}, true},
		{"物 — Mozilla Firefox 隐私浏览", []string{"firefox"}, true},
		{"Something — Tor Browser", []string{"firefox.real", "Tor Browser"}, true},
		{"Widgets - Chromium (Incognito)", []string{"chromium"}, true},
		{"Widgets - Chromium（シークレット モード）", []string{"chromium"}, true},
		{"Widgets - Google Chrome (anonym)", []string{"chrome", "Google-chrome"}, true},
		{"Widgets - [InPrivate] - Microsoft Edge", []string{"msedge"}, true},
		{"Widgets - Brave (Private)", []string{"brave"}, true},
		{"Passwords.kdbx", []string{"keepassxc"}, true},
		{"x", []string{"python3.11", "secrets"}, true},
		{"x", []string{"pinentry-gtk-2"}, true},
		{"x", []string{"ksshaskpass"}, true},
		{"x", []string{"polkit-gnome-authentication-agent-1"}, true},
		{"x", []string{"1Password"}, true},
		{"x", []string{"", "com.apple.keychainaccess"}, true},
		// what only looks so
		{"Private Browsing — Wikipedia — Mozilla Firefox", []string{"firefox"}, false},
		{"How to leave Private Browsing — Mozilla Firefox", []string{"firefox"}, false},
		{"Widgets (Incognito) - Chromium", []string{"chromium"}, false},
		{"notes (Incognito)", []string{"mousepad"}, false},
		{"passwords.txt - Mousepad", []string{"mousepad", "Mousepad"}, false},
		{"secrets.go", []string{"code", "Code"}, false},
		{"", []string{"", ""}, false},
		{"", nil, false},
	} {
		if got := (Rules{}).Refuses(tt.title, tt.names...) != nil; got != tt.want {
			t.Errorf("%q %q: %v", tt.title, tt.names, got)
		}
	}
}

// TestPrivateClipboard: what is not known about the window in front costs the
// clipboard only where the user has named windows.
func TestPrivateClipboard(t *testing.T) {
	unknown := errors.New("the compositor does not tell")
	for _, tt := range []struct {
		private Rules
		err     error
		refused bool
	}{
		{Rules{}, nil, false},
		{Rules{}, unknown, false},
		{Rules{}, ErrUsual, true},
		{Rules{}, fmt.Errorf("it does not answer: %w", ErrUndecided), true},
		{Rules{Titles: []string{"x"}}, unknown, true},
		{Rules{Applications: []string{"x"}, NoDefaults: true}, unknown, true},
		{Rules{Broken: true}, unknown, true},
	} {
		if got := tt.private.ForClipboard(tt.err) != nil; got != tt.refused {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

func TestStartedPrivate(t *testing.T) {
	for _, tt := range []struct {
		line, name string
		want       bool
	}{
		{"chromium --incognito http://localhost", "chromium", true},
		{"msedge --inprivate", "msedge", true},
		{"chromium http://localhost", "chromium", false},
		{"epiphany --incognito-mode", "epiphany-browser", true},
		{"epiphany --incognito-mode --profile /tmp/x", "org.gnome.Epiphany", true},
		{"epiphany http://localhost", "epiphany", false},
		{"falkon --private-browsing", "falkon", true},
		{"firefox -private", "firefox", true},
		{"firefox --private-window http://localhost", "firefox", false}, // that window's title tells, and others may follow
		{"vim -p a b", "vim", false},
		{"--incognito", "chromium", false}, // the program's own name
		{"", "chromium", false},
	} {
		if got := (Rules{}).RefusesArguments(strings.Fields(tt.line), tt.name) != nil; got != tt.want {
			t.Errorf("%q: %v", tt.line, got)
		}
	}
}

// TestPrivateDocs: what is private without being named is told to everybody.
func TestPrivateDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/desktop.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range secretPrograms {
		if !strings.Contains(string(text), "`"+pattern+"`") {
			t.Errorf("docs/desktop.md does not list %s", pattern)
		}
	}
}
