package rule

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestCoverageIsBounded: looking for dead globs ends when there are too many of them, or too much was compared, and not before.
func TestCoverageIsBounded(t *testing.T) {
	for _, c := range []struct {
		coverage Coverage
		want     bool
	}{
		{Coverage{weight: 1 << 20, steps: maxCoverageSteps}, false},
		{Coverage{weight: 1<<20 + 1}, true},
		{Coverage{steps: maxCoverageSteps + 1}, true},
	} {
		if got := c.coverage.Exhausted(); got != c.want {
			t.Errorf("weight %d, steps %d: %v", c.coverage.weight, c.coverage.steps, got)
		}
	}
	r := &Rule{Level: Project, Base: "/w", Format: &Format{}, Globs: []string{"a*.go"}}
	c := NewCoverage([]*Rule{r}, false)
	for n := 1; n <= 2; n++ {
		if c.See("/w/b.go"); c.steps <= 0 {
			t.Fatalf("%d files were compared in %d steps", n, c.steps)
		}
	}
}

// heavy is 1024 globs of a length.
func heavy(number, length int) []string {
	globs := make([]string, 1024)
	for i := range globs {
		globs[i] = fmt.Sprintf("%03d/%04d/", number, i)
		globs[i] += strings.Repeat("x", length-len(globs[i]))
	}
	return globs
}

// TestGlobsOfARuleAreBounded: one glob more than the weight allows is compared, and none after it.
func TestGlobsOfARuleAreBounded(t *testing.T) {
	globs := append(heavy(0, 62), "last/*.go", "left/out") // each weighs 64, all before the last but one 1<<16
	source := diag.NewSource("/w/r.md", "---\nglobs:\n- "+strings.Join(globs, "\n- ")+"\n---\nText.\n")
	r, list := Read(source, Origin{Provider: "native", Level: Project, Name: "r", Base: "/w"}, &Format{Tool: "Pertain", GlobKeys: []string{"globs"}})
	if len(r.Globs) != 1025 || r.Globs[1024] != "last/*.go" || len(list) != 1 {
		t.Errorf("%d globs, %v", len(r.Globs), list)
	}
}

// TestGlobsOfASetAreBounded: the rule whose globs go beyond the weight is the last whose globs are compared.
func TestGlobsOfASetAreBounded(t *testing.T) {
	var rules []*Rule
	for i := range 18 { // a glob without braces is taken to weigh twice its length, 16 rules 1<<20
		source := diag.NewSource(fmt.Sprintf("/w/r%02d.md", i), "")
		rules = append(rules, &Rule{Name: fmt.Sprint(i), Path: source.Name(), Source: source, Level: Project, Base: "/w", Format: &Format{}, Globs: heavy(i, 31), Bucket: None})
	}
	NewSet(rules, nil, Options{Root: "/w"})
	for i, r := range rules {
		if r.overfull != (i == 17) {
			t.Errorf("rule %d, of weight %d: overfull is %v", i, r.globWeight(), r.overfull)
		}
	}
}

// TestBracesAfterOnesLeftOpen: what stands between braces that are never closed is no part of those after them.
func TestBracesAfterOnesLeftOpen(t *testing.T) {
	if open, end, items := firstBraces("{a,{c,d}"); open != 3 || end != 8 || !slices.Equal(items, []string{"c", "d"}) {
		t.Errorf("%d %d %q", open, end, items)
	}
	if got := expandBraces("{a,x{c,d}"); !slices.Equal(got, []string{`\{a,xc`, `\{a,xd`}) {
		t.Errorf("%q", got)
	}
}

// TestFileOfFullSize: a file that is as large as may be is told of what is wrong in it, not of its size.
func TestFileOfFullSize(t *testing.T) {
	data := []byte(strings.Repeat("x", document.MaxBytes))
	data[0] = 0xFF
	for size, want := range map[int]diag.Code{document.MaxBytes: diag.RuleInvalidYAML, document.MaxBytes + 1: diag.RuleTooLarge} {
		_, list := Decode("/w/r.md", append(slices.Clone(data), 'x')[:size])
		if len(list) == 0 || list[0].Code != want {
			t.Errorf("%d bytes: %v", size, list)
		}
	}
}

