//go:build darwin || linux || windows

package collect

import (
	"errors"
	"testing"
)

// TestClipboardWithoutWindow: where no window is in front, nothing private is.
func TestClipboardWithoutWindow(t *testing.T) {
	d := &desktop{options: Options{Private: Private{Titles: []string{"x"}}}}
	if err := d.refusesClipboard(errNoWindow); err != nil {
		t.Error(err)
	}
	if d.refusesClipboard(errors.New("the compositor does not tell")) == nil {
		t.Error("the window in front may be a private one")
	}
}
