package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestRulesForLimit: an answer names rules so often at most, and tells how many files are left out.
func TestRulesForLimit(t *testing.T) {
	const rules, paths, room = 1100, 500, 454 // 500,000 / 1100
	home, repo := t.TempDir(), t.TempDir()
	folder := filepath.Join(repo, ".pertain", "rules")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range rules {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("r%d.md", i)), []byte("---\nalwaysApply: true\n---\nx\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var list strings.Builder
	for i := range paths {
		fmt.Fprintf(&list, "f%d.ts\n", i)
	}
	call := func(args ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		env := map[string]string{"HOME": home, "USERPROFILE": home, "APPDATA": filepath.Join(home, ".config")}
		code = cli.Main(t.Context(), cli.Invocation{
			Args: args, Stdin: strings.NewReader(list.String()), Stdout: &out, Stderr: &errs, Dir: repo, Account: home, Env: func(name string) string { return env[name] },
		})
		return code, out.String(), errs.String()
	}
	code, stdout, stderr := call("rules", "for", "--json", "-")
	var answer struct {
		Files    []struct{ Path string }
		Warnings []struct{ Code, Message, File string }
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatal(err)
	}
	if code != 1 || len(answer.Files) != room || !strings.Contains(stderr, "46 files are left out") {
		t.Errorf("exit %d, %d files, %s", code, len(answer.Files), stderr)
	}
	if w := answer.Warnings; len(w) != 1 || w[0].Code != "rule.too_large" || filepath.Base(w[0].File) != "f454.ts" || !strings.Contains(w[0].Message, "46 files are left out") {
		t.Errorf("%+v", w)
	}
	if code, stdout, stderr := call("rules", "for", "-"); code != 1 || strings.Count(stdout, ".ts\n") != room || !strings.Contains(stderr, "46 files are left out") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, stdout, _ := call("rules", "for", "--json", "one.ts", "two.ts"); code != 0 || strings.Contains(stdout, "left out") {
		t.Errorf("two files: exit %d", code)
	}
}
