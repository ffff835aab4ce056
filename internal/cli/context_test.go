package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/cli"
)

// machineCall runs the program as on a server: no desktop, a home of its own.
func machineCall(t *testing.T, dir, home string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	code = cli.Main(t.Context(), cli.Invocation{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &problems, Dir: dir, Env: func(name string) string {
		switch name {
		case "HOME", "USERPROFILE":
			return home
		case "PATH":
			return os.Getenv(name)
		}
		return ""
	}})
	return code, out.String(), problems.String()
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestContextCommand(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "project")
	writeFile(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/topic\n")
	writeFile(t, filepath.Join(home, ".config", "pertain", "config.yaml"), "assistant:\n  name: Secret name\noptions:\n  extraTimeout: 20s\n  conditionTimeout: 20s\n")
	t.Setenv("XDG_CONFIG_HOME", "")
	code, out, problems := machineCall(t, dir, home, "context", "--json")
	if code != 0 || problems != "" {
		t.Fatalf("exit code %d: %s", code, problems)
	}
	if strings.Contains(out, "Secret name") || strings.Contains(out, "topic") || strings.Contains(out, "snapshot") {
		t.Errorf("values are shown without having been asked for: %s", out)
	}
	var report struct {
		Parts []struct {
			Path, Provider string
			Available      bool
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	last := ""
	for _, p := range report.Parts {
		if p.Path <= last {
			t.Errorf("%s stands after %s", p.Path, last)
		}
		last = p.Path
		got[p.Path] = p.Available
	}
	for path, want := range map[string]bool{"environment": true, "extra.workspace": true, "assistant.name": true, "assistant.id": false, "visual": false, "attachments.selection.text": false} {
		if available, told := got[path]; !told || available != want {
			t.Errorf("%s: told %v, available %v", path, told, available)
		}
	}
}

// TestContextCanBeReadBack: what is shown with its values is a context.
func TestContextCanBeReadBack(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "project")
	writeFile(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/topic\n")
	writeFile(t, filepath.Join(home, ".config", "pertain", "config.yaml"), "options: {extraTimeout: 20s}\n") // whatever else the machine does
	_, out, _ := machineCall(t, dir, home, "context", "--json", "--show-values")
	var report struct{ Snapshot json.RawMessage }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	s, err := facts.Decode("context", report.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	branch, _ := facts.Lookup("extra.workspace.git.branch")
	if got := s.At(branch).Text(); got != "topic" {
		t.Errorf("the branch is %q", got)
	}
}

func TestContextOnly(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	for only, want := range map[string]string{
		"clipboard":                  "clipboard.files clipboard.hasImage clipboard.hasText clipboard.text",
		"clipboard.text":             "clipboard.text",
		"extra.browser":              "extra.browser",
		"extra.workspace.git.branch": "extra.workspace",
		"environment.os":             "environment",
		"visual":                     "visual",
		"attachments.selection":      "attachments.selection.text",
	} {
		code, out, problems := machineCall(t, dir, home, "context", "--json", "--only", only)
		if code != 0 {
			t.Errorf("%s: %s", only, problems)
			continue
		}
		var report struct{ Parts []struct{ Path string } }
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, p := range report.Parts {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s: %s, want %s", only, got, want)
		}
	}
	code, out, problems := machineCall(t, dir, home, "context", "--json", "--only", "assistant.id", "--only", "extra.browser")
	if code != 0 || !strings.Contains(out, `"assistant.id"`) || !strings.Contains(out, `"extra.browser"`) || strings.Contains(out, `"visual"`) {
		t.Errorf("two names: exit code %d: %s%s", code, out, problems)
	}
	code, _, problems = machineCall(t, dir, home, "context", "--only", "qwertyuiop")
	if code != 2 || !strings.Contains(problems, "there are activeProcess, assistant, attachments.selection.text, clipboard, environment, extra.") {
		t.Errorf("exit code %d: %s", code, problems)
	}
	code, _, problems = machineCall(t, dir, home, "context", "--only", "clipboard.txt")
	if code != 2 || !strings.Contains(problems, "did you mean `clipboard.text`") {
		t.Errorf("exit code %d: %s", code, problems)
	}
}

func TestContextForPeople(t *testing.T) {
	code, out, _ := machineCall(t, t.TempDir(), t.TempDir(), "context", "--only", "assistant.id")
	want := "–  assistant.id                       none now  (settings, "
	if code != 0 || !strings.HasPrefix(out, want) || !strings.Contains(out, "write it under `assistant:` in the settings file") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestContextOnAServer: what many parts have in common is said once, and each
// part says that it is meant.
func TestContextOnAServer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is always a desktop")
	}
	code, out, _ := machineCall(t, t.TempDir(), t.TempDir(), "context")
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for text, times := range map[string]int{
		"neither DISPLAY nor WAYLAND_DISPLAY is set": 1,
		"start Pertain inside the desktop session":   1,
		"the settings do not say it":                 1,
		"write it under `assistant:`":                1,
		"[1]":                                        10,
		"[2]":                                        6, // five parts of the assistant, and the cause
		"make a folder .pertain":                     1,
		"could not collect":                          1, // that one
	} {
		if got := strings.Count(out, text); got != times {
			t.Errorf("%q stands there %d times, want %d:\n%s", text, got, times, out)
		}
	}
}

func TestWatchNeedsALiveContext(t *testing.T) {
	code, _, problems := machineCall(t, t.TempDir(), t.TempDir(), "match", "--watch", "--context", "x.json")
	if code != 2 || !strings.Contains(problems, "leave --context out") {
		t.Errorf("exit code %d: %s", code, problems)
	}
}

// TestWatchFollowsStrategies: without a desktop, saving a strategy is news.
func TestWatchFollowsStrategies(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	strategies := filepath.Join(dir, "strategies")
	file := filepath.Join(strategies, "a.strategy.md")
	writeFile(t, file, "---\nname: A\nwhen: {environment.architecture: {equals: none}}\n---\nx\n")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	done := make(chan int, 1)
	go func() {
		defer out.Close()
		done <- cli.Main(ctx, cli.Invocation{
			Args: []string{"match", "--watch", "--json", "--no-builtin", "--strategies", strategies}, Stdout: out, Stderr: &bytes.Buffer{}, Dir: dir,
			Env: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
		})
	}()
	lines := json.NewDecoder(in)
	next := func() int {
		var m struct{ Candidates []struct{} }
		if err := lines.Decode(&m); err != nil {
			t.Fatal(err)
		}
		return len(m.Candidates)
	}
	if n := next(); n != 0 {
		t.Errorf("%d recommended at first", n)
	}
	go func() { // until the watcher is up, nobody notices
		for ctx.Err() == nil {
			_ = os.WriteFile(file, []byte("---\nname: A\nwhen: {environment.architecture: {length: {min: 1}}}\npriority: "+time.Now().Format("5")+"\n---\nx\n"), 0o600)
			time.Sleep(100 * time.Millisecond)
		}
	}()
	if n := next(); n != 1 {
		t.Errorf("%d recommended after saving", n)
	}
	cancel()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestContextTellsBrokenSettings: what is wrong about privacy is said, and
// nothing of the desktop is read.
func TestContextTellsBrokenSettings(t *testing.T) {
	home := t.TempDir()
	writeFile(t, filepath.Join(home, ".config", "pertain", "config.yaml"), "private: {titles: \"*note.txt*\"}\n")
	_, out, _ := machineCall(t, t.TempDir(), home, "context")
	if !strings.Contains(out, "config.yaml:1:19: `private.titles` must be a list") {
		t.Errorf("nothing says what is wrong: %s", out)
	}
	_, out, _ = machineCall(t, t.TempDir(), home, "context", "--json")
	var report struct {
		Diagnostics []struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Diagnostics) != 1 {
		t.Errorf("%v %+v", err, report)
	}
}
