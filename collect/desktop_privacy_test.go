//go:build desktop && linux

package collect_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// selectionNow is the selected text that pertain tells, "" for none, and the
// whole answer.
func (s *session) selectionNow() (text, raw string) {
	s.t.Helper()
	v := s.look("attachments.selection.text")
	return v.text("attachments", "selection", "text"), v.raw
}

// never looks for a while and fails when something is told.
func (s *session) never(what, secret string) {
	s.t.Helper()
	for range 8 {
		if _, raw := s.selectionNow(); strings.Contains(raw, secret) {
			s.t.Fatalf("%s: %s was told", what, secret)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// primary is what X's primary selection holds, whoever owns it.
func (s *session) primary() string { return s.output("xclip", "-selection", "primary", "-o") }

// chromiumSelection: what is selected in a page is told while it is, and a
// password never, though Chromium shows both to everybody.
func chromiumSelection(s *session, _, _ string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/login" {
			fmt.Fprint(w, "<!doctype html><title>Login</title><p>please</p><input type=password value=webpass77 autofocus>")
			return
		}
		fmt.Fprint(w, "<!doctype html><title>Article</title><h1>Widgets</h1><p>Some <b>bold</b> words</p><ul><li>one<li>two</ul>"+
			"<table><tr><td>left<td>right</table><p>and <a href=x>a link</a> at the end</p>")
	}))
	s.t.Cleanup(server.Close)
	base := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	defer s.chromium(base + "/login").end()
	s.showsTab(base+"/login", "Login", func() {})
	s.until("the password in the primary selection", func() bool {
		s.keys("ctrl+a")
		return s.primary() == "webpass77"
	})
	s.never("a password that is selected", "webpass77")
	s.keys("Right")
	s.never("a password that was selected", "webpass77")
	s.visit(base + "/article")
	s.showsTab(base+"/article", "Article", func() {})
	s.never("a password of another page", "webpass77")
	last := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s\nprimary: %q", last, s.primary())
		}
	}()
	s.until("the page's text", func() bool {
		s.user("mousemove", "600", "600", "click", "1") // out of the location bar
		s.keys("ctrl+a")
		text, raw := s.selectionNow()
		last = raw
		return strings.Contains(text, "Some bold words") && strings.Contains(text, "a link at the end") && text == s.primary()
	})
	s.user("mousemove", "400", "260", "click", "1") // elsewhere, so that it is no double click
	s.until("nothing after a click", func() bool {
		_, raw := s.selectionNow()
		last = raw
		return !strings.Contains(raw, "bold")
	})
	s.never("what is selected no more", "bold")
	s.keys("ctrl+a", "ctrl+t")
	s.until("nothing in a new tab", func() bool {
		_, raw := s.selectionNow()
		last = raw
		return !strings.Contains(raw, "bold")
	})
	s.never("another tab's text", "bold")
}

// passwordProgram is a window with an entry that hides what is typed.
const passwordProgram = `typedef void W;
extern void gtk_init(int *, char ***); extern W *gtk_window_new(int); extern W *gtk_entry_new(void);
extern void gtk_entry_set_visibility(W *, int); extern void gtk_entry_set_text(W *, const char *);
extern void gtk_container_add(W *, W *); extern void gtk_widget_show_all(W *); extern void gtk_main(void);
int main(int c, char **v) {
  gtk_init(&c, &v);
  W *w = gtk_window_new(0), *e = gtk_entry_new();
  gtk_entry_set_text(e, "hunter2secret"); gtk_entry_set_visibility(e, 0);
  gtk_container_add(w, e); gtk_widget_show_all(w); gtk_main();
  return 0;
}
`

