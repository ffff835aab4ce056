package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/cputime"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/strategy"
)

// testedFolder is a workspace with these files, and an app that works in it.
func testedFolder(t *testing.T, contents map[string]string) (*app, *caseSearch) {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "work")
	contents[".git/HEAD"] = "ref: refs/heads/main\n"
	for name, text := range contents {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"HOME": filepath.Join(top, "home"), "USERPROFILE": filepath.Join(top, "home"), "AppData": filepath.Join(top, "home"), "LocalAppData": filepath.Join(top, "home")}
	a := &app{noBuiltin: true, call: Invocation{Dir: dir, Stderr: &bytes.Buffer{}, Stdout: &bytes.Buffer{}, Env: func(name string) string { return env[name] }}}
	return a, &caseSearch{app: a, tree: files.OS()}
}

// TestStrategiesAreCompiledOnce: however many test files are about one strategy, and however many strategies start from one text, it is
// compiled once a run.
func TestStrategiesAreCompiledOnce(t *testing.T) {
	contents := map[string]string{"big.strategy.md": "---\nname: B\nid: b\nwhen: {clipboard.text: {regex: a+}}\n---\nx\n"}
	for i := range 4 {
		contents[fmt.Sprintf("in/t%d.strategy.test.yaml", i)] = "strategy: user.b\ncases: [{name: a}]\n"
		contents[fmt.Sprintf("t%d.strategy.test.yaml", i)] = "strategy: user.b\ncases: [{name: a}]\n"
		contents[fmt.Sprintf("s%d.strategy.md", i)] = fmt.Sprintf("---\nname: S%d\nfrom: ./big.strategy.md\n---\n", i)
		contents[fmt.Sprintf("s%d.strategy.test.yaml", i)] = "cases: [{name: a}]\n"
	}
	a, search := testedFolder(t, contents)
	if err := search.find(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	options, err := a.engineOptions()
	if err != nil {
		t.Fatal(err)
	}
	run := caseRun{app: a, options: options.Together(), files: search.files}
	found, programs := map[*strategy.Strategy]int{}, map[any]int{}
	for _, test := range search.files {
		id := ""
		if strings.HasPrefix(filepath.Base(test.path), "t") {
			id = "user.b"
		}
		s, err := strategyFinder{app: a, options: run.options, test: test, found: &run.found}.find(t.Context(), id)
		if err != nil || !s.Valid {
			t.Fatal(test.path, err)
		}
		if id != "" {
			found[s]++
		} else {
			programs[s.Program]++
		}
	}
	if len(found) != 1 || len(programs) != 1 {
		t.Errorf("%d strategies for 8 test files, %d programs for 4 strategies from one text", len(found), len(programs))
	}
}

// TestStrangersHaveLittleTime: in a workspace that is not trusted the cases have a small budget, of which a slow file takes nothing from
// the others. Every look at the processor counts as a millisecond of work here.
func TestStrangersHaveLittleTime(t *testing.T) {
	contents := map[string]string{}
	strategy := "---\nname: S\nwhen: {clipboard.text: {contains: a}}\n---\nx\n"
	var slow strings.Builder
	slow.WriteString("cases:\n")
	for i := range 3_000 {
		fmt.Fprintf(&slow, "- {name: n%d, context: {clipboard: {text: a%d}}, result: true}\n", i, i)
	}
	contents["a.strategy.md"], contents["a.strategy.test.yaml"] = strategy, slow.String()
	for i := range 20 {
		contents[fmt.Sprintf("s%d.strategy.md", i)] = strategy
		contents[fmt.Sprintf("s%d.strategy.test.yaml", i)] = "cases: [{name: quick, context: {clipboard: {text: a}}, result: true}]\n"
	}
	for name, c := range map[string]struct {
		trust bool
		args  func(dir string) []string
		all   bool // are run
	}{
		"a stranger's":          {false, func(string) []string { return nil }, false},
		"the folder was named":  {false, func(dir string) []string { return []string{dir} }, false},
		"trusted":               {true, func(string) []string { return nil }, true},
		"the slow one is named": {false, func(dir string) []string { return []string{filepath.Join(dir, "a.strategy.test.yaml"), dir} }, true},
	} {
		a, search := testedFolder(t, contents)
		if c.trust {
			if _, _, err := (settings.Trust{Path: a.paths().Trust}).Add(t.Context(), a.dir()); err != nil {
				t.Fatal(err)
			}
		}
		if err := search.find(t.Context(), c.args(a.dir())); err != nil {
			t.Fatal(err)
		}
		options, err := a.engineOptions()
		if err != nil {
			t.Fatal(err)
		}
		var work atomic.Int64
		budget := &cases.Budget{Bytes: 1 << 30, Work: cputime.New(2*time.Second, func() time.Duration { return time.Duration(work.Add(1)) * time.Millisecond })}
		run := caseRun{app: a, options: options.Together(), files: search.files, stranger: budget}
		if err := run.all(t.Context()); err != nil {
			t.Fatal(err)
		}
		passed, quick, told := 0, 0, ""
		for _, p := range run.progress {
			for _, r := range p.Results {
				switch {
				case !r.Passed:
					told += r.Message
				case r.Name == "quick":
					quick++
				default:
					passed++
				}
			}
		}
		switch {
		case quick != 20:
			t.Errorf("%s: %d of 20 other files passed", name, quick)
		case c.all && (passed != 3_000 || told != ""):
			t.Errorf("%s: %d passed, %q", name, passed, told)
		case !c.all && (passed == 0 || passed > 2_000 || !strings.Contains(told, fmt.Sprintf("it and %d more of the file were not run: the cases before have used up the 2s of processor time", 2_999-passed))):
			t.Errorf("%s: %d passed, %q", name, passed, told)
		}
	}
}

// TestAliasesInTestFiles: what aliases stand for counts towards what a run may cost.
func TestAliasesInTestFiles(t *testing.T) {
	contents := map[string]string{}
	for i := range 20 {
		contents[fmt.Sprintf("s%02d.strategy.md", i)] = fmt.Sprintf("---\nname: s%02d\n---\nx\n", i)
		contents[fmt.Sprintf("s%02d.strategy.test.yaml", i)] = "context: {clipboard: {text: &x " + strings.Repeat("x", 1023) + ", files: [" + strings.Repeat("{path: *x},", 200) + "]}}\ncases: [{name: a, fails: a.b}]\n"
	}
	a, search := testedFolder(t, contents)
	if err := search.find(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	options, err := a.engineOptions()
	if err != nil {
		t.Fatal(err)
	}
	budget := &cases.Budget{Bytes: 1 << 30}
	if err := (&caseRun{app: a, options: options.Together(), files: search.files, stranger: budget}).all(t.Context()); err != nil {
		t.Fatal(err)
	}
	if spent := 1<<30 - budget.Bytes; spent < 20*4*200<<10 {
		t.Errorf("%d bytes were spent", spent)
	}
}

// TestCasesOfStrangersReadNoSecrets: a case that somebody else wrote makes no preprocessor read what looks like a secret there, also where
// the user names the file; the user's own does, in a workspace that is trusted and in the folder of their strategies.
func TestCasesOfStrangersReadNoSecrets(t *testing.T) {
	for name, c := range map[string]struct {
		trust, own, loose bool // loose: there is no workspace
		args              func(dir string) []string
		secret, fixture   bool // are read
	}{
		"a stranger's":               {fixture: true},
		"it is named":                {args: func(dir string) []string { return []string{filepath.Join(dir, "tests", "a.strategy.test.yaml")} }, fixture: true},
		"trusted":                    {trust: true, secret: true, fixture: true},
		"in the user's own folder":   {own: true, secret: true, fixture: true},
		"in no workspace":            {loose: true},
		"in no workspace, but named": {loose: true, args: func(dir string) []string { return []string{filepath.Join(dir, "tests", "a.strategy.test.yaml")} }, secret: true, fixture: true},
	} {
		a, _ := testedFolder(t, map[string]string{".env": "PASSWORD=HIDDEN\n", "fixture.txt": "FIXTURE\n"})
		folder := filepath.Join(a.dir(), "tests")
		if c.own {
			folder = a.paths().UserStrategies
		}
		if c.loose {
			if err := os.RemoveAll(filepath.Join(a.dir(), ".git")); err != nil {
				t.Fatal(err)
			}
		}
		if c.trust {
			if _, _, err := (settings.Trust{Path: a.paths().Trust}).Add(t.Context(), a.dir()); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		text := "cases:\n"
		for file, want := range map[string]string{".env": "HIDDEN", "fixture.txt": "FIXTURE"} {
			text += fmt.Sprintf("- {name: %s, context: {extra: {file_manager: {selection: {items: [{path: %q}]}}}}, prompt: {contains: %s}}\n", file, filepath.Join(a.dir(), file), want)
		}
		for end, text := range map[string]string{
			".strategy.md":        "---\nname: A\npreprocessors: [file-manager-selection]\n---\n{preprocess.file_manager.selection.text}\n",
			".strategy.test.yaml": text,
		} {
			if err := os.WriteFile(filepath.Join(folder, "a"+end), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var args []string
		if c.args != nil {
			args = c.args(a.dir())
		}
		report, err := a.runCases(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		passed, told := map[string]bool{}, ""
		for _, one := range report.Cases {
			passed[one.Name] = one.Passed
			if one.Message != nil {
				told += *one.Message
			}
		}
		if len(report.Cases) != 2 || passed[".env"] != c.secret || passed["fixture.txt"] != c.fixture || !c.secret && strings.Contains(told, "PASSWORD") {
			t.Errorf("%s: %v, %s", name, passed, told)
		}
	}
}
