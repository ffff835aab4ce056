package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// callIn runs the program in a folder that is also the home.
func callIn(t *testing.T, dir, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, notes strings.Builder
	code = cli.Main(t.Context(), cli.Invocation{
		Args: args, Dir: dir, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &notes,
		Env: func(name string) string {
			return map[string]string{"HOME": filepath.Join(dir, "home"), "USERPROFILE": filepath.Join(dir, "home")}[name]
		},
	})
	return code, out.String(), notes.String()
}

// TestManyMistakes: whatever a file holds, at most a hundred things are said about
// it, in every form, and how many more there are.
func TestManyMistakes(t *testing.T) {
	const n = 5_000
	for name, fields := range map[string]string{
		"keys twice":       strings.Repeat("k: 1\n", n),
		"unknown keys":     numbered("k%d: 1\n", n),
		"globs":            "globs: [" + strings.Repeat("1,", n) + "]\n",
		"triggers":         "condition: [" + strings.Repeat("'(',", n) + "]\n",
		"scopes":           "ttsr_trigger: x\nscope: [" + strings.Repeat("zz,", n) + "]\n",
		"list keys":        strings.Repeat("? [a]\n: 1\n", n),
		"characters":       "description: \"" + strings.Repeat("a\u200b", n) + "\"\n",
		"values in quotes": "globs:\n" + strings.Repeat("  - *.ts\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, ".git", "HEAD"), "")
			writeFile(t, filepath.Join(dir, ".omp", "rules", "a.md"), "---\n"+fields+"---\nText.\n")
			writeFile(t, filepath.Join(dir, ".pertain", "strategies", "a.strategy.md"), "---\nname: x\nwhen: {any: []}\n"+fields+"---\nText.\n")
			for _, args := range [][]string{
				{"lint", "--json"},
				{"lint", "--format", "sarif"},
				{"lint", "--format", "github"},
				{"lint", "--format", "short"},
				{"lint"},
				{"rules", "--json"},
				{"match", "--all", "--json", "--no-builtin"},
			} {
				_, out, notes := callIn(t, dir, "", args...)
				if n := len(out) + len(notes); n > 500_000 {
					t.Errorf("%s: %d bytes", strings.Join(args, " "), n)
				}
				if args[0] != "lint" || args[len(args)-1] != "--json" {
					continue
				}
				var report struct {
					Diagnostics []struct{ File, Message string }
				}
				if err := json.Unmarshal([]byte(out), &report); err != nil {
					t.Fatal(err)
				}
				count := map[string]int{}
				rest := 0
				for _, d := range report.Diagnostics {
					count[d.File]++
					if strings.Contains(d.Message, "of this file are not listed") {
						rest++
					}
				}
				for file, n := range count {
					if n > 100 {
						t.Errorf("%s: %d diagnostics", filepath.Base(file), n)
					}
				}
				if rest == 0 {
					t.Error("nothing says that there are more")
				}
			}
		})
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