// gtkPassword: the bullets of a password are not told, nor how many there are.
func gtkPassword(s *session, _, _ string) {
	libraries, _ := filepath.Glob("/usr/lib/*/libgtk-3.so.0")
	if len(libraries) == 0 {
		s.t.Skip("GTK 3 is not installed")
	}
	need(s.t, "gcc")
	dir := tempDir(s.t)
	write(s.t, filepath.Join(dir, "password.c"), passwordProgram)
	program := filepath.Join(dir, "password")
	if out, err := exec.CommandContext(s.t.Context(), "gcc", "-o", program, filepath.Join(dir, "password.c"), libraries[0]).CombinedOutput(); err != nil {
		s.t.Fatalf("gcc: %v\n%s", err, out)
	}
	for _, accessible := range []string{"NO_AT_BRIDGE=0", "NO_AT_BRIDGE=1"} {
		cmd := s.command(program)
		cmd.Env = append(append([]string{}, s.env...), accessible)
		a := s.run(cmd)
		s.until("the bullets in the primary selection", func() bool {
			s.keys("ctrl+a")
			return strings.Count(s.primary(), "●")+strings.Count(s.primary(), "•") == len("hunter2secret")
		})
		s.never(accessible, "●")
		s.never(accessible, "•")
		a.end()
	}
}

// otherWindow: what is selected in one window of a program is not told of
// another, least of all where the first is private.
func otherWindow(s *session, _, notes string) {
	first := s.start("mousepad", notes)
	defer first.end()
	s.until("the selected text", func() bool {
		s.keys("ctrl+a")
		text, _ := s.selectionNow()
		return strings.Contains(text, "TODO")
	})
	s.config("private: {titles: ['*notes.txt*']}\n")
	other := filepath.Join(s.home, "other.txt")
	write(s.t, other, "other words\n")
	s.start("mousepad", "-o", "window", other)
	s.until("the other window", func() bool {
		return strings.Contains(s.output("xdotool", "getactivewindow", "getwindowname"), "other.txt")
	})
	if !strings.Contains(s.primary(), "TODO") {
		s.t.Error("the primary selection has gone, so this checks nothing")
	}
	s.never("a private window's text", "TODO")
	s.config(settingsFile)
	s.never("another window's text", "TODO")
	s.until("the other window's own text", func() bool {
		s.keys("ctrl+a")
		text, _ := s.selectionNow()
		return text == "other words\n"
	})
}

// terminalSelection: a program that tells nothing over the accessibility bus,
// and has one window alone, is taken at its word.
func terminalSelection(s *session, _, _ string) {
	need(s.t, "xterm")
	defer s.start("xterm", "-geometry", "80x24+0+0", "-e", "sh", "-c", "echo shown; exec sleep 1000").end()
	s.until("the selected word", func() bool {
		s.user("search", "--onlyvisible", "--class", "xterm", "windowactivate", "--sync", "mousemove", "--window", "%1", "20", "10", "click", "--repeat", "2", "--delay", "20", "1")
		text, _ := s.selectionNow()
		return text == "shown"
	})
}

// largeClipboard: what is too large is not cut but unknown, and stays on the
// clipboard for others; so does what a stopped program owns.
func largeClipboard(s *session, _, _ string) {
	large := strings.Repeat("0123456789abcdef", 20<<16)
	s.feed(large, "xclip", "-selection", "clipboard")
	for range 2 {
		v := s.look("clipboard")
		if v.at("clipboard", "text") != nil {
			s.t.Errorf("a part of the clipboard was told: %d characters", len(v.text("clipboard", "text")))
		}
		if got := s.output("timeout", "20", "xclip", "-selection", "clipboard", "-o"); got != large {
			s.t.Fatalf("afterwards the clipboard has %d characters", len(got))
		}
	}
	s.feed("small", "xclip", "-selection", "clipboard")
	for _, pid := range s.processes("xclip") {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
		defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
	}
	s.config(usualTime + ownSettings)
	began := time.Now()
	s.look("clipboard")
	s.t.Logf("a stopped owner cost %s", time.Since(began))
	s.config(settingsFile)
	for _, pid := range s.processes("xclip") {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	s.until("the clipboard of who was stopped", func() bool {
		return s.look("clipboard.text").text("clipboard", "text") == "small"
	})
}
