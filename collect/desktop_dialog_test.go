//go:build desktop && linux

package collect_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// config writes the settings, which are those of the whole test afterwards. Programs have
// time to answer, unless the settings say otherwise.
func (s *session) config(text string) {
	s.t.Helper()
	if !strings.Contains(text, "options:") {
		text = timeEnough + text
	}
	file := s.settings()
	write(s.t, file, text)
	t := s.t
	t.Cleanup(func() { write(t, file, settingsFile) })
}

// front is the title of the window in front.
func (s *session) front() string {
	return strings.TrimSpace(s.output("xdotool", "getactivewindow", "getwindowname"))
}

// fronts does something and waits until a window with a text in its title is in front.
func (s *session) fronts(title string, act func()) {
	s.t.Helper()
	act = seldom(act)
	s.until(title+" in front", func() bool {
		act()
		return strings.Contains(s.front(), title)
	})
}

// neverSays looks at everything for a while and fails where one of some texts is
// told.
func (s *session) neverSays(what string, secrets ...string) {
	s.t.Helper()
	for range 5 {
		said := s.pertain("context", "--json", "--show-values")
		for _, secret := range secrets {
			if strings.Contains(said, secret) {
				s.t.Fatalf("%s: %s was told: %s", what, secret, said)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// entriesProgram is a GTK 4 window with entries, the first of which hides what
// is typed and has the keyboard.
const entriesProgram = `typedef void W;
extern W *gtk_application_new(const char *, int); extern unsigned long g_signal_connect_data(W *, const char *, void *, void *, void *, int);
extern int g_application_run(W *, int, char **); extern W *gtk_application_window_new(W *); extern W *gtk_box_new(int, int);
extern W *gtk_entry_new(void); extern W *gtk_text_view_new(void); extern W *gtk_text_view_get_buffer(W *);
extern void gtk_text_buffer_set_text(W *, const char *, int); extern void gtk_editable_set_text(W *, const char *);
extern void gtk_entry_set_visibility(W *, int); extern void gtk_entry_set_invisible_char(W *, unsigned);
extern void gtk_window_set_title(W *, const char *); extern void gtk_box_append(W *, W *); extern void gtk_window_set_child(W *, W *);
extern void gtk_window_present(W *); extern int gtk_widget_grab_focus(W *);
static void activate(W *app, void *data) {
  W *w = gtk_application_window_new(app), *b = gtk_box_new(1, 0), *hidden = gtk_entry_new(), *blank = gtk_entry_new();
  W *plain = gtk_entry_new(), *view = gtk_text_view_new();
  gtk_window_set_title(w, "gtk4 entries");
  gtk_editable_set_text(hidden, "hunter2secret"); gtk_entry_set_visibility(hidden, 0);
  gtk_editable_set_text(blank, "hunter3secret"); gtk_entry_set_visibility(blank, 0); gtk_entry_set_invisible_char(blank, 0);
  gtk_editable_set_text(plain, "plain w\303\266rds");
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(view), "\nfirst line\nsecond line", -1);
  gtk_box_append(b, hidden); gtk_box_append(b, blank); gtk_box_append(b, plain); gtk_box_append(b, view);
  gtk_window_set_child(w, b); gtk_window_present(w); gtk_widget_grab_focus(hidden);
}
int main(void) {
  W *app = gtk_application_new("dev.pertain.Entries", 0);
  g_signal_connect_data(app, "activate", activate, 0, 0, 0);
  return g_application_run(app, 0, 0);
}
`

// gtk4Password: an entry that hides what is typed tells the password over the
// accessibility bus, and not that it is one.
func gtk4Password(s *session, _, _ string) {
	var libraries []string
	for _, name := range []string{"gtk-4.so.1", "gobject-2.0.so.0", "gio-2.0.so.0"} {
		found, _ := filepath.Glob("/usr/lib/*/lib" + name)
		if len(found) == 0 {
			s.t.Skip("GTK 4 is not installed")
		}
		libraries = append(libraries, found[0])
	}
	need(s.t, "gcc")
	dir := tempDir(s.t)
	write(s.t, filepath.Join(dir, "entries.c"), entriesProgram)
	program := filepath.Join(dir, "entries")
	if out, err := exec.CommandContext(s.t.Context(), "gcc", append([]string{"-o", program, filepath.Join(dir, "entries.c")}, libraries...)...).CombinedOutput(); err != nil {
		s.t.Fatalf("gcc: %v\n%s", err, out)
	}
	defer s.start(program).end()
	texts := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", texts)
		}
	}()
	s.until("the entries", func() bool {
		texts = ""
		s.look("visual").each(func(e map[string]any) {
			if e["type"] == "TextEdit" {
				texts += fmt.Sprintf("%v %v; ", e["text"], e["states"])
			}
		})
		if strings.Contains(texts, "hunter") {
			s.t.Fatal("a password was told")
		}
		return texts == "<nil> [focused password]; <nil> [password]; plain wörds <nil>; \nfirst line\nsecond line <nil>; "
	})
	s.until("the bullets in the primary selection", func() bool {
		s.keys("ctrl+a")
		return strings.Count(s.primary(), "●")+strings.Count(s.primary(), "•") == len("hunter2secret")
	})
	s.neverSays("a password that is selected", "hunter", "●", "•")
	// A key too many would go on to the text below, which takes Tab for a letter: there is
	// one for each entry that has the keyboard and hides what is typed.
	at := ""
	s.sees("the other entry with the keyboard", "visual", func(v seen) bool {
		states, id := "", ""
		v.each(func(e map[string]any) {
			if now := fmt.Sprint(e["states"]); e["type"] == "TextEdit" && strings.Contains(now, "focused") {
				states, id = now, fmt.Sprint(e["id"])
			}
		})
		if strings.Contains(states, "password") && id != at {
			at = id
			s.keys("Tab")
		}
		return states == "[focused]"
	})
	s.until("the other entry's text", func() bool {
		s.keys("ctrl+a")
		text, _ := s.selectionNow()
		return text == "plain wörds"
	})
}

// privateDialog: a dialog of a private window is private.
func privateDialog(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.until("the selected text", func() bool {
		s.keys("ctrl+a")
		text, _ := s.selectionNow()
		return strings.Contains(text, "TODO")
	})
	s.fronts("Find and Replace", func() { s.keys("ctrl+r") })
	s.until("the text in the dialog", func() bool { return strings.Contains(s.look("visual").raw, "TODO") })
	s.config("private: {titles: ['*notes.txt*']}\n")
	s.neverSays("the dialog of a private window", "TODO", "Find and Replace", "notes.txt")
	s.sees("why", "visual", func(v seen) bool { return strings.Contains(v.raw, "is never read") })
}

// chromiumDialog: while a dialog is in front that the browser does not show on
// the accessibility bus, no other window is told for it.
func chromiumDialog(s *session, _, _ string) {
	first, second := s.pages()
	for _, port := range []string{"--remote-debugging-port=0", "--no-pings"} {
		a := s.chromium(port, first)
		s.showsTab(first, "Page one", func() {})
		s.fronts("New Tab", func() { s.keys("ctrl+n") })
		s.fronts("Page two", func() { s.visit(second) })
		s.fronts("Open File", func() { s.keys("ctrl+o") })
		s.neverSays("the window behind a dialog", "Page one", "Page two", first, second, "bold")
		s.config("private: {titles: ['*Page two*']}\n")
		s.neverSays("a private window behind a dialog", "Page one", "Page two", first, second, "bold")
		s.sees("why", "clipboard.text", func(v seen) bool { return strings.Contains(v.raw, "is never read") })
		s.config(settingsFile)
		a.end()
	}
}

// foreignPort: who listens at the port that a browser was started with need not
// be that browser.
func foreignPort(s *session, _, _ string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `[{"type":"page","url":"http://lie.example/","title":"Page one","id":"1"}]`)
	}))
	s.t.Cleanup(server.Close)
	first, _ := s.pages()
	address, _ := server.Listener.Addr().(*net.TCPAddr)
	defer s.chromium(fmt.Sprint("--remote-debugging-port=", address.Port), first).end()
	// A window that has only just come may be known to the bus before it is known to be a browser's: then no port is thought of.
	s.until("the browser's own page, and why the port is not asked", func() bool {
		v := s.look("extra.browser")
		if strings.Contains(v.raw, "lie.example") {
			s.t.Fatal("another program's page was told")
		}
		return v.text("extra", "browser", "active_tab", "url") == first && strings.Contains(v.raw, "is not its own")
	})
}

