package filemanager

import (
	"context"
	"testing"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

// TestNamesThatWereNotRead: an answer without names that there was no time for is
// not kept; one with a few dozen is.
func TestNamesThatWereNotRead(t *testing.T) {
	v := fileWindow{Window: atspi.Window{Toolkit: atspi.Toolkit{Name: "gtk", Version: "3.24"}}}
	for _, tt := range []struct {
		names, more int
		want        bool
	}{{0, 0, true}, {2, 0, true}, {0, 1, false}, {namesAtOnce - 1, 1, false}, {namesAtOnce, 4960, true}} {
		chosen := selection{known: true, names: make([]string, tt.names), more: tt.more, lists: make([]askedList, 1)}
		if _, ok := v.validity(known[0], "/w", chosen); ok != tt.want {
			t.Errorf("%d names, %d more: kept %v", tt.names, tt.more, ok)
		}
	}
}

// TestAnswerHolds: an answer is used again while the window says that it shows
// the same, and what is selected is there.
func TestAnswerHolds(t *testing.T) {
	alive := true
	a := Answer{folder: folderShown{folder: t.TempDir()}, fresh: func(context.Context) bool { return alive }}
	if !a.Holds(t.Context()) {
		t.Error("nothing has changed")
	}
	alive = false
	if a.Holds(t.Context()) {
		t.Error("the program says otherwise")
	}
	alive = true
	a.chosen = selection{known: true, names: []string{"gone.txt"}}
	if a.Holds(t.Context()) {
		t.Error("a file that is not there any more")
	}
	if (Answer{}).Holds(t.Context()) {
		t.Error("nothing tells whether it holds")
	}
}

// TestHome: a relative path is no home folder.
func TestHome(t *testing.T) {
	for _, dir := range []string{"", ".", "run"} {
		v := fileWindow{around: Surroundings{Env: func(string) string { return dir }}}
		if got := v.home(); got != "" {
			t.Errorf("%q: the home is %s", dir, got)
		}
	}
}
