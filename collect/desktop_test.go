//go:build desktop && linux

package collect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestDesktop acts as a user on a real desktop and checks what pertain says of
// it. The parts share one desktop and leave it empty.
func TestDesktop(t *testing.T) {
	s := newSession(t)
	project := filepath.Join(s.home, "My Projects")
	for name, text := range map[string]string{"a.txt": "hello\n", "b.pdf": "%PDF\n", "c d.md": "# x\n", "sub/x": ""} {
		write(t, filepath.Join(project, name), text)
	}
	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "first line\nTODO: second line\n")
	for _, part := range []struct {
		name string
		run  func(s *session, project, notes string)
	}{
		{"empty desktop", emptyDesktop},
		{"editor", editor},
		{"private window", privateWindow},
		{"clipboard", clipboards},
		{"stopped program", stoppedProgram},
		{"killed program", killedProgram},
		{"bus restarted", busRestarted},
		{"terminal", terminal},
		{"thunar", thunar},
		{"thunar icons", thunarIcons},
		{"pcmanfm", pcmanfm},
		{"pcmanfm-qt", pcmanfmQt},
		{"nemo", nemo},
		{"caja", caja},
		{"many files", manyFiles},
		{"chromium port", chromiumPort},
		{"chromium", chromiumAccessible},
		{"firefox", firefox},
		{"match", match},
		{"watch", watch},
		{"times", times},
	} {
		t.Run(part.name, func(t *testing.T) {
			own := *s
			own.t = t
			part.run(&own, project, notes)
		})
	}
}

func emptyDesktop(s *session, _, _ string) {
	v := s.look("visual")
	if v.Parts[0].Available || len(v.Parts[0].Diagnostics) > 0 {
		s.t.Errorf("without a window: %s", v.raw)
	}
	if got := s.look("environment").text("environment", "os"); got != "linux" {
		s.t.Errorf("os is %q", got)
	}
}

// openEditor opens a file and waits until its text can be read.
func (s *session) openEditor(notes string) *app {
	s.t.Helper()
	a := s.start("mousepad", "--disable-server", notes)
	s.until("the editor's text", func() bool {
		v := s.look("visual")
		found := false
		v.each(func(e map[string]any) {
			found = found || e["type"] == "TextEdit" && e["id"] == v.at("attachments", "visual", "primary") && strings.Contains(fmt.Sprint(e["text"]), "TODO")
		})
		return found
	})
	return a
}

func editor(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.until("the window and its menu", func() bool {
		v := s.look("visual")
		root, _ := v.at("visual", "roots", 0).(map[string]any)
		disabled := false
		v.each(func(e map[string]any) {
			disabled = disabled || e["name"] == "Save" && fmt.Sprint(e["states"]) == "[disabled offscreen]" // the file is unchanged
		})
		return disabled && root["type"] == "TopLevel" && root["process"] == "mousepad" && strings.Contains(fmt.Sprint(root["name"]), "notes.txt") && root["bounds"] != nil
	})
	s.until("the selected text", func() bool {
		s.keys("ctrl+a")
		return s.look("attachments.selection.text").text("attachments", "selection", "text") == "first line\nTODO: second line\n"
	})
	// The selection stays where it is when another window comes to the front.
	other := filepath.Join(s.home, "other.txt")
	write(s.t, other, "other TODO\n")
	second := s.start("mousepad", "--disable-server", other)
	defer second.end()
	s.until("the other editor without a selection", func() bool {
		v := s.look("visual")
		return strings.Contains(v.text("visual", "roots", 0, "name"), "other.txt") &&
			!s.look("attachments.selection.text").Parts[0].Available
	})
}

func privateWindow(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.feed("copied", "xclip", "-selection", "clipboard")
	config := filepath.Join(s.home, ".config", "pertain", "config.yaml")
	write(s.t, config, "private:\n  titles: ['*NOTES.txt*']\nassistant:\n  id: helper\n  name: Helper\n  model: {id: m1, modalities: [text, image], supportsToolCall: true}\n")
	out := s.pertain("context", "--json", "--show-values")
	for _, text := range []string{"copied", "TODO", "notes.txt"} {
		if strings.Contains(out, text) {
			s.t.Errorf("%s was read from a private window", text)
		}
	}
	write(s.t, config, "private:\n  applications: [keepassxc]\nassistant:\n  id: helper\n  name: Helper\n  model: {id: m1, modalities: [text, image], supportsToolCall: true}\n")
	v := s.look("assistant")
	if got := fmt.Sprint(v.at("assistant")); got != "map[id:helper model:map[id:m1 modalities:[text image] supportsToolCall:true] name:Helper]" {
		s.t.Error(got)
	}
}

func clipboards(s *session, project, _ string) {
	facts := func() string {
		v := s.look("clipboard")
		var files []string
		list, _ := v.at("clipboard", "files").([]any)
		for _, f := range list {
			object, _ := f.(map[string]any)
			files = append(files, fmt.Sprintf("%v %v", object["path"], object["extension"]))
		}
		return fmt.Sprintf("%q text %v image %v files %v", v.text("clipboard", "text"), v.at("clipboard", "hasText"), v.at("clipboard", "hasImage"), files)
	}
	want := func(want string) {
		s.t.Helper()
		s.until(want, func() bool { return facts() == want })
	}
	s.feed("grüße", "xclip", "-selection", "clipboard")
	want(`"grüße" text true image false files []`)
	long := strings.Repeat("0123456789abcdef", 1<<16)
	s.feed(long, "xclip", "-selection", "clipboard")
	want(fmt.Sprintf("%q text true image false files []", long))
	s.feed("\x89PNG", "xclip", "-selection", "clipboard", "-t", "image/png")
	want(`"" text false image true files []`)
	address := "file://" + strings.ReplaceAll(project, " ", "%20") + "/c%20d.md"
	s.feed("copy\n"+address, "xclip", "-selection", "clipboard", "-t", "x-special/gnome-copied-files")
	want(fmt.Sprintf(`"" text false image false files [%s/c d.md .md]`, project))
	s.feed(address+"\r\nhttp://example.org/x\r\n", "xclip", "-selection", "clipboard", "-t", "text/uri-list")
	want(fmt.Sprintf(`"" text false image false files [%s/c d.md .md]`, project))
}

