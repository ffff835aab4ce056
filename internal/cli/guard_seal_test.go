package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestGuardBelievesItsOwnMemory: a memory that a repository brings, and that says of a
// rule that it has fired already, silences nothing.
func TestGuardBelievesItsOwnMemory(t *testing.T) {
	home := t.TempDir()
	repo := filepath.Join(home, "repo")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call := func(dir string, args ...string) (code int, notes string) {
		t.Helper()
		var out, told strings.Builder
		code = cli.Main(t.Context(), cli.Invocation{
			Args: args, Dir: dir, Stdin: strings.NewReader("a foo b"), Stdout: &out, Stderr: &told,
			Env: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
		})
		return code, told.String()
	}
	const planted = `{"version":1,"turn":7,"injected":{"foo":6}}`
	rule := "---\nttsr_trigger: foo\n---\nF.\n"
	write(filepath.Join(repo, ".omp", "rules", "foo.md"), rule)
	write(filepath.Join(repo, ".git", "HEAD"), "ref: refs/heads/main\n")
	talk := filepath.Join(repo, "talk.json")
	expect := func(what string, dir string, fires, doubted bool) {
		t.Helper()
		code, notes := call(dir, "guard", "--memory", "talk.json")
		if fired := code == 3; fired != fires || code != 0 && code != 3 || strings.Contains(notes, "not believed") != doubted {
			t.Errorf("%s: exit code %d, %s", what, code, notes)
		}
	}
	write(talk, planted)
	expect("planted", repo, true, true)
	expect("the next turn", repo, false, false)
	own, err := os.ReadFile(talk)
	if err != nil {
		t.Fatal(err)
	}
	write(talk, strings.Replace(string(own), `"foo"`, `"bar"`, 1))
	expect("changed", repo, true, true)
	elsewhere := filepath.Join(repo, "sub")
	write(filepath.Join(elsewhere, "talk.json"), string(own))
	expect("copied to another place", elsewhere, true, true)
	write(talk, "")
	expect("empty", repo, true, false)

	if code, notes := call(repo, "trust"); code != 0 {
		t.Fatal(notes)
	}
	write(talk, planted)
	expect("trusted", repo, false, false)
	plain := filepath.Join(home, "plain")
	write(filepath.Join(plain, ".omp", "rules", "foo.md"), rule)
	write(filepath.Join(plain, "talk.json"), planted)
	expect("in no workspace, as an archive brings it", plain, true, true)
	expect("in no workspace, the next turn", plain, false, false)
	if code, notes := call(plain, "trust"); code != 0 {
		t.Fatal(notes)
	}
	write(filepath.Join(plain, "talk.json"), planted)
	expect("in a trusted folder", plain, false, false)
}
