package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/cli"
	"github.com/pertain-dev/pertain/internal/settings"
)

// watched is a run of match --watch --json in a folder.
type watched struct {
	t     *testing.T
	lines chan string // what is listed, one text for each answer
}

// startWatch begins to watch strategies of the user; the settings are those of
// the file home/.config/pertain/config.yaml.
func startWatch(t *testing.T, home, dir, strategies string) watched {
	t.Helper()
	return startWatchOf(t, home, dir, func(c watchedCandidate) string { return c.ID }, "--strategies", strategies)
}

// watchedCandidate is what tests look at.
type watchedCandidate struct {
	ID, Name, Description string
	Priority              int
}

// startWatchOf begins to watch in a folder, with more arguments; form says what of a strategy is compared.
func startWatchOf(t *testing.T, home, dir string, form func(watchedCandidate) string, args ...string) watched {
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
			Args: append([]string{"match", "--watch", "--json", "--no-builtin", "--cwd", dir}, args...), Stdout: out, Stderr: &bytes.Buffer{}, Dir: dir,
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
			var m struct{ Candidates []watchedCandidate }
			if lines.Decode(&m) != nil {
				return
			}
			var ids []string
			for _, c := range m.Candidates {
				ids = append(ids, form(c))
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

// TestWatchShowsWhatIsThere holds that a strategy is shown again when anything of it that is shown is another, wherever its
// files are.
func TestWatchShowsWhatIsThere(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	config := filepath.Join(home, ".config", "pertain")
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	writeFile(t, at("dotfiles/a"), "---\nname: A\n---\nx\n")
	writeFile(t, filepath.Join(config, "strategies", "z.strategy.md"), "---\nname: Z\n---\nx\n")
	if err := os.Symlink("../../../dotfiles/a", filepath.Join(config, "strategies", "a.strategy.md")); err != nil {
		t.Skip(err)
	}
	w := startWatchOf(t, home, dir, func(c watchedCandidate) string { return fmt.Sprintf("%s|%s|%d", c.Name, c.Description, c.Priority) })
	w.lists("at first", "A||0 Z||0")
	writeFile(t, at("dotfiles/a"), "---\nname: B\n---\nx\n")
	w.lists("another name, behind a link", "B||0 Z||0")
	writeFile(t, at("dotfiles/a"), "---\nname: B\ndescription: d\n---\nx\n")
	w.lists("a description", "B|d|0 Z||0")
	writeFile(t, at("dotfiles/a"), "---\nname: B\ndescription: d\npriority: 7\n---\nx\n")
	w.lists("a priority", "B|d|7 Z||0")
	if err := os.Remove(at("dotfiles/a")); err != nil {
		t.Fatal(err)
	}
	w.lists("the target is gone", "Z||0")
	writeFile(t, at("dotfiles/a"), "---\nname: B\nfrom: "+at("later/source.md")+"\n---\n")
	writeFile(t, at("later/source.md"), "---\ndescription: from\n---\nx\n")
	w.lists("a source that appears later", "B|from|0 Z||0")
	if err := os.Rename(config, config+".away"); err != nil {
		t.Fatal(err)
	}
	w.lists("the settings folder is moved away", "")
	if err := os.Rename(config+".away", config); err != nil {
		t.Fatal(err)
	}
	w.lists("and back", "B|from|0 Z||0")
	writeFile(t, at("dotfiles/config"), "disabled: [user.z]\n")
	if err := os.Symlink(at("dotfiles/config"), filepath.Join(config, "config.yaml")); err != nil {
		t.Fatal(err)
	}
	w.lists("settings that are a link", "B|from|0")
	writeFile(t, at("dotfiles/config"), "disabled: [user.a]\n")
	w.lists("settings that are written behind a link", "Z||0")
}

// TestWatchFindsAWorkspace holds that a folder may become a workspace, and a trusted one, while it is watched.
func TestWatchFindsAWorkspace(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(home, ".config", "pertain", "strategies", "a.strategy.md"), "---\nname: A\n---\nx\n")
	w := startWatchOf(t, home, dir, func(c watchedCandidate) string { return c.ID })
	w.lists("at first", "user.a")
	trust := settings.Trust{Path: filepath.Join(home, ".config", "pertain", "trust.json")}
	if _, _, err := trust.Add(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, ".pertain", "strategies", "b.strategy.md"), "---\nname: B\n---\nx\n")
	w.lists("a workspace", "user.a workspace.b")
	if err := os.Rename(filepath.Join(dir, ".pertain"), filepath.Join(dir, "old")); err != nil {
		t.Fatal(err)
	}
	w.lists("none any more", "user.a")
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

// TestWatchFollowsWhatBecomesUnknown holds that what is not known any more, of a repository that is not trusted, is
// recommended no more, and is again once it is known.
func TestWatchFollowsWhatBecomesUnknown(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "project")
	git := func(args ...string) func() {
		return func() {
			t.Helper()
			args := append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgSign=false"}, args...)
			if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", args, out)
			}
		}
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	// replaced gives a file other content, and what it had back.
	replaced := func(name, text string) (spoil, mend func()) {
		var kept []byte
		spoil = func() {
			var err error
			if kept, err = os.ReadFile(at(name)); err != nil {
				t.Fatal(err)
			}
			writeFile(t, at(name), text)
		}
		return spoil, func() { writeFile(t, at(name), string(kept)) }
	}
	moved := func(from, to string) (spoil, mend func()) {
		move := func(from, to string) func() {
			return func() {
				if err := os.Rename(from, to); err != nil {
					t.Fatal(err)
				}
			}
		}
		return move(from, to), move(to, from)
	}
	writeFile(t, at("a"), "a")
	writeFile(t, at(".pertain/x"), "") // also without .git it is a workspace
	git("init", "-q", "-b", "main")()
	git("add", ".")()
	git("commit", "-q", "-m", "first")()
	strategies := filepath.Join(home, "strategies")
	writeFile(t, filepath.Join(home, ".config", "pertain", "config.yaml"), "options: {extraTimeout: 20s, conditionTimeout: 20s, matchingTimeout: 20s}\n")
	for name, when := range map[string]string{
		"clean": "git.hasChanges: {equals: false}", "dirty": "git.hasChanges: {equals: true}", "main": "git.branch: {equals: main}", "named": "name: {equals: project}",
	} {
		writeFile(t, filepath.Join(strategies, name+".strategy.md"), "---\nname: "+name+"\nwhen: {extra.workspace."+when+"}\n---\nx\n")
	}
	w := startWatch(t, home, dir, strategies)
	w.lists("at first", "user.clean user.main user.named")
	unknown := func(name, want, otherwise string, spoil, mend func()) {
		t.Helper()
		spoil()
		w.lists(name, want)
		mend()
		w.lists("after "+name, otherwise)
	}
	const clean, dirty = "user.clean user.main user.named", "user.dirty user.main user.named"
	spoil, mend := replaced(".git/refs/heads/main", "")
	unknown("an empty reference", "user.main user.named", clean, spoil, mend)
	spoil, mend = replaced(".git/HEAD", "x")
	unknown("a broken HEAD", "user.named", clean, spoil, mend)
	writeFile(t, at("a"), "other")
	w.lists("a changed file", dirty)
	unknown("an index in two files", "user.main user.named", dirty, git("update-index", "--split-index"), git("update-index", "--no-split-index"))
	spoil, mend = replaced(".git/index", "x")
	unknown("a broken index", "user.main user.named", dirty, spoil, mend)
	spoil, mend = moved(at(".git"), at("away"))
	unknown("no .git", "user.named", dirty, spoil, mend)
	spoil, mend = moved(dir, dir+"-away")
	unknown("no workspace", "", dirty, spoil, mend)
	git("checkout", "-q", "--detach")()
	w.lists("no branch", "user.dirty user.named")
	spoil, mend = moved(at(".git"), at("away"))
	unknown("no branch, and no .git", "user.named", "user.dirty user.named", spoil, mend)
}