// stoppedProgram: a program that hangs costs its own part and no more than the
// time limit.
func stoppedProgram(s *session, _, notes string) {
	a := s.openEditor(notes)
	defer a.end()
	s.feed("while it hangs", "xclip", "-selection", "clipboard")
	a.signal(syscall.SIGSTOP)
	out := s.pertain("context", "--json", "--show-values")
	var v seen
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatal(err)
	}
	if got := v.text("clipboard", "text"); got != "while it hangs" {
		s.t.Errorf("the clipboard is %q", got)
	}
	for _, p := range v.Parts {
		if p.Path == "visual" && (p.Available || len(p.Diagnostics) == 0 || p.Diagnostics[0].Code != "extra.provider_timeout") {
			s.t.Errorf("visual of a stopped program: %+v", p)
		}
	}
	a.signal(syscall.SIGCONT)
	s.until("the editor again", func() bool { return s.look("visual").Parts[0].Available })
}

// killedProgram: a program that dies while it is read is no failure of ours.
func killedProgram(s *session, _, notes string) {
	for range 3 {
		a := s.openEditor(notes)
		done := make(chan string, 1)
		cmd := s.command(s.program, "context", "--json", "--show-values")
		go func() {
			out, err := cmd.Output()
			done <- fmt.Sprintf("%v %t", err, json.Valid(out))
		}()
		a.signal(syscall.SIGKILL)
		if got := <-done; got != "<nil> true" {
			s.t.Error(got)
		}
		a.end()
		s.until("the empty desktop", func() bool { return !s.look("visual").Parts[0].Available })
	}
}

// busRestarted ends the accessibility bus; programs that are started afterwards
// are on the new one.
func busRestarted(s *session, _, notes string) {
	socket := s.output("sh", "-c", "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline 2>/dev/null | grep -q 'at-spi2/accessibility.conf' && tr '\\0' '\\n' <$p/environ | grep -qx \"XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR\" && echo ${p#/proc/}; done")
	for _, line := range strings.Fields(socket) {
		var pid int
		if _, err := fmt.Sscan(line, &pid); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	if socket == "" {
		s.t.Fatal("the accessibility bus was not found")
	}
	s.accessible()
	s.openEditor(notes).end()
}

// terminal: the workspace is that of the program in front in the terminal.
func terminal(s *session, project, _ string) {
	need(s.t, "xterm")
	git(s.t, project, "init", "-q")
	defer func() { _ = os.RemoveAll(filepath.Join(project, ".git")) }()
	defer s.start("xterm", "-e", "sh", "-c", "cd '"+project+"' && exec sh").end()
	s.until("the terminal's workspace", func() bool {
		v := s.look("extra.workspace")
		return v.text("extra", "workspace", "root") == project && v.text("extra", "workspace", "git", "branch") != "" &&
			v.text("extra", "workspace", "git", "hasChanges") == "true" && v.Parts[0].Provider == "workspace.window"
	})
}

// strategies are those of the first sentence: what is on the screen.
func (s *session) strategies() string {
	dir := filepath.Join(s.home, "strategies")
	for name, when := range map[string]string{
		"editor":    "visual.exists: {query: \".//TextEdit[@focused=true]\"}",
		"todo":      "visual.exists: {query: \"//TextEdit[matches(@text,'TODO')]\"}",
		"title":     "visual.match: {query: \"//TopLevel/@name\", contains: notes.txt}",
		"selection": "attachments.selection.text: {length: {min: 1}}",
		"clipboard": "clipboard.text: {contains: error}",
		"files":     "extra.file_manager.selection.items: {any: {extension: {in: [.txt]}}}",
		"assistant": "assistant.model.modalities: {contains: image}",
	} {
		write(s.t, filepath.Join(dir, name+".strategy.md"), "---\nname: "+name+"\nwhen:\n  "+when+"\n---\nx\n")
	}
	return dir
}

func matchedIDs(t *testing.T, answer string) []string {
	t.Helper()
	var m struct {
		Candidates []struct {
			ID string `json:"id"`
		} `json:"candidates"`
	}
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	ids := []string{}
	for _, c := range m.Candidates {
		ids = append(ids, strings.TrimPrefix(c.ID, "user."))
	}
	slices.Sort(ids)
	return ids
}

func match(s *session, _, notes string) {
	dir := s.strategies()
	defer s.openEditor(notes).end()
	s.feed("an error", "xclip", "-selection", "clipboard")
	want := "assistant clipboard editor selection title todo"
	s.until(want, func() bool {
		s.keys("ctrl+a")
		return strings.Join(matchedIDs(s.t, s.pertain("match", "--json", "--no-builtin", "--strategies", dir)), " ") == want
	})
}