// TestGlobsThatCannotBeRead say nothing of how the others are written.
func TestGlobsThatCannotBeRead(t *testing.T) {
	r := &Rule{Level: Project, Base: "/w", Format: &Format{Extglobs: true}, Globs: []string{"a[b"}}
	if globs, extended := r.ProjectGlobs("/w"); extended || !slices.Equal(globs, []string{"/"}) {
		t.Errorf("%q, extended: %v", globs, extended)
	}
}

// TestTableAtItsFolder: a folder is no file of its own, for the table as for the set.
func TestTableAtItsFolder(t *testing.T) {
	source := diag.NewSource("/w/r.md", "")
	for _, glob := range []string{"**", "**/*", "*", "{a,}", "{a.go,}"} {
		r := &Rule{Name: "r", Path: source.Name(), Source: source, Level: Project, Base: "/w", Format: &Format{}, Globs: []string{glob}, Bucket: None}
		s := NewSet([]*Rule{r}, nil, Options{Root: "/w"})
		for _, folder := range []string{"/w", "/w/"} {
			found := []bool{false}
			if s.Table(func(*Rule) bool { return true }).mark(found, folder); found[0] {
				t.Errorf("%s is said to match %s, which is the folder itself", glob, folder)
			}
			if verdicts := s.For([]File{{Path: folder}}, false); len(verdicts[0]) > 0 {
				t.Errorf("%s matches %s, which is the folder itself: %v", glob, folder, verdicts)
			}
		}
	}
}

// TestNamesOfPartsOfOthers: a rule that is a part of another keeps its name, wherever it lies.
func TestNamesOfPartsOfOthers(t *testing.T) {
	format := &Format{}
	rules := []*Rule{
		{Provider: "p", Level: Project, Format: format, Name: "x", short: "x"},
		{Provider: "p", Level: Project, Format: format, Name: "x", short: "x", folder: "a"},
		{Provider: "p", Level: Project, Format: format, Name: "x", short: "x", folder: "b", Shadowed: true},
	}
	(&Set{all: rules}).nameFolders()
	for i, want := range []string{"x", "a/x", "x"} {
		if rules[i].Name != want {
			t.Errorf("rule %d is called %s, want %s", i, rules[i].Name, want)
		}
	}
}

// TestLongHints: a hint is as short as others, however long the value is that it is about.
func TestLongHints(t *testing.T) {
	source := diag.NewSource("/w/r.md", "---\ndescription: @"+strings.Repeat("x", 200)+"\n---\nText.\n")
	_, list := Read(source, Origin{Provider: "native", Level: Project, Name: "r", Base: "/w"}, &Format{Tool: "Pertain", GlobKeys: []string{"globs"}})
	if len(list) != 1 || len(list[0].Hint) > 100 || !strings.HasSuffix(list[0].Hint, "…") {
		t.Errorf("%v", list)
	}
}

// TestPartOfAnotherStandsForNobody: a rule that is a part of another does not stand in the place of an outer one of its name.
func TestPartOfAnotherStandsForNobody(t *testing.T) {
	made := func(name, folder string) *Rule {
		source := diag.NewSource("/w/"+folder+"/x.md", "")
		return &Rule{
			Name: name, short: "x", folder: folder, nested: folder != "", Within: strings.TrimSuffix("/w/"+folder, "/"), Provider: "p", Path: source.Name(), Source: source,
			Level: Project, Base: "/w", Format: &Format{Overrides: true}, Globs: []string{"**"}, Bucket: None,
		}
	}
	for _, part := range []bool{false, true} {
		outer, inner := made("x", ""), made("a/x", "a")
		if part {
			inner.Shadowed, inner.ShadowedBy = true, outer
		}
		s := NewSet([]*Rule{outer, inner}, nil, Options{Root: "/w"})
		applies := slices.ContainsFunc(s.For([]File{{Path: "/w/a/f.go"}}, false)[0], func(v Verdict) bool { return v.Rule == outer })
		if applies != part {
			t.Errorf("the inner one is a part: %v; the outer one applies: %v", part, applies)
		}
	}
}
