package cli_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// scanned is what `rules scan --json` tells of its findings.
type scanned struct {
	Findings  []struct{ Rule, File string }
	NotListed struct {
		Findings, Undecided int
		Files               []struct {
			File     string
			Findings int
		}
	}
}

// count is how many findings a rule has that are listed.
func (s scanned) count(rule string) int {
	n := 0
	for _, f := range s.Findings {
		if f.Rule == rule {
			n++
		}
	}
	return n
}

// manyFindings is a project with so many rules for `x`, in whose home is one for `own`.
func manyFindings(t *testing.T, rules int) (dir string, scan func(args ...string) (out string)) {
	t.Helper()
	base := t.TempDir()
	dir = filepath.Join(base, "work")
	home := filepath.Join(base, "home")
	writeFile(t, filepath.Join(dir, ".git", "HEAD"), "")
	writeFile(t, filepath.Join(home, ".omp", "agent", "rules", "own.md"), "---\ncondition: own\n---\nText.\n")
	for i := range rules {
		writeFile(t, filepath.Join(dir, ".omp", "rules", fmt.Sprintf("a%d.md", i)), "---\ncondition: x\n---\nText.\n")
	}
	return dir, func(args ...string) string {
		t.Helper()
		var first string
		for i := range 3 {
			var out, notes strings.Builder
			code := cli.Main(t.Context(), cli.Invocation{
				Args: append([]string{"rules", "scan", "src"}, args...), Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &notes,
				Env: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
			})
			if code != 1 {
				t.Fatalf("%v: exit %d, %s", args, code, notes.String())
			}
			if i == 0 {
				first = out.String()
			} else if out.String() != first {
				t.Errorf("%v: another answer to the same question", args)
			}
		}
		return first
	}
}

func readScanned(t *testing.T, text string) (report scanned) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatal(err)
	}
	return report
}

// TestScanManyInOneFile: what a scan tells of a file does not grow as the rules times the lines; those of the user's own rules are listed before
// all others, then each rule once, and the rest is counted in every form.
func TestScanManyInOneFile(t *testing.T) {
	const rules, lines = 60, 300
	dir, scan := manyFindings(t, rules)
	writeFile(t, filepath.Join(dir, "src", "a.ts"), strings.Repeat("x\n", lines)+strings.Repeat("own\n", 10))
	text := scan("--json")
	report := readScanned(t, text)
	const more = rules*lines + 10 - 100
	if len(report.Findings) != 100 || report.count("own") != 10 || report.NotListed.Findings != more || len(report.NotListed.Files) != 1 ||
		report.NotListed.Files[0].Findings != more || filepath.Base(report.NotListed.Files[0].File) != "a.ts" || len(text) > 50_000 {
		t.Errorf("%d findings, %d of the user's own rule, %+v, %d bytes", len(report.Findings), report.count("own"), report.NotListed, len(text))
	}
	for i := range rules {
		if n := report.count(fmt.Sprintf("a%d", i)); n < 1 || n > 2 {
			t.Errorf("a%d is listed %d times", i, n)
		}
	}
	for format, wants := range map[string][]string{
		"text": {
			fmt.Sprintf("\n    own\nsrc/a.ts: %d more findings are not listed\n", more),
			fmt.Sprintf("\n%d findings in 1 file; %d of them not listed: mend what is, or name fewer files\n", more+100, more),
		},
		"sarif":  {fmt.Sprintf(`"text": "%d more findings of this file are not listed"`, more), `"executionSuccessful": true`},
		"github": {fmt.Sprintf("::notice file=src/a.ts,title=rules scan::%d more findings of this file are not listed\n", more)},
	} {
		out := scan("--format", format)
		if len(out) > 100_000 {
			t.Errorf("%s: %d bytes", format, len(out))
		}
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in …%s", format, want, out[max(0, len(out)-600):])
			}
		}
	}
}

// TestScanManyOfTheOwn: others are not listed where the user's own rule has used up the limit, and they are counted.
func TestScanManyOfTheOwn(t *testing.T) {
	dir, scan := manyFindings(t, 1)
	writeFile(t, filepath.Join(dir, "src", "a.ts"), strings.Repeat("x own\n", 150))
	if report := readScanned(t, scan("--json")); report.count("own") != 100 || len(report.Findings) != 100 || report.NotListed.Findings != 200 {
		t.Errorf("%d of %d, %+v", report.count("own"), len(report.Findings), report.NotListed)
	}
}

// TestScanManyFiles: nor does it grow with the files; which findings are listed does not depend on which file was read first, and the user's own
// rule is told wherever it fires.
func TestScanManyFiles(t *testing.T) {
	const files = 110
	dir, scan := manyFindings(t, 2)
	for i := range files {
		writeFile(t, filepath.Join(dir, "src", fmt.Sprintf("%03d.ts", i)), strings.Repeat("x\n", 60)+"own\n")
	}
	report := readScanned(t, scan("--json"))
	if len(report.Findings) != 10_000 || report.count("own") != files || report.count("a0") < 4_900 || report.count("a1") < 4_900 || report.NotListed.Findings != files*121-10_000 {
		t.Errorf("%d findings, %d of the user's own rule, %+v", len(report.Findings), report.count("own"), report.NotListed)
	}
	in := map[string]int{}
	for _, f := range report.Findings {
		in[f.File]++
	}
	more := 0
	for _, f := range report.NotListed.Files {
		if in[f.File]+f.Findings != 121 {
			t.Errorf("%s: %d listed and %d more", filepath.Base(f.File), in[f.File], f.Findings)
		}
		more += f.Findings
	}
	if more != report.NotListed.Findings {
		t.Errorf("%d more in files, %d in all", more, report.NotListed.Findings)
	}
}
