package collect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// gather asks the machine's collectors for one need, without a desktop.
func gather(t *testing.T, options collect.Options, needs ...string) facts.Gathering {
	t.Helper()
	if options.Env == nil {
		options.Env = withoutDesktop
	}
	machine := collect.Open(options)
	t.Cleanup(machine.Close)
	var n facts.Needs
	n.Add(needs...)
	out, err := facts.NewGatherer(machine.Collectors()...).Gather(t.Context(), n, facts.Parts{}, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func withoutDesktop(name string) string {
	switch name {
	case "PATH", "HOME", "TMPDIR", "SystemRoot":
		return os.Getenv(name)
	}
	return ""
}

func asJSON(t *testing.T, v facts.Value) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// git runs git in a folder with an identity and a branch name of its own.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	args = append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false"}, args...)
	if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tempDir is a folder without symlinks in its path, as the workspace's root is.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// everybody trusts every folder.
func everybody(string) bool { return true }

// trusts are the two ways to look at a repository.
var trusts = map[string]func(string) bool{"trusted": everybody, "a stranger's": nil}

func repository(t *testing.T) string {
	t.Helper()
	root := filepath.Join(tempDir(t), "project")
	write(t, filepath.Join(root, "sub", "a.txt"), "a\n")
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "first")
	return root
}

func TestWorkspace(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, root string) (dir string)
		want    string // ROOT stands for the expected root
		summary string
	}{
		{
			"clean", func(t *testing.T, root string) string { return root },
			`{"root":"ROOT","name":"project","git":{"branch":"main","hasChanges":false}}`, "4 of 4 values",
		},
		{
			"from a folder below", func(t *testing.T, root string) string { return filepath.Join(root, "sub") },
			`{"root":"ROOT","name":"project","git":{"branch":"main","hasChanges":false}}`, "4 of 4 values",
		},
		{"changed file", func(t *testing.T, root string) string {
			write(t, filepath.Join(root, "sub", "a.txt"), "b\n")
			return root
		}, `{"root":"ROOT","name":"project","git":{"branch":"main","hasChanges":true}}`, "4 of 4 values"},
		{"new file", func(t *testing.T, root string) string {
			write(t, filepath.Join(root, "new"), "")
			return root
		}, `{"root":"ROOT","name":"project","git":{"branch":"main","hasChanges":true}}`, "4 of 4 values"},
		{"branch with a slash", func(t *testing.T, root string) string {
			git(t, root, "checkout", "-q", "-b", "feature/x y"[:9])
			return root
		}, `{"root":"ROOT","name":"project","git":{"branch":"feature/x","hasChanges":false}}`, "4 of 4 values"},
		{"no branch", func(t *testing.T, root string) string {
			git(t, root, "checkout", "-q", "--detach")
			return root
		}, `{"root":"ROOT","name":"project","git":{"hasChanges":false}}`, "3 of 4 values: no branch is checked out"},
		{"unborn branch", func(t *testing.T, root string) string {
			git(t, root, "checkout", "-q", "--orphan", "fresh")
			git(t, root, "rm", "-q", "-r", "--cached", ".")
			return root
		}, `{"root":"ROOT","name":"project","git":{"branch":"fresh","hasChanges":true}}`, "4 of 4 values"},
		{"worktree", func(t *testing.T, root string) string {
			other := filepath.Join(filepath.Dir(root), "other")
			git(t, root, "worktree", "add", "-q", "-b", "side", other)
			return other
		}, `{"root":"ROOT","name":"other","git":{"branch":"side","hasChanges":false}}`, "4 of 4 values"},
		{"part of a repository", func(t *testing.T, root string) string {
			write(t, filepath.Join(root, "sub", ".pertain", "x"), "")
			return filepath.Join(root, "sub")
		}, `{"root":"ROOT","name":"sub","git":{"branch":"main","hasChanges":true}}`, "4 of 4 values"},
		{"broken .git", func(t *testing.T, root string) string {
			dir := filepath.Join(filepath.Dir(root), "broken")
			write(t, filepath.Join(dir, ".git"), "nothing\n")
			return dir
		}, `{"root":"ROOT","name":"broken","git":{}}`, "2 of 4 values: its git folder cannot be read"},
		{"without git", func(t *testing.T, root string) string {
			dir := filepath.Join(filepath.Dir(root), "plain")
			write(t, filepath.Join(dir, ".pertain", "x"), "")
			return dir
		}, `{"root":"ROOT","name":"plain"}`, "2 of 4 values: no git repository"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := repository(t)
			dir := tt.prepare(t, root)
			if tt.name != "from a folder below" {
				root = dir
			}
			for who, trusted := range trusts { // git says the same as the files
				out := gather(t, collect.Options{Dir: dir, Trusted: trusted}, "extra.workspace")
				got := asJSON(t, facts.Item(out.Snapshot.Values(), "extra.workspace"))
				quoted, _ := json.Marshal(root)
				if diff := cmp.Diff(strings.ReplaceAll(tt.want, `"ROOT"`, string(quoted)), got); diff != "" {
					t.Errorf("%s: %s", who, diff)
				}
				if p := out.Parts[0]; p.Summary != tt.summary || p.Provider != "workspace.directory" {
					t.Errorf("%s: %s says %q", who, p.Provider, p.Summary)
				}
			}
		})
	}
}

