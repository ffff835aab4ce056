//go:build desktop && linux

package collect_test

import (
	"strings"
	"testing"
)

// TestDesktopProgramsKonqueror: Konqueror with a page is no file manager in which nothing is
// selected.
func TestDesktopProgramsKonqueror(t *testing.T) {
	s := newSession(t)
	need(t, "konqueror")
	s.env = append(s.env, "QTWEBENGINE_DISABLE_SANDBOX=1") // which root cannot have
	s.config("options: {extraTimeout: 3s}\n")
	page := s.home + "/page.html"
	write(t, page, "<!doctype html><title>A page</title><p>Some words</p>")
	defer s.start("konqueror", "file://"+page).end()
	s.sees("the page's window", "visual", func(v seen) bool { return strings.HasPrefix(v.text("visual", "roots", 0, "name"), "A page") })
	s.sees("why there are no files", "extra.file_manager", func(v seen) bool {
		return !v.Parts[0].Available && strings.Contains(v.raw, "the window does not show a folder")
	})
}
