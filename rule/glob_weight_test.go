package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestGlobsHaveALimitTogether: more globs than can be held are not compared, what
// comes before them is, and nothing is said of globs that may not be dead.
func TestGlobsHaveALimitTogether(t *testing.T) {
	var rules []*rule.Rule
	for i := range 400 {
		source := diag.NewSource(fmt.Sprintf("/w/r%03d.md", i), "")
		wide := fmt.Sprintf("%d{%s}/**/x{%s}", i, strings.Repeat("abcdefghijklmno,", 20), strings.Repeat("abcdefghijklmno,", 20))
		rules = append(rules, &rule.Rule{Name: fmt.Sprint(i), Path: source.Name(), Source: source, Level: rule.Project, Base: "/w", Format: &rule.Format{GlobKeys: []string{"globs"}}, Globs: []string{"src/*.ts", wide}, Bucket: rule.None})
	}
	set := rule.NewSet(rules, nil, rule.Options{Root: "/w"})
	verdicts := set.For([]rule.File{{Path: "/w/src/a.ts"}}, true)[0]
	applies, overfull := 0, 0
	for i, v := range verdicts {
		switch {
		case v.Applies:
			if applies++; overfull > 0 {
				t.Errorf("rule %d applies, but not all before it", i)
			}
		case v.Why == rule.IsInvalid && strings.Contains(v.Note, "more than can be compared"):
			overfull++
		default:
			t.Errorf("rule %d: %+v", i, v)
		}
	}
	if applies == 0 || overfull == 0 {
		t.Errorf("%d apply, %d do not", applies, overfull)
	}
	if list := set.Warnings(); len(list) != 1 || list[0].Code != diag.RuleTooLarge || !strings.Contains(list[0].Message, "it applies to no file, nor do those of") {
		t.Errorf("%+v", list)
	}
	if c := rule.NewCoverage(rules, false); !c.Exhausted() {
		t.Error("the coverage holds everything")
	}
	if c := rule.NewCoverage(rules[:3], false); c.Exhausted() || c.Empty() {
		t.Error("a few are too many")
	}
}

// TestOwnGlobsComeFirst: a repository full of globs leaves nothing out of the user's own rules, wherever they stand, and who
// relies on a trigger is told that it watches nothing.
func TestOwnGlobsComeFirst(t *testing.T) {
	wide := "{" + strings.Repeat("abcdefghijklmno,", 60) + "}/{" + strings.Repeat("abcdefghijklmno,", 14) + "}"
	read := func(name string, level rule.Level, fields string) *rule.Rule {
		source := diag.NewSource("/w/"+name+".md", "---\n"+fields+"\n---\nText.\n")
		r, list := rule.Read(source, rule.Origin{Provider: "native", Level: level, Name: name, Base: "/w"}, &rule.Format{Tool: "Pertain", GlobKeys: []string{"globs"}})
		if r == nil || len(list) > 0 {
			t.Fatalf("%v %v", r, list)
		}
		return r
	}
	var rules []*rule.Rule
	for i := range 100 {
		rules = append(rules, read(fmt.Sprint("scope", i), rule.Project, "ttsr_trigger: x\nscope: ['tool:edit("+wide+")']"))
	}
	rules = append(rules, read("globs", rule.Project, "ttsr_trigger: x\nglobs: ['src/**']"), read("own", rule.User, "ttsr_trigger: x\nglobs: ['src/**']"), read("all", rule.Project, "ttsr_trigger: x"))
	set := rule.NewSet(rules, nil, rule.Options{Root: "/w"})
	for name, want := range map[string]bool{"scope0": false, "scope99": true, "globs": true, "own": false, "all": false} {
		if r, err := set.Open(name); err != nil || r.Overfull() != want {
			t.Errorf("%s: overfull %v, want %v; %v", name, r.Overfull(), want, err)
		}
	}
	if list := set.Unwatched(); len(list) != 1 || !strings.Contains(list[0].Message, "its triggers watch nothing") {
		t.Errorf("%+v", list)
	}
}

// TestCoverageIsBounded: comparing dead globs with files ends after as many steps as there are, which long paths take more of, and what is
// not known then is told once.
func TestCoverageIsBounded(t *testing.T) {
	var rules []*rule.Rule
	for i := range 1000 {
		source := diag.NewSource(fmt.Sprintf("/w/r%d.md", i), fmt.Sprintf("---\nglobs: \"src/**/*%d*x*\"\n---\nText.\n", i))
		r, _ := rule.Read(source, rule.Origin{Provider: "native", Level: rule.Project, Name: fmt.Sprint("r", i), Base: "/w"}, &rule.Format{Tool: "Pertain", GlobKeys: []string{"globs"}})
		rules = append(rules, r)
	}
	seen := map[string]int{}
	for name, folder := range map[string]string{"short": "d", "long": strings.Repeat("d/", 400)} {
		c := rule.NewCoverage(rules, false)
		for seen[name] < 100_000 && !c.Exhausted() {
			if len(c.Unknown()) > 0 {
				t.Fatal(name, "something is told before the end")
			}
			c.See("/w/src/" + folder + "/f.js")
			seen[name]++
		}
		list := c.Unknown()
		if len(list) != 1 || !strings.Contains(list[0].Message, "and of 999 more match a file of the repository is not known") {
			t.Errorf("%s: %v", name, list)
		}
	}
	if seen["short"] > 20_000 || seen["long"] > seen["short"]/5 {
		t.Errorf("%v files were looked at", seen)
	}
}

// TestGlobWeightLimit: a set takes some fifty thousand ordinary globs, more than a repository has, and not many
// more.
func TestGlobWeightLimit(t *testing.T) {
	var rules []*rule.Rule
	for i := range 70 {
		var globs []string
		for j := range 1000 {
			globs = append(globs, fmt.Sprintf("src/%02d%03d/*", i, j))
		}
		source := diag.NewSource(fmt.Sprintf("/w/r%02d.md", i), "")
		rules = append(rules, &rule.Rule{Name: fmt.Sprint(i), Path: source.Name(), Source: source, Level: rule.Project, Base: "/w", Format: &rule.Format{GlobKeys: []string{"globs"}}, Globs: globs, Bucket: rule.None})
	}
	rule.NewSet(rules, nil, rule.Options{Root: "/w"})
	taken := 0
	for taken < len(rules) && !rules[taken].Overfull() {
		taken++
	}
	if taken < 35 || taken > 65 {
		t.Errorf("%d thousand globs are taken", taken)
	}
}

// TestGlobWeightOfLines: braces that a tool writes out as lines of .gitignore count as these, also where they stand for more than other tools read.
func TestGlobWeightOfLines(t *testing.T) {
	for braces, want := range map[string]int{"{ts,tsx}": 900, strings.Repeat("{a,b}", 12): 50} {
		var rules []*rule.Rule
		for i := range 900 {
			source := diag.NewSource(fmt.Sprintf("/w/r%03d.md", i), "")
			rules = append(rules, &rule.Rule{
				Name: fmt.Sprint(i), Path: source.Name(), Source: source, Level: rule.Project, Base: "/w", Format: &rule.Format{GlobKeys: []string{"paths"}, Gitignore: true},
				Globs: []string{"src/**/*." + braces}, Bucket: rule.None,
			})
		}
		rule.NewSet(rules, nil, rule.Options{Root: "/w"})
		taken := 0
		for taken < len(rules) && !rules[taken].Overfull() {
			taken++
		}
		if taken < want*2/3 || taken > want {
			t.Errorf("%s: %d rules are taken, want about %d", braces, taken, want)
		}
	}
}
