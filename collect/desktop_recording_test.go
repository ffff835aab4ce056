//go:build desktop && linux

package collect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// recordedText is what is open in the editor, and recordedAnswer what the model says of
// its second half.
const (
	recordedText = "Release notes, draft\n\n" +
		"The importer is now idempotent: running it twice has the\nsame effect as running it once. Rows are keyed by the digest\nof their source line, so a retry after a timeout adds nothing.\n"
	recordedAnswer = "In plain words: you may run the import again at any time.\nA row that is already there is recognized by a fingerprint of\nits line and skipped, so nothing is added twice."
)

// TestDesktopRecording is the whole way of a user, with i3, gedit, rofi, dunst and a
// scripted model: text is selected, the key pressed, a strategy picked, and the answer is
// on the clipboard. With UPDATE_RECORDING set, what was on the screen becomes the picture
// of the README: `.ci/desktop recording`.
func TestDesktopRecording(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"i3", "i3bar", "gedit", "rofi", "dunst"} {
		need(t, name)
	}
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: recordedAnswer} })
	defer model.Close()
	var caption *os.File
	s := newSessionOn(t, "880x520x24", func(s *session) []string {
		caption = recordedDesktop(s, model.URL)
		return []string{"i3"}
	})
	defer caption.Close()
	s.start("dunst", "-config", filepath.Join(s.home, ".config/dunst/dunstrc"))
	draft := filepath.Join(s.home, "release.txt")
	write(t, draft, recordedText)
	film := newFilm(t, s)
	film.say = func(text string) {
		fmt.Fprintf(caption, "[{\"full_text\": %q, \"align\": \"center\", \"min_width\": 860}],\n", text)
	}
	s.pertain("ask", "builtin.explain-selection", "--selection", "a text", "--agree", "--no-stdin") // once, in a terminal
	defer s.start("gedit", "--standalone", draft).end()
	s.until("the editor", func() bool { return strings.Contains(s.front(), "release.txt") })
	s.until("the text is selected", func() bool {
		s.keys("ctrl+Home", "Down", "Down", "ctrl+shift+End")
		text, _ := s.selectionNow()
		return strings.HasPrefix(text, "The importer")
	})
	s.keys("ctrl+Home", "Down", "Down")
	film.take("Some text in an editor", 1500*time.Millisecond)
	for range 2 {
		s.keys("shift+Down")
		film.take("Select what it is about", 250*time.Millisecond)
	}
	s.keys("shift+Down")
	film.take("Select what it is about", 1200*time.Millisecond)
	film.take("Press the key: Super+Shift+P", time.Second)
	s.keys("super+shift+p") // once: the window manager has the key since it runs
	s.until("the menu", func() bool { return s.shows("rofi") })
	film.take("What can be done with it, over the window in front", 2*time.Second)
	s.output("xdotool", "type", "expl")
	film.take("Pick: type, and press Enter", 1500*time.Millisecond)
	s.until("the answer on the clipboard", func() bool {
		if s.shows("rofi") {
			s.keys("Return")
		}
		return s.output("xclip", "-selection", "clipboard", "-o") == recordedAnswer
	})
	if asked := model.Requests(); len(asked) != 2 || !asked[1].Has("keyed by the digest") {
		t.Errorf("the model was asked %d times, and not for what is selected", len(asked))
	}
	s.until("the message", func() bool { return s.shows("dunst") })
	film.take("The model's answer is on the clipboard", 2500*time.Millisecond)
	s.until("the editor again", func() bool { return strings.Contains(s.front(), "release.txt") })
	s.keys("ctrl+End", "Return", "Return", "ctrl+v") // once: it is there as often as it is pasted
	s.until("the answer is pasted", func() bool {
		s.keys("ctrl+shift+Home")
		text, _ := s.selectionNow()
		s.keys("ctrl+End")
		return strings.Contains(text, recordedAnswer)
	})
	film.take("Paste it wherever it is needed: Ctrl+V", 3*time.Second)
	if os.Getenv("UPDATE_RECORDING") != "" {
		film.write("../docs/hotkey.gif")
	}
}

// recordedDesktop writes the settings of the programs that are recorded, as a user has
// them, binds the key, and gives what is written at the bottom of the screen.
func recordedDesktop(s *session, model string) (caption *os.File) {
	s.t.Helper()
	pipe := filepath.Join(s.home, "caption")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		s.t.Fatal(err)
	}
	caption, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	fmt.Fprint(caption, "{\"version\": 1}\n[\n")
	for name, text := range map[string]string{
		"i3/config": "# i3 config file (v4)\nfont pango:DejaVu Sans 10\ndefault_border pixel 1\n" +
			"bar {\n  status_command cat " + pipe + "\n  workspace_buttons no\n  font pango:DejaVu Sans 12\n  colors {\n    background #263238\n    statusline #ffffff\n  }\n}\n",
		"gtk-3.0/settings.ini": "[Settings]\ngtk-font-name=DejaVu Sans 10\ngtk-cursor-blink=0\n",
		"rofi/config.rasi":     "configuration { show-icons: true; font: \"DejaVu Sans 12\"; }\n@theme \"/usr/share/rofi/themes/Arc.rasi\"\nwindow { width: 620px; }\nlistview { lines: 6; fixed-height: false; }\n",
		"dunst/dunstrc":        "[global]\n  font = DejaVu Sans 11\n  origin = bottom-right\n  offset = 16x48\n  width = 420\n  frame_width = 1\n  frame_color = \"#888888\"\n[urgency_normal]\n  background = \"#263238\"\n  foreground = \"#ffffff\"\n  timeout = 0\n",
		"pertain/config.yaml":  timeEnough + "ask: {upstream: openai, url: \"" + model + "/v1\", model: scripted}\n",
	} {
		write(s.t, filepath.Join(s.home, ".config", name), text)
	}
	s.env = append(s.env, "XDG_CURRENT_DESKTOP=i3")
	s.pertain("hotkey", "install", "--then", "ask")
	return caption
}
