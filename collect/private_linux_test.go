package collect

import (
	"context"
	"errors"
	"testing"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/privacy"
)

// TestUndecided: a browser that is on the accessibility bus and does not tell its
// window's name in time may show a private window, so that the clipboard is not read; one
// that is not there at all never tells.
func TestUndecided(t *testing.T) {
	late, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		err     error
		refused bool
	}{
		{"not on the bus", t.Context(), nil, false},
		{"no bus", t.Context(), errors.Join(errors.New("refused"), errNoBus), false},
		{"late", late, nil, true},
		{"late, with an error", late, context.Canceled, true},
		{"a bus that hangs", late, errors.Join(context.Canceled, errNoBus), true},
		{"a call that failed", t.Context(), errors.New("no such object"), true},
		{"a window that it does not show", t.Context(), atspi.ErrUnshown, true},
	} {
		err := undecided(tt.ctx, tt.err)
		if got := (privacy.Rules{}).ForClipboard(err) != nil; got != tt.refused || (err != nil) != tt.refused {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if errors.Is(atspi.ErrUnshown, privacy.ErrUndecided) {
		t.Error("a shared error was changed")
	}
}
