//go:build desktop && linux

package collect_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// selects acts until the file manager in front shows the folder and the
// selection, and returns what was seen then.
func (s *session) selects(folder, want string, act func()) seen {
	s.t.Helper()
	var last seen
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", last.raw)
		}
	}()
	s.until(fmt.Sprintf("%s selected in %s", want, folder), func() bool {
		act()
		for range 10 { // the keys are on their way
			last = s.look("extra.file_manager")
			if last.folder() == folder && last.names() == want {
				return true
			}
			time.Sleep(50 * time.Millisecond)
		}
		return false
	})
	return last
}

// extend begins at the first file and selects one more each time it is called;
// after a few it begins again.
func (s *session) extend(key string) func() {
	n := 0
	return func() {
		if n%4 == 0 {
			s.keys("Escape", "Home")
		}
		n++
		s.keys("shift+" + key)
	}
}

// checkItems checks the fields of a folder and a file.
func checkItems(t *testing.T, v seen, project string) {
	t.Helper()
	items := fmt.Sprint(v.at("extra", "file_manager", "selection", "items"))
	want := fmt.Sprintf("[map[displayName:sub kind:folder path:%s/sub] map[displayName:a.txt extension:.txt kind:file path:%s/a.txt size:6]]", project, project)
	if items != want {
		t.Errorf("the items are %s, want %s", items, want)
	}
	if got := v.text("extra", "file_manager", "current_folder", "displayName"); got != filepath.Base(project) {
		t.Errorf("the folder's name is %q", got)
	}
}

func (s *session) thunarView(view string) {
	write(s.t, filepath.Join(s.home, ".config", "xfce4", "xfconf", "xfce-perchannel-xml", "thunar.xml"),
		`<?xml version="1.0" encoding="UTF-8"?><channel name="thunar" version="1.0"><property name="last-view" type="string" value="`+view+`"/></channel>`)
	s.output("xfconf-query", "-c", "thunar", "-p", "/last-view", "-n", "-t", "string", "-s", view)
}

func thunar(s *session, project, _ string) {
	need(s.t, "thunar")
	s.thunarView("ThunarDetailsView")
	defer s.start("thunar", project).end()
	checkItems(s.t, s.selects(project, "sub,a.txt", s.extend("Down")), project)
	s.until("the same in the tree", func() bool { return s.selectedItems() == 2 })
	s.until("nothing selected", func() bool {
		s.keys("Home", "ctrl+space")
		v := s.look("extra.file_manager")
		return v.names() == "" && v.at("extra", "file_manager", "selection", "items") != nil
	})
}

// thunarIcons: this view does not tell its selection; one file is in the status
// bar.
func thunarIcons(s *session, project, _ string) {
	need(s.t, "thunar")
	s.thunarView("ThunarIconView")
	defer s.start("thunar", project).end()
	s.selects(project, "a.txt", func() { s.keys("Escape", "Home", "Right") })
	s.until("no guess about two files", func() bool {
		s.keys("Home", "shift+Right")
		v := s.look("extra.file_manager")
		return v.folder() == project && v.at("extra", "file_manager", "selection") == nil
	})
}

func pcmanfm(s *session, project, _ string) {
	need(s.t, "pcmanfm")
	cmd := s.command("pcmanfm", project)
	cmd.Env = append(cmd.Env, "GTK_MODULES=gail:atk-bridge")
	defer s.run(cmd).end()
	checkItems(s.t, s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
}

func pcmanfmQt(s *session, project, _ string) {
	need(s.t, "pcmanfm-qt")
	defer s.start("pcmanfm-qt", project).end()
	checkItems(s.t, s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
}

func nemo(s *session, project, _ string) {
	need(s.t, "nemo")
	defer s.start("nemo", project).end()
	checkItems(s.t, s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
	s.until("two selected items in the tree", func() bool { return s.selectedItems() == 2 })
}

// selectedItems counts the selected items of the tree.
func (s *session) selectedItems() int {
	n := 0
	s.look("visual").each(func(e map[string]any) {
		for _, state := range asList(e["states"]) {
			if state == "selected" && e["type"] == "ListViewItem" {
				n++
			}
		}
	})
	return n
}

func caja(s *session, project, _ string) {
	need(s.t, "caja")
	defer s.start("caja", "--no-desktop", project).end()
	checkItems(s.t, s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
}

// manyFiles: a folder with thousands of files takes no longer.
func manyFiles(s *session, _, _ string) {
	need(s.t, "thunar")
	folder := filepath.Join(s.home, "many")
	for i := range 5000 {
		write(s.t, filepath.Join(folder, fmt.Sprintf("f%04d.txt", i)), "")
	}
	s.thunarView("ThunarDetailsView")
	defer s.start("thunar", folder).end()
	s.selects(folder, "f0000.txt,f0001.txt,f0002.txt", s.extend("Down"))
	s.keys("ctrl+a")
	last := ""
	s.until("all files counted", func() bool {
		v := s.look("extra.file_manager")
		items, _ := v.at("extra", "file_manager", "selection", "items").([]any)
		if v.Parts[0].Summary != last {
			last = v.Parts[0].Summary
			s.t.Logf("%s in %.0f ms %v", last, v.Parts[0].DurationMs, v.Parts[0].Diagnostics)
		}
		return len(items) == 5000
	})
	s.until("a tree of the window", func() bool { return s.look("visual").Parts[0].Available })
}
