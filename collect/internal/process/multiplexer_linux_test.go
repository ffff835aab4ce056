package process

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

func TestTmuxSocket(t *testing.T) {
	for _, tt := range []struct{ args, env, want string }{
		{"tmux", "", "/tmp/tmux-7/default"},
		{"tmux new -s x", "", "/tmp/tmux-7/default"},
		{"tmux -L work attach", "", "/tmp/tmux-7/work"},
		{"tmux -Lwork", "", "/tmp/tmux-7/work"},
		{"tmux -2uLwork", "", "/tmp/tmux-7/work"},
		{"tmux -S /run/a new", "", "/run/a"},
		{"tmux -f /x.conf -S/run/a", "", "/run/a"},
		{"tmux -f -L -L work", "", "/tmp/tmux-7/work"},
		{"tmux new -S /run/a", "", "/tmp/tmux-7/default"},
		{"tmux", "TMUX_TMPDIR=/run/u", "/run/u/tmux-7/default"},
		{"tmux attach", "TMUX=/run/b,12,0", "/run/b"},
		{"tmux -L c attach", "TMUX=/run/b,12,0", "/tmp/tmux-7/c"},
		{"tmux -S a", "", ""},
		{"tmux -S", "", "/tmp/tmux-7/default"},
		{"", "", ""},
	} {
		name, value, _ := strings.Cut(tt.env, "=")
		got := tmuxSocket(strings.Fields(tt.args), func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}, 7)
		if got != tt.want {
			t.Errorf("%s (%s): %s, want %s", tt.args, tt.env, got, tt.want)
		}
	}
	if tmuxSocket([]string{"tmux"}, nil, 7) != "" {
		t.Error("nothing is known of a stranger's process")
	}
}

func TestPaneOf(t *testing.T) {
	for _, tt := range []struct {
		list string
		want int
	}{{"12 34\n56 78\n", 78}, {"56 \n", 0}, {"", 0}, {"156 78\n", 0}, {"56 -1\n", 0}} {
		if got, ok := paneOf(tt.list, 56); got != tt.want && ok || ok != (tt.want > 0) {
			t.Errorf("%q: %d %v", tt.list, got, ok)
		}
	}
}

// TestMultiplexersThatDoNotTell: no folder is better than the one that the
// multiplexer was started in.
func TestMultiplexersThatDoNotTell(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("there is no sleep")
	}
	program, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"screen", "zellij", "tmux"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, program, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), path, "60")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_, err := paneProcess(t.Context(), cmd.Process.Pid, ownSearch())
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		var why *facts.CollectError
		if !errors.As(err, &why) || why.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if pid, err := paneProcess(t.Context(), os.Getpid(), ownSearch()); pid != os.Getpid() || err != nil {
		t.Errorf("a program that is none: %d %v", pid, err)
	}
}
