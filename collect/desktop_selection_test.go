//go:build desktop && linux

package collect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// shortOfTime: a part of the selection is never told as all of it, and who had not
// enough time says so.
func shortOfTime(s *session, _, _ string) {
	need(s.t, "pcmanfm-qt")
	const files = 29
	folder := filepath.Join(s.home, "several")
	for i := range files {
		write(s.t, filepath.Join(folder, fmt.Sprintf("f%02d.txt", i)), "x")
	}
	defer s.start("pcmanfm-qt", folder).end()
	selected := func(v seen) int {
		items, _ := v.at("extra", "file_manager", "selection", "items").([]any)
		return len(items)
	}
	s.fronts("several", func() {})
	s.sees("all files", "extra.file_manager", func(v seen) bool {
		if selected(v) != files {
			s.keys("ctrl+a")
		}
		return selected(v) == files
	})
	late := 0
	for limit := 20; limit <= 260; limit += 20 {
		s.config(fmt.Sprintf("options: {extraTimeout: %dms}\n%s", limit, ownSettings))
		v := s.look("extra.file_manager")
		if n := selected(v); n == files {
			continue
		} else if n > 0 || v.at("extra", "file_manager", "selection", "items") != nil {
			s.t.Errorf("with %d ms %d of %d are told", limit, n, files)
		}
		late++
		for _, d := range v.Parts[0].Diagnostics {
			if d.Code != "extra.provider_timeout" || strings.Contains(d.Message, "wider") {
				s.t.Errorf("with %d ms: %+v", limit, d)
			}
		}
	}
	if late == 0 {
		s.t.Error("20 ms were enough")
	}
}

// narrowWindow: without the folder, what is selected is told all the same, and
// nothing else.
func narrowWindow(s *session, _, _ string) {
	need(s.t, "pcmanfm-qt")
	folder := filepath.Join(s.home, "narrow")
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		write(s.t, filepath.Join(folder, name), "x")
	}
	defer s.start("pcmanfm-qt", folder).end()
	s.selects(folder, "a.txt,b.txt", func() { s.keys("Home", "shift+Right") })
	s.output("xdotool", "getactivewindow", "windowsize", "300", "300")
	s.until("the same in a window that shows no folder", func() bool {
		v := s.look("extra.file_manager")
		if got := v.names(); got != "a.txt,b.txt" && v.at("extra", "file_manager", "selection", "items") != nil {
			s.t.Fatalf("selected are %q: %s", got, v.raw)
		}
		return v.folder() == "" && v.names() == "a.txt,b.txt"
	})
}

// splitWindow: of two lists, the one with the keyboard counts.
func splitWindow(s *session, _, _ string) {
	if os.Getenv("PERTAIN_DESKTOP_ALL") == "" {
		s.t.Skip("Dolphin takes long to install: set PERTAIN_DESKTOP_ALL")
	}
	need(s.t, "dolphin")
	left, right := filepath.Join(s.home, "left"), filepath.Join(s.home, "right")
	for _, name := range []string{"a.txt", "b.txt"} {
		write(s.t, filepath.Join(left, name), "x")
		write(s.t, filepath.Join(right, name), "x")
	}
	defer s.start("dolphin", "--split", left, right).end()
	s.selects(left, "a.txt,b.txt", func() { s.keys("ctrl+a") })
	s.keys("Tab") // out of the list
	for range 5 {
		v := s.look("extra.file_manager")
		if items := v.at("extra", "file_manager", "selection", "items"); items != nil && v.names() != "a.txt,b.txt" {
			s.t.Errorf("selected are %v in %s", items, v.folder())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// trashes: every file manager shows the trash as what it is.
func trashes(s *session, _, _ string) {
	s.throwAway()
	s.thunarView("ThunarDetailsView")
	managers := [][]string{{"thunar", "trash:///"}, {"pcmanfm-qt", "trash:///"}, {"nemo", "trash:///"}, {"caja", "--no-desktop", "trash:///"}, {"nautilus", "--new-window", "trash:///"}}
	if os.Getenv("PERTAIN_DESKTOP_ALL") != "" {
		managers = append(managers, []string{"dolphin", "trash:/"})
	}
	for _, m := range managers {
		need(s.t, m[0])
		cmd := s.command(m[0], m[1:]...)
		cmd.Env = slices.DeleteFunc(slices.Clone(cmd.Env), func(e string) bool { return e == "GIO_USE_VFS=local" })
		a := s.run(cmd)
		click := seldom(func() { s.click("gone1.txt") }) // a second one would open it
		s.until("the trash in "+m[0], func() bool {
			if m[0] == "nautilus" && strings.Contains(s.look("visual").raw, "gone1.txt") {
				click()
			}
			s.keys("ctrl+a")
			v := s.look("extra.file_manager")
			if v.folder() != "" {
				s.t.Errorf("%s: the trash is no folder: %s", m[0], v.raw)
			}
			items, _ := v.at("extra", "file_manager", "selection", "items").([]any)
			names := strings.Split(v.names(), ",")
			slices.Sort(names)
			return strings.Join(names, ",") == "gone1.txt,gone2.txt" && !slices.ContainsFunc(items, func(item any) bool {
				object, _ := item.(map[string]any)
				path, told := object["path"]
				return !told || path != nil || object["kind"] != "virtual"
			})
		})
		a.end()
	}
}
