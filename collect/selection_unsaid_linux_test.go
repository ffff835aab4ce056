package collect

import (
	"testing"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

// TestUnsaid: "nothing is selected" is said only of programs that would tell.
func TestUnsaid(t *testing.T) {
	for _, tt := range []struct {
		window window
		role   uint32
		want   bool
	}{
		{window{process: "falkon"}, atspi.RoleDocumentWeb, true},
		{window{process: "qutebrowser"}, 0, true},
		{window{process: "falkon"}, atspi.RoleEntry, false}, // its address bar tells
		{window{process: "firefox", class: "Navigator"}, atspi.RoleDocumentWeb, false},
		{window{process: "chromium"}, atspi.RoleDocumentWeb, false},
		{window{process: "soffice", class: "libreoffice-calc"}, atspi.RoleTableCell, true},
		{window{process: "soffice", class: "libreoffice-calc"}, 0, true},
		{window{process: "soffice", class: "libreoffice-calc"}, atspi.RoleText, false}, // its line of input tells
		{window{process: "soffice", class: "libreoffice-writer"}, 0, false},
		{window{process: "thunar"}, atspi.RoleTableCell, false},
		{window{process: "mousepad"}, atspi.RoleText, false},
	} {
		if got := unsaid(tt.window, tt.role) != nil; got != tt.want {
			t.Errorf("%+v with %d: %v", tt.window, tt.role, got)
		}
	}
}
