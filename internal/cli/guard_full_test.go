package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
	"github.com/pertain-dev/pertain/internal/quota"
)

// TestGuardTellsWhatDoesNotFit: triggers that are too large together are left
// out, by name, and the others fire all the same.
func TestGuardTellsWhatDoesNotFit(t *testing.T) {
	dir := t.TempDir()
	write := func(name, trigger string) {
		path := filepath.Join(dir, ".omp", "rules", name+".md")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\nttsr_trigger: '"+trigger+"'\n---\nR.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 6 {
		var words strings.Builder
		for j := range 500 {
			// Spread over the alphabet, so that the words share no beginnings; and repeated, since a file may not be large.
			fmt.Fprintf(&words, "|%07x[%d-9]{900}", (j*2654435761+i)%(1<<28), i)
		}
		write(fmt.Sprintf("large%d", i), words.String()[1:])
	}
	write("a-small", "foo")
	var out, notes strings.Builder
	code := cli.Main(t.Context(), cli.Invocation{
		Args: []string{"guard"}, Dir: dir, Stdin: strings.NewReader("a foo b"), Stdout: &out, Stderr: &notes,
		Env: func(name string) string { return map[string]string{"HOME": dir, "USERPROFILE": dir}[name] },
	})
	if code != 3 || out.String() != "a fo" {
		t.Errorf("exit code %d, copied %q", code, out.String())
	}
	if !strings.Contains(notes.String(), "rule large5 is not watched") || strings.Contains(notes.String(), "rule a-small is not watched") {
		t.Errorf("stderr: %.600s", notes.String())
	}
}

// TestGuardTellsWhatCannotBeRead: frontmatter that is too much to read may hold a
// trigger that the user relies on.
func TestGuardTellsWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".omp", "rules", "big.md"), "---\nttsr_trigger: foo\n"+strings.Repeat("# filler\n", 150_000)+"---\nR.\n")
	code, out, notes := callIn(t, dir, "a foo b", "guard")
	if code != 0 || out != "a foo b" || !strings.Contains(notes, "big.md") || !strings.Contains(notes, "[rule.invalid_yaml]") {
		t.Errorf("exit %d, copied %q, told %q", code, out, notes)
	}
}

// TestGuardJournalOfVeryMany: rules of a repository that match anything write only so much into the journal, and the user's own are in it.
func TestGuardJournalOfVeryMany(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	write := func(path string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\nttsr_trigger: '.'\n---\nR.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 150 {
		write(filepath.Join(dir, ".omp", "rules", fmt.Sprintf("a%d.md", i)))
	}
	write(filepath.Join(home, ".omp", "agent", "rules", "mine.md"))
	run := func(args ...string) string {
		var out, notes strings.Builder
		cli.Main(t.Context(), cli.Invocation{
			Args: args, Dir: dir, Stdin: strings.NewReader("good"), Stdout: &out, Stderr: &notes,
			Env: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
		})
		return out.String()
	}
	run("guard")
	told := run("journal", "--json")
	if count := strings.Count(told, `"rule":`); count != quota.Others+1 || !strings.Contains(told, `"mine"`) {
		t.Errorf("%d entries", count)
	}
}
