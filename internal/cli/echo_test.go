package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestLongNamesAreRepeatedInShort: what the caller wrote is repeated, but not all
// of it, whatever it was meant to be.
func TestLongNamesAreRepeatedInShort(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".git", "HEAD"), "")
	writeFile(t, filepath.Join(dir, "a.strategy.md"), "---\nid: "+strings.Repeat("i", 100_000)+"\nname: x\n"+strings.Repeat("k", 50_000)+": 1\nicon: "+strings.Repeat("c", 50_000)+"\nwhen: {"+strings.Repeat("w", 50_000)+": {equals: 1}}\n---\nx\n")
	writeFile(t, filepath.Join(dir, ".omp", "rules", "a.md"), "---\n"+strings.Repeat("k", 50_000)+": 1\nttsr_trigger: x\nscope: "+strings.Repeat("s", 50_000)+"\nglobs: '["+strings.Repeat("g", 50_000)+"'\n---\nx\n")
	words := strings.Repeat("long words ", 10_000)
	for _, long := range []string{strings.Repeat("x", 100_000), words} {
		for _, args := range [][]string{
			{"run", long},
			{"explain", long},
			{"run", long, "--json"},
			{"explain", long, "--json"},
			{"rules", "show", long},
			{"read", "rule://" + long},
			{"read", "skill://" + long},
			{"read", long},
			{"lint", long},
			{"lint", "--format", long},
			{"lint", "--json", long},
			{"query", "//" + long},
			{"query", "--json", "//" + long},
			{long},
			{"help", long},
			{"rules", long},
			{"--" + long},
			{"match", "--context", long},
			{"match", "--strategies", long},
			{"match", "--attach", long, "--json"},
			{"context", "--only", long},
			{"--cwd", long, "rules"},
			{"guard", "--memory", long},
			{"guard", "--inject", long},
			{"run", "--plan", long},
			{"skills", "enable", long},
			{"skills", "disable", long},
			{"trust", long},
			{"new", "strategy", long, "--print"},
			{"rules", "scan", long},
			{"rules", "test", "--rule", long, "x"},
			{"rules", "test", "--source", long, "x"},
			{"serve", "--listen", long},
			{"lint", "--dry-run=" + long},
			{"version", long},
			{"lint", "--json", "a.strategy.md"},
			{"rules", "--json"},
			{"lint", "--format", "sarif", "."},
		} {
			code, out, notes := callIn(t, dir, "", args...)
			if n := len(out) + len(notes); n > 20_000 && args[0] != "rules" || n > 200_000 {
				shown := make([]string, len(args))
				for i, arg := range args {
					shown[i] = arg[:min(len(arg), 20)]
				}
				t.Errorf("%q: exit %d, %d bytes on stdout, %d on stderr: %.200q", shown, code, len(out), len(notes), notes)
			}
		}
	}
}
