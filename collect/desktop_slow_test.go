//go:build desktop && linux

package collect_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// labelsProgram is a window with an entry and thousands of labels, which says how long it
// could do nothing else whenever that was longer than ever before. It counts the time that
// it had of a processor: others may have had the rest.
const labelsProgram = `#include <stdio.h>
#include <time.h>
typedef void W;
extern void gtk_init(int *, char ***); extern W *gtk_window_new(int); extern W *gtk_entry_new(void); extern W *gtk_label_new(const char *);
extern W *gtk_box_new(int, int); extern W *gtk_scrolled_window_new(W *, W *); extern void gtk_box_pack_start(W *, W *, int, int, unsigned);
extern void gtk_entry_set_text(W *, const char *); extern void gtk_window_set_title(W *, const char *); extern void gtk_widget_grab_focus(W *);
extern void gtk_container_add(W *, W *); extern void gtk_widget_show_all(W *); extern void gtk_main(void);
extern unsigned g_timeout_add(unsigned, int (*)(void *), void *);
static long last, most;
static int tick(void *unused) {
  long now = clock() / (CLOCKS_PER_SEC / 1000000);
  if (last && now - last > most) { most = now - last; printf("stood %ld us\n", most); fflush(stdout); }
  last = now;
  return 1;
}
static int reset(void *unused) { most = 0; printf("shown\n"); fflush(stdout); return 0; }
int main(int c, char **v) {
  gtk_init(&c, &v);
  W *w = gtk_window_new(0), *all = gtk_box_new(1, 0), *e = gtk_entry_new(), *s = gtk_scrolled_window_new(0, 0), *b = gtk_box_new(1, 0);
  gtk_window_set_title(w, "Labels"); gtk_entry_set_text(e, "typed words");
  for (int i = 0; i < 3000; i++) gtk_box_pack_start(b, gtk_label_new("label"), 0, 0, 0);
  gtk_container_add(s, b); gtk_box_pack_start(all, e, 0, 0, 0); gtk_box_pack_start(all, s, 1, 1, 0);
  gtk_container_add(w, all); gtk_widget_show_all(w); gtk_widget_grab_focus(e);
  g_timeout_add(5, tick, 0); g_timeout_add(3000, reset, 0); gtk_main();
  return 0;
}
`

// stood is the longest time that the program with labels stood still, since it was last
// shown or since its output had been so long.
func (a *app) stood(since int) time.Duration {
	longest := time.Duration(0)
	for _, found := range regexp.MustCompile(`stood (\d+) us`).FindAllStringSubmatch(a.output()[since:], -1) {
		if n, err := strconv.Atoi(found[1]); err == nil {
			longest = max(longest, time.Duration(n)*time.Microsecond)
		}
	}
	return longest
}

// manyWidgets: a program with very many elements goes on while it is read, and tells
// what is selected.
func manyWidgets(s *session, _, _ string) {
	libraries, _ := filepath.Glob("/usr/lib/*/libgtk-3.so.0")
	glib, _ := filepath.Glob("/usr/lib/*/libglib-2.0.so.0")
	if len(libraries) == 0 || len(glib) == 0 {
		s.t.Skip("GTK 3 is not installed")
	}
	need(s.t, "gcc")
	dir := tempDir(s.t)
	write(s.t, filepath.Join(dir, "labels.c"), labelsProgram)
	program := filepath.Join(dir, "labels")
	if out, err := exec.CommandContext(s.t.Context(), "gcc", "-o", program, filepath.Join(dir, "labels.c"), libraries[0], glib[0]).CombinedOutput(); err != nil {
		s.t.Fatalf("gcc: %v\n%s", err, out)
	}
	a := s.start(program)
	defer a.end()
	s.until("the labels", func() bool { return strings.Contains(a.output(), "shown") })
	begun := strings.Index(a.output(), "shown")
	s.until("the selected text", func() bool {
		s.keys("ctrl+a")
		return s.look("attachments.selection.text").text("attachments", "selection", "text") == "typed words"
	})
	s.until("its elements, in part", func() bool { return s.look("visual").text("visual", "partial") == "true" })
	reading := a.stood(begun)
	bus, err := s.accessibilityBus()
	if err != nil {
		s.t.Fatal(err)
	}
	defer bus.Close()
	var names []string
	if err := bus.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range names { // what the program would have stood still for
		var pid uint32
		if bus.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0, name).Store(&pid) == nil && int(pid) == a.cmd.Process.Pid {
			registrar := bus.Object("org.a11y.atspi.Registry", "/org/a11y/atspi/registry")
			_ = registrar.Call("org.a11y.atspi.Registry.RegisterEvent", 0, "object:state-changed:focused", []string{}, "").Err
			_ = bus.Object(name, "/org/a11y/atspi/cache").Call("org.a11y.atspi.Cache.GetItems", 0).Err
		}
	}
	s.until("that the cache takes much longer than all that was read", func() bool { return a.stood(begun) > 3*reading })
	s.t.Logf("the program stood still for %v while it was read, for %v while its cache was", reading, a.stood(begun))
}

// gtk4Editor: GNOME's editor is slow to tell where the keyboard is. What it had no time
// for is told, and never that nothing is selected; who watches reads it in time.
func gtk4Editor(s *session, _, notes string) {
	need(s.t, "gnome-text-editor")
	defer s.start("gnome-text-editor", "--standalone", notes).end()
	const text = "first line\nTODO: second line\n"
	selected := func(v seen) string { return v.text("attachments", "selection", "text") }
	s.until("the selected text", func() bool {
		s.keys("ctrl+a")
		return strings.TrimSpace(selected(s.look("attachments.selection.text"))) == strings.TrimSpace(text)
	})
	for limit := 20; limit <= 300; limit += 20 {
		s.config(fmt.Sprintf("options: {extraTimeout: %dms}\n%s", limit, ownSettings))
		if v := s.look("attachments.selection.text"); selected(v) == "" && len(v.Parts[0].Diagnostics) == 0 {
			s.t.Errorf("with %d ms nothing is said to be selected: %s", limit, v.raw)
		}
	}
	w := s.warm()
	defer w.end()
	row, _ := facts.Lookup("attachments.selection.text")
	s.until("the selected text, by who watches", func() bool {
		out, _ := w.ask("attachments.selection.text")
		return strings.TrimSpace(out.Snapshot.At(row).Text()) == strings.TrimSpace(text)
	})
}
