package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const sample = `package p

import "strings"

const limit = 10

var list = [4]int{1}

func f(a, b int) bool {
	if a < b && !strings.Contains("x", "y") {
		a++
		return true
	}
	switch a {
	case 1:
		b = 2
	default:
		b -= a
	}
	return a+b > limit
}
`

// TestMutants: each operator finds its faults, in the order of the file, and
// each is the file with one change.
func TestMutants(t *testing.T) {
	found, err := mutants("p/p.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range found {
		m := &found[i]
		got = append(got, m.function+" "+m.change)
		changed := string(m.apply([]byte(sample)))
		if changed == sample || len(changed) != len(sample)-(m.end-m.start)+len(m.text) {
			t.Errorf("%s: the file is\n%s", m, changed)
		}
		if m.source != strings.TrimSpace(strings.Split(sample, "\n")[m.line-1]) {
			t.Errorf("%s is not on line %d", m, m.line)
		}
	}
	for _, want := range []string{
		" 10 → 11", " 10 → 9", " 1 → 2", "f condition negated", "f condition always true", "f condition never true", "f < → <=", "f < → >=", "f && → ||",
		"f without the right side of &&", "f without the left side of &&", "f without !", "f statement removed", "f ++ → --", "f true → false",
		"f branches swapped", "f 2 → 1", "f -= → +=", "f + → -", "f > → >=", "f > → <=",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if slices.Contains(got, " 4 → 5") {
		t.Error("the size of an array is changed")
	}
	at := slices.Index(got, "f branches swapped")
	if swapped := string(found[at].apply([]byte(sample))); !strings.Contains(swapped, "case 1:\n\t\tb -= a\n\n\tdefault:\n\t\tb = 2\n\t}") {
		t.Errorf("swapped branches:\n%s", swapped)
	}
}

// TestKeysAreDistinct: a list of equivalent faults can name each alone.
func TestKeysAreDistinct(t *testing.T) {
	const again = "\tif a > 1 {\n\t\tc++\n\t}\n"
	found, err := mutants("p.go", []byte("package p\n\nfunc f(a, b, c int) bool {\n"+again+again+"\treturn a+b+c+b > 1 || a > 1\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range found {
		if key := found[i].key(); seen[key] {
			t.Errorf("%s stands for two", key)
		} else {
			seen[key] = true
		}
	}
}

func TestReadFaults(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(root, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.go", "package p\n\nvar a = 1\nvar b = 1\n")
	list := write("list.txt", "# a list\n\na.go :: var a = 1\\nvar :: var a = 2\\nvar :: a is wrong\na.go :: var b = 1 :: - :: b is gone\n")
	faults, err := readFaults(list, root)
	if err != nil || len(faults) != 2 {
		t.Fatal(faults, err)
	}
	data, _ := os.ReadFile(filepath.Join(root, "a.go"))
	if got := string(faults[0].apply(data)); got != "package p\n\nvar a = 2\nvar b = 1\n" || faults[0].line != 3 {
		t.Errorf("line %d: %q", faults[0].line, got)
	}
	if got := string(faults[1].apply(data)); got != "package p\n\nvar a = 1\n\n" {
		t.Errorf("%q", got)
	}
	for text, says := range map[string]string{
		"a.go :: = 1 :: = 2 :: twice\n": "stands 2 times",
		"a.go :: = 7 :: = 2 :: none\n":  "stands 0 times",
		"a.go :: = 1\n":                 "has 2 fields, not 4",
		"b.go :: = 1 :: = 2 :: file\n":  "b.go",
	} {
		if _, err := readFaults(write("bad.txt", text), root); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// TestReadSuites: tests of other packages count for the packages that the list
// names, after their own and before what the call adds.
func TestReadSuites(t *testing.T) {
	file := filepath.Join(t.TempDir(), "suites.txt")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# a list\n\n./a .:TestA|TestB\na  b/c\nb ./c:^TestC$\n")
	others, err := readSuites(file)
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{settings: settings{run: "TestOwn", also: []suite{{"z", ""}}}, others: others}
	for dir, want := range map[string][]suite{
		"a": {{"a", "TestOwn"}, {".", "TestA|TestB"}, {"b/c", ""}, {"z", ""}},
		"b": {{"b", "TestOwn"}, {"c", "^TestC$"}, {"z", ""}},
		"c": {{"c", "TestOwn"}, {"z", ""}},
	} {
		if got := r.counting(dir); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", dir, got, want)
		}
	}
	for text, says := range map[string]string{
		"a\n":         "suites.txt:1: has 1 words",
		"\na b c\n":   "suites.txt:2: has 3 words",
		"a :TestA\n":  "names no package",
		"a b:Test(\n": "missing closing )",
	} {
		write(text)
		if _, err := readSuites(file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
	if others, err := readSuites(filepath.Join(t.TempDir(), "none")); others != nil || err != nil {
		t.Error(others, err)
	}
}

// TestSuitesAreUpToDate: the packages of the list are there, and so is a test
// for each regexp.
func TestSuitesAreUpToDate(t *testing.T) {
	others, err := readSuites("suites.txt")
	if err != nil {
		t.Fatal(err)
	}
	for dir, list := range others {
		if _, err := os.Stat(filepath.Join("../..", dir)); err != nil {
			t.Error(err)
		}
		for _, s := range list {
			files, _ := filepath.Glob(filepath.Join("../..", s.dir, "*_test.go"))
			first, _, _ := strings.Cut(s.run, "/")
			test := regexp.MustCompile(first)
			if !slices.ContainsFunc(files, func(file string) bool {
				data, _ := os.ReadFile(file)
				return slices.ContainsFunc(regexp.MustCompile(`(?m)^func (Test\w*)\(`).FindAllSubmatch(data, -1), func(m [][]byte) bool { return test.Match(m[1]) })
			}) {
				t.Errorf("%s: no test of %s is called %s", dir, s.dir, s.run)
			}
		}
	}
}

// TestListsAreUpToDate: the lists in the tree name what is there.
func TestListsAreUpToDate(t *testing.T) {
	if faults, err := readFaults("index.txt", "../.."); err != nil || len(faults) < 30 {
		t.Errorf("%d faults, %v", len(faults), err)
	}
	known, err := readEquivalents("equivalent.txt")
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string]map[string]bool{}
	for key := range known {
		path, _, _ := strings.Cut(key, separator)
		if byFile[path] == nil {
			data, err := os.ReadFile(filepath.Join("../..", path))
			if err != nil {
				t.Fatal(err)
			}
			found, err := mutants(path, data)
			if err != nil {
				t.Fatal(err)
			}
			byFile[path] = map[string]bool{}
			for i := range found {
				byFile[path][found[i].key()] = true
			}
		}
		if !byFile[path][key] {
			t.Errorf("there is no such fault any more: %s", key)
		}
	}
}

// module is a small module with a package whose tests see some faults.
func module(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/p\n\ngo 1.26\n",
		"p/p.go":      "package p\n\nfunc Least(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n\nfunc Unseen(a int) int { return a + 1 }\n\nfunc Steps(n int) (i int) {\n\tfor i = 0; i < n; i++ {\n\t}\n\treturn i\n}\n",
		"p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestLeast(t *testing.T) {\n\tif Least(1, 2) != 1 || Least(2, 1) != 1 || Steps(3) != 3 {\n\t\tt.Error()\n\t}\n}\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestTry: faults that tests see are killed, others survive, what does not
// compile is told apart, and an endless loop ends.
func TestTry(t *testing.T) {
	root := module(t)
	r := &runner{settings: settings{root: root, limit: 2_000_000_000, patience: 10}, work: t.TempDir()}
	if err := r.healthy(t.Context(), "p"); err != nil {
		t.Fatal(err)
	}
	all, err := r.find("p")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]outcome{"Least condition negated": killed, "Least < → <=": survived, "Unseen + → -": survived, "Steps ++ → --": late}
	for i := range all {
		m := &all[i]
		if expected, asked := want[m.function+" "+m.change]; asked {
			delete(want, m.function+" "+m.change)
			if got, err := r.try(t.Context(), "p", m); err != nil || got != expected {
				t.Errorf("%s: %s, want %s, %v", m, got, expected, err)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
	broken := mutant{path: "p/p.go", start: 0, end: 7, text: "nonsense"}
	if got, err := r.try(t.Context(), "p", &broken); err != nil || got != invalid {
		t.Errorf("%s, %v", got, err)
	}
}

// TestHealthy: tests that need longer than they may are told from tests that fail.
func TestHealthy(t *testing.T) {
	for text, want := range map[string]string{
		"func TestP(t *testing.T) { for Steps(1) == 1 {\n} }": "take longer than -limit 1s",
		"func TestP(t *testing.T) { t.Error(\"wrong\") }":     "fail without a fault",
	} {
		root := module(t)
		if err := os.WriteFile(filepath.Join(root, "p", "p_test.go"), []byte("package p\n\nimport \"testing\"\n\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := &runner{settings: settings{root: root, limit: time.Second, patience: 10}, work: t.TempDir()}
		if err := r.healthy(t.Context(), "p"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTogether: of all faults in one binary becomes what becomes of each alone, and those that survive can be tried once more.
func TestTogether(t *testing.T) {
	r := &runner{settings: settings{root: module(t), limit: 2_000_000_000, patience: 10}, work: t.TempDir()}
	all, err := r.find("p")
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	var survivors, tried int
	if err := r.together(t.Context(), "p", all, func(m *mutant, result outcome) {
		if tried++; m.function == "Unseen" || m.change == "condition negated" { // a build for each takes its time
			alone, err := r.try(t.Context(), "p", m)
			if err != nil || alone != result {
				t.Errorf("%s: %s, and %s alone, %v", m, result, alone, err)
			}
		}
		if result == survived {
			survivors++
			said += "              " + m.key() + "\n"
		}
	}); err != nil || tried != len(all) || survivors == 0 || survivors == len(all) {
		t.Errorf("%d of %d, %d survive, %v", tried, len(all), survivors, err)
	}
	r.again = filepath.Join(t.TempDir(), "earlier")
	if err := os.WriteFile(r.again, []byte("survived      p/p.go:1\n"+said), 0o600); err != nil {
		t.Fatal(err)
	}
	if once, err := r.find("p"); err != nil || len(once) != survivors {
		t.Errorf("%d once more, of %d, %v", len(once), survivors, err)
	}
}

// TestCounting: tests of the package itself that are listed come before all of its own, and those of others after them.
func TestCounting(t *testing.T) {
	r := &runner{settings: settings{run: "A", also: []suite{{"r", ""}, {"p", "C"}}}, others: map[string][]suite{"p": {{"q", "B"}, {"p", "D"}}}}
	if got, want := r.counting("p"), []suite{{"p", "D"}, {"p", "C"}, {"p", "A"}, {"q", "B"}, {"r", ""}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := r.counting("q"), []suite{{"q", "A"}, {"r", ""}, {"p", "C"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestHold: functions of every shape call the copy of themselves that is chosen.
func TestHold(t *testing.T) {
	const text = `package p

type T[K comparable] struct{ n int }

func (T[K]) sum(a, _ int, more ...int) (n int, ok bool) {
	n = a + len(more)
	return n, true
}

func pick[K comparable, V any](m map[K]V, key K) V { return m[key] }

func (t *T[K]) add(int) { t.n++ }
`
	found, err := mutants("p/p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	numbered := map[int]*mutant{}
	for i := range found {
		numbered[i+1] = &found[i]
	}
	out, err := hold("p/p.go", []byte(text), numbered)
	if err != nil || out.pkg != "p" {
		t.Fatal(out.pkg, err)
	}
	for _, want := range []string{
		"func (receiver T[K]) sum(arg0 int, arg1 int, arg2 ...int) (int, bool) {\n\tswitch chosenMutant {\n",
		"\t\treturn receiver.mutant0_sum(arg0, arg1, arg2...)\n", "func (T[K]) mutant0_sum(a, _ int, more ...int) (n int, ok bool) {\n",
		"func (receiver *T[K]) add(arg0 int) () {\n", "\t\treceiver.mutant0_add(arg0)\n",
		"func pick[K comparable, V any](m map[K]V, key K) V { return m[key] }", // there is nothing to change in it
	} {
		if !strings.Contains(string(out.text), want) {
			t.Errorf("%q is missing in\n%s", want, out.text)
		}
	}
	if !drop("p/mutant2.go:3:4: declared and not used", make([]bool, 2)) || drop("p/mutant3.go:1:1: x", make([]bool, 2)) || drop("p.go:1:1: x", make([]bool, 2)) {
		t.Error("what does not compile is not told apart")
	}
}

func TestTally(t *testing.T) {
	counts := tally{killed: 18, late: 1, survived: 1, equivalent: 2, invalid: 3}
	if counts.score() != 95 || counts.String() != "95.0 %: 19 of 20 seen (1 by time), 2 equivalent, 3 do not compile" {
		t.Error(counts)
	}
	if (tally{}).score() != 100 {
		t.Error("nothing planted is nothing missed")
	}
}

// TestReach: a fault's line is tried by the tests that come to it, the quick ones first.
func TestReach(t *testing.T) {
	c := &reach{map[string][]block{}, map[string]bool{}, map[named]time.Duration{}}
	slow, quick, other := named{"p", "TestSlow"}, named{"p", "TestQuick"}, named{"q", "TestOther"}
	c.took[slow], c.took[quick], c.took[other] = time.Second, time.Millisecond, 2*time.Millisecond
	for test, counts := range map[named]string{slow: "1 1 0", quick: "0 7 0", other: "1 1 0"} {
		n := strings.Fields(counts)
		profile := "mode: set\nm/p/f.go:3.1,5.2 2 " + n[0] + "\nm/p/f.go:5.2,9.3 1 " + n[1] + "\nm/p/f.go:20.1,21.3 1 " + n[2] + "\nm/q/f.go:30.1,31.3 1 1\n"
		if err := c.note(profile, "p", test); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		line   int
		source string
		want   []suite
		all    bool
	}{
		{4, "a++", []suite{{"q", "^TestOther$"}, {"p", "^TestSlow$"}}, true},
		{7, "a++", []suite{{"p", "^TestQuick$"}, {"q", "^TestOther$"}, {"p", "^TestSlow$"}}, true},
		{7, "case a:", []suite{{"p", "^TestQuick$"}, {"q", "^TestOther$"}, {"p", "^TestSlow$"}}, false},
		{20, "a++", nil, true},  // nobody comes there
		{30, "a++", nil, false}, // of another package
	} {
		got, all := c.suites(&mutant{path: "p/f.go", line: test.line, source: test.source})
		if !slices.Equal(got, test.want) || all != test.all {
			t.Errorf("line %d: %v, %v, want %v, %v", test.line, got, all, test.want, test.all)
		}
	}
	if err := c.note("m/p/f.go:3.1 2 1\n", "p", quick); err == nil {
		t.Error("a line of another kind is passed over")
	}
}