// TestNoWorkspace: why there is none, and what to do.
func TestNoWorkspace(t *testing.T) {
	bare := tempDir(t)
	git(t, bare, "init", "-q", "--bare")
	for dir, want := range map[string]string{tempDir(t): "has .git or .pertain", bare: "without files to work on"} {
		out := gather(t, collect.Options{Dir: dir}, "extra.workspace")
		if p := out.Parts[0]; p.Available || p.Diagnostics.HasErrors() {
			t.Errorf("%+v", p)
		}
		if d := out.Diagnostics; len(d) != 1 || !strings.Contains(d[0].Message, want) || d[0].Hint == "" || d[0].Code != diag.ExtraProviderUnavailable {
			t.Errorf("%+v", d)
		}
	}
}

// TestWorkspaceWithoutGitProgram: the files tell enough, but for what only git can
// tell.
func TestWorkspaceWithoutGitProgram(t *testing.T) {
	root := repository(t)
	path := os.Getenv("PATH")
	t.Setenv("PATH", tempDir(t))
	out := gather(t, collect.Options{Dir: root, Trusted: everybody}, "extra.workspace")
	if got := out.Parts[0].Summary; got != "4 of 4 values" {
		t.Error(got)
	}
	t.Setenv("PATH", path)
	git(t, root, "update-index", "--split-index")
	t.Setenv("PATH", tempDir(t))
	out = gather(t, collect.Options{Dir: root, Trusted: everybody}, "extra.workspace")
	if got := out.Parts[0].Summary; got != "3 of 4 values: git is not installed" {
		t.Error(got)
	}
	out = gather(t, collect.Options{Dir: root}, "extra.workspace")
	if d := out.Diagnostics; len(d) != 1 || !strings.Contains(d[0].Hint, "pertain trust") || out.Parts[0].Summary != "3 of 4 values: its index is split in two" {
		t.Errorf("%q %+v", out.Parts[0].Summary, d)
	}
}

