package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFullDisk: what cannot be written whole is not written at all. A limit of the shell on
// the size of files stands for a disk that is full.
func TestFullDisk(t *testing.T) {
	program, err := exec.LookPath("program")
	if err != nil {
		t.Fatal(err)
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	home, work := t.TempDir(), t.TempDir()
	rule := filepath.Join(work, ".omp", "rules", "foo.md")
	if err := errors.Join(os.MkdirAll(filepath.Dir(rule), 0o755), os.WriteFile(rule, []byte("---\nttsr_trigger: foo\n---\nF.\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	run := func(limited bool, input string, args ...string) (int, string) {
		t.Helper()
		script := `"$0" "$@"; exit $?`
		if limited {
			script = "ulimit -f 0; " + script
		}
		cmd := exec.Command(shell, append([]string{"-c", script, program}, args...)...)
		var notes, out strings.Builder
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = work, strings.NewReader(input), &out, &notes
		cmd.Env = []string{"HOME=" + home}
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), notes.String()
	}
	// What is there before is there after, and nothing else.
	for _, args := range [][]string{{"trust"}, {"new", "strategy", "mine"}, {"new", "strategy", "--workspace", "theirs"}, {"guard", "--memory", "talk.json"}} {
		if code, notes := run(false, "text", args...); code != 0 {
			t.Fatalf("%v: %d, %s", args, code, notes)
		}
	}
	state := func() (all []string) {
		for _, dir := range []string{home, work} {
			err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() && !strings.HasSuffix(path, ".lock") {
					text, _ := os.ReadFile(path)
					all = append(all, path+": "+string(text))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	before := state()
	for _, args := range [][]string{
		{"trust", home},
		{"trust", "--revoke"},
		{"new", "strategy", "other"},
		{"new", "strategy", "--force", "mine"},
		{"new", "strategy", "--dir", ".", "other"},
		{"new", "strategy", "--workspace", "--force", "theirs"},
		{"guard", "--memory", "talk.json"},
		{"guard", "--memory", "new.json"},
		{"man", "--dir", "pages"},
	} {
		code, notes := run(true, "a foo", args...)
		if code != 2 || strings.Count(notes, "\n") != 1 || !strings.Contains(notes, "file too large") {
			t.Errorf("%v: exit code %d, %s", args, code, notes)
		}
	}
	if after := state(); !slices.Equal(before, after) {
		t.Errorf("before: %q\nafter: %q", before, after)
	}
	// Of a block for the model nothing is left, rather than a part, nor an empty file, which says that no rule fired.
	if code, notes := run(true, "a foo", "guard", "--inject", "block.md"); code != 3 || !strings.Contains(notes, "--inject block.md: the file cannot be written: file too large") {
		t.Errorf("exit code %d, %s", code, notes)
	}
	if text, err := os.ReadFile(filepath.Join(work, "block.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", text, err)
	}
	for path, mode := range map[string]fs.FileMode{
		".config/pertain": 0o700, ".config/pertain/trust.json": 0o600, ".config/pertain/strategies": 0o700, ".config/pertain/strategies/mine.strategy.md": 0o600,
	} {
		if info, err := os.Stat(filepath.Join(home, path)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}
