//go:build desktop && linux

package collect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// selects acts until the file manager in front shows the folder and the
// selection, and returns what was seen then. It acts again where nothing has
// come of it, so the act begins at no place but its own.
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
		for range 10 { // the list may show it later
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

// extend selects the first file and some more below it. A key that does not move the
// cursor selects nothing, so it comes from another file.
func (s *session) extend(more int) func() {
	return func() {
		s.keys("Escape", "Home", "Down", "Home")
		for range more {
			s.keys("shift+Down")
		}
	}
}

// checkItems checks the fields of a folder and a file.
func (s *session) checkItems(v seen, project string) {
	s.t.Helper()
	sub, file := quoted(filepath.Join(project, "sub")), quoted(filepath.Join(project, "a.txt"))
	const items = "extra.file_manager.selection.items"
	s.fact(v, "extra.file_manager.current_folder.path", quoted(project))
	s.fact(v, "extra.file_manager.current_folder.displayName", quoted(filepath.Base(project)))
	s.fact(v, items, `[{"displayName":"sub","kind":"folder","path":`+sub+`},{"displayName":"a.txt","extension":".txt","kind":"file","path":`+file+`,"size":6}]`)
	s.fact(v, items+"[].path", "["+sub+","+file+"]")
	s.fact(v, items+"[].displayName", `["sub","a.txt"]`)
	s.fact(v, items+"[].kind", `["folder","file"]`)
	s.fact(v, items+"[].extension", `[".txt"]`)
	s.fact(v, items+"[].size", "[6]")
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
	s.checkItems(s.selects(project, "sub,a.txt", s.extend(1)), project)
	s.until("the same in the tree", func() bool { return s.selectedItems() == 2 })
	s.staysFresh(project, choose{"sub", func() { s.keys("Home") }}, choose{"a.txt", func() { s.keys("Home", "Down") }}, choose{"sub,a.txt", s.extend(1)})
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
	s.staysFresh(project, choose{"sub", func() { s.keys("Escape", "Home") }}, choose{"a.txt", func() { s.keys("Escape", "Home", "Right") }})
	s.until("no guess about two files", func() bool {
		s.keys("Home", "shift+Right")
		v := s.look("extra.file_manager")
		return v.folder() == project && v.at("extra", "file_manager", "selection") == nil && strings.Contains(v.raw, "Ctrl+2") // what to do about it
	})
}

func pcmanfm(s *session, project, _ string) {
	need(s.t, "pcmanfm")
	cmd := s.command("pcmanfm", project)
	cmd.Env = append(cmd.Env, "GTK_MODULES=gail:atk-bridge")
	defer s.run(cmd).end()
	s.checkItems(s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
	s.staysFresh(project, choose{"sub", func() { s.keys("Home") }}, choose{"a.txt", func() { s.keys("Home", "Right") }}, choose{"sub,a.txt", func() { s.keys("Home", "shift+Right") }})
}

func pcmanfmQt(s *session, project, _ string) {
	need(s.t, "pcmanfm-qt")
	defer s.start("pcmanfm-qt", project).end()
	s.checkItems(s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
	s.staysFresh(project, choose{"sub", func() { s.keys("Home") }}, choose{"a.txt", func() { s.keys("Home", "Right") }}, choose{"sub,a.txt", func() { s.keys("Home", "shift+Right") }})
}

func nemo(s *session, project, _ string) {
	need(s.t, "nemo")
	defer s.start("nemo", project).end()
	s.checkItems(s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
	s.staysFresh(project, choose{"sub", func() { s.keys("Home") }}, choose{"a.txt", func() { s.keys("Home", "Right") }}, choose{"sub,a.txt", func() { s.keys("Home", "shift+Right") }})
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
	s.checkItems(s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
	s.staysFresh(project, choose{"sub", func() { s.keys("Home") }}, choose{"a.txt", func() { s.keys("Home", "Right") }}, choose{"sub,a.txt", func() { s.keys("Home", "shift+Right") }})
}

// nautilus answers slowly; with more time than the usual limit it tells all, and
// who watches reads ahead.
func nautilus(s *session, project, _ string) {
	need(s.t, "nautilus")
	defer s.start("nautilus", "--new-window", project).end()
	s.selects(project, "a.txt", func() { s.click("a.txt") })
	s.staysFresh(project, choose{"b.pdf", func() { s.click("b.pdf") }}, choose{"a.txt", func() { s.click("a.txt") }})
}

// click clicks the middle of the element with a name in the window in front.
func (s *session) click(name string) {
	s.t.Helper()
	done := false
	s.look("visual").each(func(e map[string]any) {
		bounds, _ := e["bounds"].(map[string]any)
		if done || e["name"] != name || bounds == nil {
			return
		}
		done = true
		x, y := bounds["x"].(float64)+bounds["width"].(float64)/2, bounds["y"].(float64)+bounds["height"].(float64)/2
		s.user("mousemove", fmt.Sprint(int(x)), fmt.Sprint(int(y)), "click", "1")
	})
}

func dolphin(s *session, project, _ string) {
	if os.Getenv("PERTAIN_DESKTOP_ALL") == "" {
		s.t.Skip("Dolphin takes long to install: set PERTAIN_DESKTOP_ALL")
	}
	need(s.t, "dolphin")
	defer s.start("dolphin", project).end()
	s.checkItems(s.selects(project, "sub,a.txt", func() { s.keys("Home", "shift+Right") }), project)
	s.staysFresh(project, choose{"sub", func() { s.keys("Home") }}, choose{"a.txt", func() { s.keys("Home", "Right") }}, choose{"sub,a.txt", func() { s.keys("Home", "shift+Right") }})
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
	s.selects(folder, "f0000.txt,f0001.txt,f0002.txt", s.extend(2))
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
	// Not all of the list is read: what was found counts, and what was not is
	// unknown, not false.
	s.until("a part of the window, and that it is one", func() bool {
		v := s.look("visual")
		return v.Parts[0].Available && v.at("visual", "partial") == true && len(v.Parts[0].Diagnostics) == 1 && v.Parts[0].Diagnostics[0].Code == "visual.unavailable"
	})
	dir := filepath.Join(tempDir(s.t), "strategies")
	for name, when := range map[string]string{
		"found":   "visual.exists: {query: //ListViewItem}",
		"unfound": "visual.exists: {query: \"//ListViewItem[@name='no such file']\"}",
		"absent":  "none: [{visual.exists: {query: \"//ListViewItem[@name='no such file']\"}}]",
		"fewer":   "visual.count: {query: //ListViewItem, max: 100000}",
	} {
		write(s.t, filepath.Join(dir, name+".strategy.md"), "---\nname: "+name+"\nwhen:\n  "+when+"\n---\nx\n")
	}
	want := "absent: null, fewer: null, found: true, unfound: null"
	got := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", got)
		}
	}()
	s.until(want, func() bool {
		got = s.results(s.pertain("match", "--all", "--json", "--no-builtin", "--strategies", dir))
		return got == want
	})
}

// results are all strategies of a match with their results.
func (s *session) results(answer string) string {
	s.t.Helper()
	var m struct {
		Candidates []struct {
			ID     string `json:"id"`
			Result *bool  `json:"result"`
		} `json:"candidates"`
	}
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		s.t.Fatalf("%v in %s", err, answer)
	}
	var all []string
	for _, c := range m.Candidates {
		result := "null"
		if c.Result != nil {
			result = fmt.Sprint(*c.Result)
		}
		all = append(all, strings.TrimPrefix(c.ID, "user.")+": "+result)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// typedLocation: what is typed into a location bar and not gone to is not where
// the window is, even where that folder has files with the same names.
func typedLocation(s *session, _, _ string) {
	real, typed := filepath.Join(s.home, "places", "f"), filepath.Join(s.home, "places", "g")
	for _, folder := range []string{real, typed} {
		for _, name := range []string{"a.txt", "b.txt"} {
			write(s.t, filepath.Join(folder, name), folder)
		}
	}
	for _, m := range []struct {
		name, view string
		args       []string
		act        []string // selects a file
		want       string
	}{
		{name: "thunar", view: "ThunarDetailsView", act: []string{"Home", "Down"}, want: "b.txt"},
		{name: "thunar", view: "ThunarIconView", act: []string{"Home", "Right"}, want: "b.txt"},
		{name: "pcmanfm", act: []string{"Home", "shift+Right"}, want: "a.txt,b.txt"},
		{name: "pcmanfm-qt", act: []string{"Home", "shift+Right"}, want: "a.txt,b.txt"},
		{name: "nemo", act: []string{"Home", "shift+Right"}, want: "a.txt,b.txt"},
		{name: "caja", args: []string{"--no-desktop"}, act: []string{"Home", "shift+Right"}, want: "a.txt,b.txt"},
	} {
		need(s.t, m.name)
		if m.view != "" {
			s.thunarView(m.view)
		}
		cmd := s.command(m.name, append(m.args, real)...)
		cmd.Env = append(cmd.Env, "GTK_MODULES=gail:atk-bridge")
		a := s.run(cmd)
		s.selects(real, m.want, func() { s.keys(m.act...) })
		for _, text := range []string{typed, filepath.Join(s.home, "no", "place")} {
			s.keys("ctrl+l", "ctrl+a")
			s.user("type", "--delay", "2", text) // which shows nowhere but where it must not be told
			v := s.look("extra.file_manager")
			if at := v.folder(); at != "" && at != real || strings.Contains(v.raw, typed) {
				s.t.Errorf("%s %s: with %q typed: %s", m.name, m.view, text, v.raw)
			} else if at == "" && len(v.Parts[0].Diagnostics) == 0 {
				s.t.Errorf("%s %s: nothing says why: %s", m.name, m.view, v.raw)
			}
		}
		a.end()
	}
}

// throwAway puts two files into the trash.
func (s *session) throwAway() {
	s.t.Helper()
	for _, name := range []string{"gone1.txt", "gone2.txt"} {
		write(s.t, filepath.Join(s.home, ".local", "share", "Trash", "files", name), "x")
		write(s.t, filepath.Join(s.home, ".local", "share", "Trash", "info", name+".trashinfo"),
			"[Trash Info]\nPath="+filepath.Join(s.home, name)+"\nDeletionDate=2026-01-02T03:04:05\n")
	}
}

// trash: what is no folder of this machine is not the home folder either, and
// its items have no path.
func trash(s *session, _, _ string) {
	s.throwAway()
	need(s.t, "pcmanfm")
	cmd := s.command("pcmanfm", "trash:///")
	cmd.Env = append(slices.DeleteFunc(cmd.Env, func(e string) bool { return e == "GIO_USE_VFS=local" }), "GTK_MODULES=gail:atk-bridge")
	defer s.run(cmd).end()
	s.until("the trash", func() bool {
		s.keys("ctrl+a")
		v := s.look("extra.file_manager")
		if v.folder() != "" {
			s.t.Errorf("the trash is no folder: %s", v.raw)
		}
		item, _ := v.at("extra", "file_manager", "selection", "items", 0).(map[string]any)
		path, told := item["path"]
		return v.names() == "gone1.txt,gone2.txt" && told && path == nil && item["kind"] == "virtual"
	})
}

// oddNames: a file whose name is not valid UTF-8 is there, and cannot be named.
func oddNames(s *session, _, _ string) {
	folder := filepath.Join(s.home, "odd")
	write(s.t, filepath.Join(folder, "caf\xe9.txt"), "x")
	write(s.t, filepath.Join(folder, "zz.txt"), "x")
	for _, m := range []string{"thunar", "pcmanfm", "caja"} {
		need(s.t, m)
		s.thunarView("ThunarDetailsView")
		args := []string{folder}
		if m == "caja" {
			args = []string{"--no-desktop", folder}
		}
		cmd := s.command(m, args...)
		cmd.Env = append(cmd.Env, "GTK_MODULES=gail:atk-bridge")
		a := s.run(cmd)
		last := ""
		s.until("both files in "+m, func() bool {
			s.keys("ctrl+a")
			v := s.look("extra.file_manager")
			last = v.raw
			items, _ := v.at("extra", "file_manager", "selection", "items").([]any)
			if len(items) != 2 || v.folder() != folder {
				return false
			}
			item, _ := items[0].(map[string]any)
			if item["displayName"] == "zz.txt" {
				item, _ = items[1].(map[string]any)
			}
			if item["displayName"] == nil && strings.Contains(last, "extra.provider_timeout") {
				return false // its names came too late, and that is told
			}
			if item["kind"] != "unknown" || item["path"] != nil || !strings.HasPrefix(fmt.Sprint(item["displayName"]), "caf") {
				s.t.Fatalf("%s: %s", m, last)
			}
			return true
		})
		a.end()
	}
}
