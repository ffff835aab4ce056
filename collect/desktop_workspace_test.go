//go:build desktop && linux

package collect_test

import (
	"path/filepath"
	"strings"
	"time"
)

// repositories makes two, the first clean, the second with a new file.
func (s *session) repositories() (clean, dirty string) {
	s.t.Helper()
	clean, dirty = repository(s.t), repository(s.t)
	write(s.t, filepath.Join(dirty, "new"), "")
	return clean, dirty
}

// types writes a line into the terminal in front.
func (s *session) types(line string) {
	s.user("type", "--clearmodifiers", "--delay", "5", line)
	s.keys("Return")
}

// tmux: its panes belong to a server, not to the terminal.
func tmux(s *session, _, _ string) {
	need(s.t, "xterm")
	need(s.t, "tmux")
	clean, dirty := s.repositories()
	server := []string{"-S", filepath.Join(tempDir(s.t), "tmux socket"), "-f", "/dev/null"}
	defer s.output("tmux", append(server, "kill-server")...)
	cmd := s.command("xterm", append([]string{"-e", "tmux"}, server...)...)
	cmd.Dir = clean
	defer s.run(cmd).end()
	root := func() string { return s.look("extra.workspace").text("extra", "workspace", "root") }
	s.until("the folder that tmux was started in", func() bool { return root() == clean })
	s.until("the pane's folder", func() bool {
		s.types("cd " + dirty)
		for range 10 {
			if root() == dirty {
				return true
			}
		}
		return false
	})
	for range 5 {
		if got := root(); got != dirty && got != "" {
			s.t.Errorf("the workspace is %s", got)
		}
	}
	s.output("tmux", append(server, "new-window", "-c", clean)...)
	s.until("another tmux window", func() bool { return root() == clean })
	s.output("tmux", append(server, "split-window", "-c", dirty)...)
	s.until("another pane", func() bool { return root() == dirty })
}

// watchWorkspace: what a shell does is no event of the desktop.
func watchWorkspace(s *session, _, _ string) {
	need(s.t, "xterm")
	clean, dirty := s.repositories()
	strategies := filepath.Join(s.home, "workspace strategies")
	for name, when := range map[string]string{"main": "branch: {equals: main}", "side": "branch: {equals: side}", "dirty": "hasChanges: {equals: true}"} {
		write(s.t, filepath.Join(strategies, name+".strategy.md"), "---\nname: "+name+"\nwhen: {extra.workspace.git."+when+"}\n---\nx\n")
	}
	a, lists := s.watches(strategies)
	defer a.end()
	s.until("nothing", lists(""))
	defer s.start("xterm", "-e", "sh").end()
	s.until("the terminal in front", func() bool { return s.front() != "" })
	time.Sleep(300 * time.Millisecond) // its own events
	for _, step := range []struct{ line, want string }{
		{"cd " + clean, "main"}, {"cd " + dirty, "dirty main"}, {"rm new", "main"}, {"git checkout -q -b side", "side"}, {"cd /", ""},
	} {
		s.types(step.line)
		s.until(step.line, lists(step.want))
	}
}

// watches starts match --watch; lists tells whether these are listed now.
func (s *session) watches(strategies string) (a *app, lists func(want string) func() bool) {
	s.t.Helper()
	a = s.start(s.program, "match", "--watch", "--json", "--no-builtin", "--strategies", strategies)
	t := s.t
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("it said: %s", a.output())
		}
	})
	return a, func(want string) func() bool {
		return func() bool {
			lines := strings.Split(strings.TrimSpace(a.output()), "\n")
			last := lines[len(lines)-1]
			return strings.HasPrefix(last, "{") && strings.Join(matchedIDs(t, last), " ") == want
		}
	}
}

// watchSettings: what the user decides counts at once.
func watchSettings(s *session, _, notes string) {
	strategies := s.strategies()
	defer s.openEditor(notes).end()
	a, lists := s.watches(strategies)
	defer a.end()
	s.feed("fine", "xclip", "-selection", "clipboard")
	read := lists("assistant editor title todo")
	s.until("the editor", read)
	for _, step := range []struct{ settings, want string }{
		{settingsFile + "disabled: [user.title]\n", "assistant editor todo"},
		{"assistant: {model: {modalities: [image]}}\nprivate: {titles: [\"*notes.txt*\"]}\n", "assistant"},
		{settingsFile, "assistant editor title todo"},
		{"private: 7\n", ""},
		{settingsFile, "assistant editor title todo"},
	} {
		s.config(step.settings)
		s.until("with "+step.settings, lists(step.want))
	}
}

// editorWorkspace: the workspace of an editor is that of the document in front, not of
// the folder that the editor was started in.
func editorWorkspace(s *session, _, _ string) {
	clean, dirty := s.repositories()
	root := func() string { return s.look("extra.workspace").text("extra", "workspace", "root") }
	first, second := filepath.Join(clean, "notes.txt"), filepath.Join(dirty, "notes.txt")
	write(s.t, first, "TODO one\n")
	write(s.t, second, "TODO two\n")
	need(s.t, "gedit")
	cmd := s.command("gedit", "--standalone", first)
	cmd.Dir = dirty // where it was started does not count
	editor := s.run(cmd)
	s.until("the workspace of gedit's document", func() bool { return root() == clean })
	editor.end()
	s.until("no window", func() bool { return s.front() == "" })
	cmd = s.command("gedit", "--standalone", second)
	cmd.Dir = clean
	defer s.run(cmd).end()
	s.until("the workspace of the other document", func() bool { return root() == dirty })
}
