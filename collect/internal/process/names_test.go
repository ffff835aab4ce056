package process

import (
	"strings"
	"testing"
)

func TestUsual(t *testing.T) {
	for _, tt := range []struct{ command, want string }{
		{"thunderbird-bin", "thunderbird"},
		{"thunderbird", "thunderbird"},
		{"firefox-esr", "firefox"},
		{"firefox-bin", "firefox"},
		{"soffice.bin --writer", "soffice"},
		{"vim.gtk3 -g x", "vim"},
		{"emacs-gtk", "emacs"},
		{"emacs-29.1", "emacs"},
		{".emacs-29.1-wrapped", "emacs"},
		{"gnome-terminal-server", "gnome-terminal"},
		{"python3.11 /usr/bin/terminator", "terminator"},
		{"python3 -u /opt/x/tool.py --flag", "tool"},
		{"python3.11", "python"},
		{"python3 -c print()", "python"},
		{"electron28 /usr/lib/slack/resources/app.asar", "slack"},
		{"electron /opt/notes/app", "notes"},
		{"java -cp lib -jar /opt/tool.jar", "tool"},
		{"gjs-console /usr/bin/gnome-characters", "gnome-characters"},
		{"mousepad", "mousepad"},
		{"gnome-text-editor", "gnome-text-editor"},
		{"pcmanfm-qt", "pcmanfm-qt"},
		{"7z", "7z"},
		{"-bin", "-bin"},
		{"", ""},
	} {
		file, _, _ := strings.Cut(tt.command, " ")
		if got := Usual(file, strings.Fields(tt.command)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.command, got, tt.want)
		}
	}
}
