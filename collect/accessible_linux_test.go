package collect

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/collect/internal/wayland"
	"github.com/pertain-dev/pertain/facts"
)

// TestNotAccessible: nobody is told to turn on what is on.
func TestNotAccessible(t *testing.T) {
	for _, name := range []string{"xterm", "chromium", "firefox-esr", "pcmanfm-qt", "pcmanfm"} {
		for _, on := range []bool{false, true} {
			var why *facts.CollectError
			if !errors.As(notAccessible(window{process: name}, on), &why) {
				t.Fatal("no reason")
			}
			if why.Remedy == "" || on && strings.Contains(why.Remedy, "busctl") || strings.Contains(why.Remedy, "GTK") != (name == "pcmanfm") {
				t.Errorf("%s, on %v: %s", name, on, why.Remedy)
			}
		}
	}
}

// TestToldAs: a window is called as the compositor calls it, unless the bus seems to speak
// of another one; by neither title it may be private.
func TestToldAs(t *testing.T) {
	for _, tt := range []struct{ bus, told, shown string }{
		{"notes.txt ", "notes.txt — Kate <2>", "notes.txt — Kate <2>"},
		{"a  b", "a b — Konsole", "a b — Konsole"},
		{"old page - Firefox", "new page - Firefox", "old page - Firefox"},
		{"page - Chromium (Incognito)", "page - Chromium", "page - Chromium (Incognito)"},
	} {
		w := window{title: tt.bus, family: []string{"owner"}}.toldAs(wayland.Front{Title: tt.told, Class: "class", PID: 7})
		if w.shown() != tt.shown || w.title != tt.bus || w.class != "class" || !slices.Equal(w.family, []string{"owner", tt.told}) {
			t.Errorf("%q and %q: %+v", tt.bus, tt.told, w)
		}
	}
}
