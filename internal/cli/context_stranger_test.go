package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestContextOfAStranger: of what a context file of a workspace that is not trusted calls selected, the files of that workspace are read that do not look like secrets,
// and no others; of a context of the user's own, all.
func TestContextOfAStranger(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var items []string
	for name, text := range map[string]string{"home/notes.txt": "DIARY", "home/.ssh/id_rsa": "KEY", "home/src/r/.env": "ENV", "home/src/r/a.txt": "INSIDE", "home/src/r/.git/HEAD": ""} {
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			items = append(items, fmt.Sprintf(`{"path": %q, "kind": "file"}`, path))
		}
	}
	home, repo := filepath.Join(base, "home"), filepath.Join(base, "home/src/r")
	context := `{"extra": {"file_manager": {"selection": {"items": [` + strings.Join(items, ", ") + `]}}}}`
	theirs, own := filepath.Join(repo, "x.context.json"), filepath.Join(home, "x.context.json")
	for _, path := range []string{theirs, own} {
		if err := os.WriteFile(path, []byte(context), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	call := func(stdin string, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		env := map[string]string{"HOME": home, "USERPROFILE": home, "APPDATA": filepath.Join(home, ".config")}
		if code := cli.Main(t.Context(), cli.Invocation{
			Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Dir: repo, Account: home, Env: func(name string) string { return env[name] },
		}); code != 0 {
			t.Fatalf("%q: %s", args, errs.String())
		}
		return out.String()
	}
	check := func(name, text string, all bool) {
		t.Helper()
		for _, secret := range []string{"DIARY", "KEY", "ENV"} {
			if strings.Contains(text, secret+"\n") != all {
				t.Errorf("%s: %s is read: %v\n%s", name, secret, !all, text)
			}
		}
		if !strings.Contains(text, "INSIDE\n") {
			t.Errorf("%s: a file of the workspace is not read\n%s", name, text)
		}
	}
	check("theirs", call("", "run", "builtin.summarize-files", "--context", "x.context.json"), false)
	check("theirs, by its path", call("", "run", "builtin.summarize-files", "--context", theirs), false)
	check("the user's own", call("", "run", "builtin.summarize-files", "--context", own), true)
	check("what is piped in", call(context, "run", "builtin.summarize-files", "--context", "-"), true)
	call("", "trust")
	check("theirs, trusted", call("", "run", "builtin.summarize-files", "--context", theirs), true)
}
