package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/cli"
)

// watched is a run of match --watch --json in a folder.
type watched struct {
	t     *testing.T
	lines chan string // the ids that are listed, one text for each answer
}

// startWatch begins to watch strategies of the user; the settings are those of
// the file home/.config/pertain/config.yaml.
func startWatch(t *testing.T, home, dir, strategies string) watched {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan int, 1)
	go func() {
		defer out.Close()
		done <- cli.Main(ctx, cli.Invocation{
			Args: []string{"match", "--watch", "--json", "--no-builtin", "--strategies", strategies, "--cwd", dir}, Stdout: out, Stderr: &bytes.Buffer{}, Dir: dir,
			Env: func(name string) string {
				switch name {
				case "HOME", "USERPROFILE":
					return home
				case "PATH":
					return os.Getenv(name)
				}
				return ""
			},
		})
	}()
	w := watched{t, make(chan string, 100)}
	go func() {
		defer in.Close()
		for lines := json.NewDecoder(in); ; {
			var m struct{ Candidates []struct{ ID string } }
			if lines.Decode(&m) != nil {
				return
			}
			var ids []string
			for _, c := range m.Candidates {
				ids = append(ids, c.ID)
			}
			w.lines <- strings.Join(ids, " ")
		}
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	return w
}

// lists waits for an answer.
func (w watched) lists(what, want string) {
	w.t.Helper()
	got := "nothing"
	for end := time.After(30 * time.Second); ; {
		select {
		case got = <-w.lines:
			if got == want {
				return
			}
		case <-end:
			w.t.Fatalf("%s: listed last was %q, want %q", what, got, want)
		}
	}
}

func TestWatchFollowsSettings(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	strategies := filepath.Join(dir, "strategies")
	config := filepath.Join(home, ".config", "pertain", "config.yaml")
	writeFile(t, filepath.Join(strategies, "a.strategy.md"), "---\nname: A\nwhen: {environment.architecture: {length: {min: 1}}}\n---\nx\n")
	writeFile(t, filepath.Join(strategies, "b.strategy.md"), "---\nname: B\nwhen: {assistant.name: {equals: Ada}}\n---\nx\n")
	w := startWatch(t, home, dir, strategies)
	w.lists("at first", "user.a")
	writeFile(t, config, "disabled: [user.a]\n")
	w.lists("disabled", "")
	writeFile(t, config, "assistant: {name: Ada}\n")
	w.lists("enabled again, and another assistant", "user.a user.b")
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	w.lists("without settings", "user.a")
	if err := os.Mkdir(config, 0o700); err != nil {
		t.Fatal(err)
	}
	w.lists("settings that cannot be read", "")
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	w.lists("without settings again", "user.a")
}

func TestWatchFollowsTheWorkspace(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "project")
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgSign=false"}, args...)
		if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	writeFile(t, filepath.Join(dir, "a"), "")
	git("init", "-q", "-b", "main")
	git("add", "a")
	git("commit", "-q", "-m", "first")
	strategies := filepath.Join(home, "strategies")
	writeFile(t, filepath.Join(home, ".config", "pertain", "config.yaml"), "options: {extraTimeout: 20s, conditionTimeout: 20s, matchingTimeout: 20s}\n")
	for name, when := range map[string]string{"clean": "hasChanges: {equals: false}", "dirty": "hasChanges: {equals: true}", "side": "branch: {equals: side}"} {
		writeFile(t, filepath.Join(strategies, name+".strategy.md"), "---\nname: "+name+"\nwhen: {extra.workspace.git."+when+"}\n---\nx\n")
	}
	w := startWatch(t, home, dir, strategies)
	w.lists("at first", "user.clean")
	writeFile(t, filepath.Join(dir, "b"), "")
	w.lists("a new file", "user.dirty")
	git("add", "b")
	git("commit", "-q", "-m", "second")
	w.lists("a commit", "user.clean")
	git("checkout", "-q", "-b", "side")
	w.lists("another branch", "user.clean user.side")
}