// TestWorkspaceTellsTheBranchInTime: what needs no git is told whatever git does.
func TestWorkspaceTellsTheBranchInTime(t *testing.T) {
	for name, script := range map[string]string{
		"hangs":             "exec sleep 60\n",
		"waits for another": "sleep 60\nexit 0\n", // which goes on, and keeps the output open
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t)
			folder := tempDir(t)
			write(t, filepath.Join(folder, "git"), "#!/bin/sh\n"+script)
			if err := os.Chmod(filepath.Join(folder, "git"), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
			machine := collect.Open(collect.Options{Dir: root, Env: withoutDesktop, Trusted: everybody})
			var needs facts.Needs
			needs.Add("extra.workspace")
			out, err := facts.NewGatherer(machine.Collectors()...).Gather(context.Background(), needs, facts.Parts{}, 300*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if got := out.Parts[0].Summary; got != "3 of 4 values: git took too long" {
				t.Error(got, out.Diagnostics)
			}
			if len(out.Diagnostics) != 1 || out.Diagnostics[0].Path != "extra.workspace.git.hasChanges" || out.Diagnostics[0].Hint == "" || out.Diagnostics[0].Code != diag.ExtraProviderTimeout {
				t.Errorf("nothing says what is unknown: %+v", out.Diagnostics)
			}
		})
	}
}

// TestWorkspaceSubmodules: what is changed inside a submodule is a change, and
// what its settings name is not run.
func TestWorkspaceSubmodules(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, root string)
		want   bool
	}{
		{"clean", func(*testing.T, string) {}, false},
		{"changed file", func(t *testing.T, root string) { write(t, filepath.Join(root, "lib", "sub", "a.txt"), "b\n") }, true},
		{"new file", func(t *testing.T, root string) { write(t, filepath.Join(root, "lib", "new"), "") }, true},
		{"ignored", func(t *testing.T, root string) {
			git(t, root, "config", "--file", ".gitmodules", "submodule.lib.ignore", "dirty")
			git(t, root, "commit", "-q", "-a", "-m", "third")
			write(t, filepath.Join(root, "lib", "new"), "")
		}, false},
		{"not checked out", func(t *testing.T, root string) { git(t, root, "submodule", "deinit", "-q", "-f", "lib") }, false},
		{"strange settings", func(t *testing.T, root string) {
			script := filepath.Join(filepath.Dir(root), "evil")
			write(t, script, "#!/bin/sh\ntouch '"+filepath.Join(filepath.Dir(root), "proof")+"'\n")
			if err := os.Chmod(script, 0o700); err != nil {
				t.Fatal(err)
			}
			git(t, filepath.Join(root, "lib"), "config", "core.fsmonitor", script)
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := repository(t)
			git(t, root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository(t), "lib")
			git(t, root, "commit", "-q", "-m", "second")
			tt.change(t, root)
			for who, trusted := range trusts {
				out := gather(t, collect.Options{Dir: root, Trusted: trusted}, "extra.workspace.git.hasChanges")
				got := asJSON(t, facts.Item(out.Snapshot.Values(), "extra.workspace"))
				if tt.name == "ignored" && trusted == nil {
					if strings.Contains(got, "hasChanges") || len(out.Diagnostics) != 1 || !strings.Contains(out.Diagnostics[0].Message, "a submodule says") {
						t.Errorf("%s: %s %+v", who, got, out.Diagnostics)
					}
				} else if !strings.Contains(got, fmt.Sprintf(`"hasChanges":%t`, tt.want)) {
					t.Errorf("%s: %s", who, got)
				}
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(root), "proof")); err == nil {
				t.Error("a program that the submodule names was run")
			}
		})
	}
}

func TestAssistant(t *testing.T) {
	var object facts.Part
	object = object.With("assistant.id", facts.Text("helper")).With("assistant.model.supportsToolCall", facts.Flag(false))
	options := collect.Options{Assistant: object.Values.Field("assistant")}
	out := gather(t, options, "assistant.id", "assistant.model.id", "assistant.model.supportsToolCall")
	if diff := cmp.Diff([]string{"assistant.id", "assistant.model.supportsToolCall"}, out.Snapshot.Known()); diff != "" {
		t.Error(diff)
	}
	out = gather(t, collect.Options{}, "assistant.id")
	if len(out.Diagnostics) != 1 || !strings.Contains(out.Diagnostics[0].Hint, "settings file") {
		t.Errorf("%+v", out.Diagnostics)
	}
}
