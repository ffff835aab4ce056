package collect

import (
	"errors"
	"strings"
	"testing"

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