// incognito: Chromium says on the accessibility bus alone that a window is a
// private one.
func incognito(s *session, _, _ string) {
	first, _ := s.pages()
	defer s.chromium("--remote-debugging-port=0", "--incognito", first).end()
	s.config(openly)
	s.showsTab(first, "Page one", func() {})
	s.config("private: {defaults: false, titles: ['*Incognito*']}\n")
	s.feed("copied", "xclip", "-selection", "clipboard")
	s.neverSays("an incognito window", "Page one", first, "copied")
	s.fronts("Open File", func() { s.keys("ctrl+o") })
	s.neverSays("a dialog of an incognito window", "Page one", first, "copied")
}

// untoldIncognito: where a Chromium does not say whether a window is a private
// one, and there are private titles, it may be.
func untoldIncognito(s *session, _, _ string) {
	need(s.t, "chromium")
	first, _ := s.pages()
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	defer s.accessible()
	if err := conn.Object("org.a11y.Bus", "/org/a11y/bus").Call("org.freedesktop.DBus.Properties.Set", 0, "org.a11y.Status", "IsEnabled", dbus.MakeVariant(false)).Err; err != nil {
		s.t.Fatal(err)
	}
	defer s.start("chromium", "--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-background-networking",
		"--user-data-dir="+tempDir(s.t), "--remote-debugging-port=0", "--incognito", first).end()
	s.config(openly)
	s.showsTab(first, "Page one", func() {})
	s.feed("copied", "xclip", "-selection", "clipboard")
	s.config("private: {defaults: false, titles: ['*Incognito*']}\n")
	s.neverSays("a window that may be private", "Page one", first, "copied")
	s.until("why", func() bool { return strings.Contains(s.look("extra.browser").raw, "does not say whether its window") })
}

// firefoxPageInfo: the window that tells about a page is as private as the page.
func firefoxPageInfo(s *session, _, _ string) {
	need(s.t, "firefox-esr")
	s.accessible()
	first, _ := s.pages()
	defer s.startFirefox("--private-window", first).end()
	s.fronts("Private Browsing", func() {})
	s.fronts("Page Info", func() { s.keys("ctrl+i") })
	s.config(openly)
	s.until("the page info", func() bool { return strings.Contains(s.look("visual").raw, "Page Info") })
	s.config("private: {defaults: false, titles: ['*Private Browsing*']}\n")
	s.neverSays("the info about a page that the settings call private", "Page Info", first)
	s.config("")
	s.neverSays("the info about a private page", "Page Info", first)
}
