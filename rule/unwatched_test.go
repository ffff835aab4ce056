package rule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
)

// TestUnwatches: which warnings about a file keep a trigger from watching, with and without a rule that was read from it.
func TestUnwatches(t *testing.T) {
	quiet := diag.NewSource("/w/a.md", "---\nttsr_trigger: x\n---\nBody")
	plain := diag.NewSource("/w/a.md", "---\nglobs: x\n---\nBody")
	long := diag.NewSource("/w/a.md", strings.Repeat("x", maxHead)+"\nttsr_trigger: x\n")
	short := diag.NewSource("/w/a.md", strings.Repeat("x", maxHead-20)+"\nttsr_trigger: x\n")
	rule := func(source *diag.Source, content string) *Rule {
		return &Rule{Source: source, Content: content, Bucket: None}
	}
	watching := &Rule{Source: quiet, Content: "Body", Triggers: []string{"x"}, Bucket: TTSR}
	full := &Rule{Source: plain, Content: "Body", overfull: true, Triggers: []string{"x"}, Bucket: TTSR}
	fullGlobs := &Rule{Source: quiet, Content: "Body", overfull: true}
	for _, test := range []struct {
		code          diag.Code
		message, hint string
		source        *diag.Source
		rule          *Rule
		want          bool
	}{
		{diag.RuleInvalidTrigger, "", "", plain, nil, true},
		{diag.RuleInvalidField, "`ttsr_trigger` must", "", plain, nil, true},
		{diag.RuleInvalidField, "`condition` must", "", plain, nil, true},
		{diag.RuleUnknownField, "no `x`", "did you mean `ttsr_trigger`?", plain, nil, true},
		{diag.RuleWrongKey, "no `x`", "did you mean `globs`?", quiet, nil, false},
		{diag.RuleInvalidYAML, "`ttsr_trigger` twice", "", plain, watching, true},
		{diag.RuleInvalidYAML, "`condition` twice", "", plain, watching, true},
		{diag.RuleInvalidYAML, "else", "", quiet, watching, false},
		{diag.RuleInvalidYAML, "else", "", quiet, rule(quiet, "Body"), true},
		{diag.RuleInvalidYAML, "else", "", plain, rule(plain, "Body"), false},
		{diag.RuleInvalidYAML, "else", "", short, rule(short, short.Text()), true},
		{diag.RuleInvalidYAML, "else", "", long, rule(long, long.Text()), false},
		{diag.RuleInvalidYAML, "else", "", quiet, nil, true},
		{diag.RuleInvalidYAML, "else", "", plain, nil, false},
		{diag.RuleInvalidYAML, "it cannot be read", "", plain, nil, true},
		{diag.RuleTooLarge, "it is left out", "", plain, nil, true},
		{diag.RuleTooLarge, "else", "", plain, nil, false},
		{diag.RuleTooLarge, "else", "", plain, full, true},
		{diag.RuleTooLarge, "else", "", quiet, watching, false}, // its body may be what is too large
		{diag.RuleTooLarge, "else", "", quiet, fullGlobs, false},
		{diag.RuleEmpty, "else", "", plain, full, false},
		{diag.RuleEmpty, "else", "", quiet, fullGlobs, true},
		{diag.RuleOutsideWorkspace, "else", "", plain, nil, true},
		{diag.RuleOutsideWorkspace, "else", "", quiet, rule(quiet, "Body"), false},
		{diag.RuleShadowed, "`ttsr_trigger` cannot be read", "", quiet, nil, false},
	} {
		d := diag.At(test.source, diag.NoSpan, test.code, "%s", test.message)
		d.Hint = test.hint
		if got := unwatches(d, test.rule, func(_ *diag.Source, text string) bool { return namesTrigger(text) }); got != test.want {
			t.Errorf("%s %q %q, rule %+v: %v", test.code, test.message, test.hint, test.rule, got)
		}
	}
}

// TestNamesTrigger: lines with a field that is meant to be a trigger, however it is written.
func TestNamesTrigger(t *testing.T) {
	for text, want := range map[string]bool{
		"condition: x": true, "a: b\n \t'Condition' \t: x": true, "a\r\n\"TTSR-trigger\":\r\n": true, "ttsrtrigger:": true, "tt\u017fr_trigger:": true, "'condition:": true,
		"": false, "\n\n": false, "condition": false, "condition x:": false, "a condition: x": false, "conditions: x": false, "ttsr trigger: x": false,
		"condition\n: x": false, "- condition: x": false, "''condition: x": false,
	} {
		if namesTrigger(text) != want {
			t.Errorf("%q: not %t", text, want)
		}
	}
}

// TestManyWarnings: whether a file names a trigger is found out once, and not for each warning about it; that took minutes.
func TestManyWarnings(t *testing.T) {
	text := strings.Repeat("a: "+strings.Repeat("b", 100)+"\n", 500_000)
	source := diag.NewSource("/w/a.md", text+"Body")
	r := &Rule{Name: "a", Path: "/w/a.md", Source: source, Content: "Body", Format: &Format{}}
	var list diag.List
	for range diag.MaxPerFile {
		list = append(list, diag.At(source, diag.NoSpan, diag.RuleInvalidYAML, "`a` stands there twice"))
	}
	for _, rules := range [][]*Rule{{r}, nil} {
		if got := NewSet(rules, list, Options{}).Unwatched(); len(got) != 0 {
			t.Errorf("%d: %v", len(rules), got[0])
		}
	}
}

// TestLeftOutFiles: what a limit kept from being read is told, unless it was read after all.
func TestLeftOutFiles(t *testing.T) {
	read := &Rule{Name: "a", Path: "/w/a.md", Source: diag.NewSource("/w/a.md", "Body"), Content: "Body", Format: &Format{}}
	var list diag.List
	for _, name := range []string{"/w/a.md", "/w/b.md"} {
		list.Add(diag.At(diag.NewSource(name, ""), diag.NoSpan, diag.RuleTooLarge, "too large"))
		list.Add(diag.At(diag.NewSource(name, ""), diag.NoSpan, diag.RuleEmpty, "empty"))
	}
	list.Add(diag.Diagnostic{Code: diag.RuleInvalidTrigger, Message: "of no file"})
	s := NewSet([]*Rule{read}, list, Options{})
	if left := s.LeftOut(); len(left) != 1 || left[0].File() != "/w/b.md" {
		t.Errorf("%v", left)
	}
	if got := s.Unwatched(); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestWeigh: the globs of a set are taken in order, the user's own first, and those that do not fit are told, those with triggers apart.
func TestWeigh(t *testing.T) {
	wide := "{" + strings.Repeat("abcdefghijklmno,", 60) + "}/{" + strings.Repeat("abcdefghijklmno,", 14) + "}"
	make := func(name string, level Level, globs, triggers, scope []string) *Rule {
		r := &Rule{
			Name: name, Path: "/w/" + name, Source: diag.NewSource("/w/"+name, name), Content: name, Level: level, Globs: globs, Triggers: triggers, Scope: scope,
			Format: &Format{Tool: "t"}, Provider: "of " + name,
		}
		r.Settle()
		return r
	}
	var rules []*Rule
	const many = 100
	for i := range many {
		rules = append(rules, make(fmt.Sprint("wide", i), Project, []string{wide}, nil, nil))
	}
	rules = append(rules,
		make("glob", Project, []string{"a"}, nil, nil), make("glob2", Project, []string{"b"}, nil, nil), make("trigger", Project, []string{"a"}, []string{"x"}, nil),
		make("scope", Project, nil, []string{"x"}, []string{"text", "tool:edit(a)"}), make("text", Project, nil, []string{"x"}, []string{"text"}),
		make("none", Project, nil, nil, []string{"tool:edit(a)"}), make("own", User, []string{"a"}, nil, nil), make("wide0", Project, []string{"hidden"}, nil, nil))
	s := NewSet(rules, nil, Options{Beside: false, Agent: "x"})
	var overfull, told []string
	for _, r := range s.All() {
		if r.Overfull() {
			overfull = append(overfull, r.Name)
		}
	}
	for _, d := range s.Warnings() {
		if d.Code == diag.RuleTooLarge {
			told = append(told, d.File()+" ("+d.Provider+"): "+d.Message)
		}
	}
	first := 0
	for first < many && !rules[first].Overfull() {
		first++
	}
	const message = "with the globs of the rules before it, there are more than can be compared: "
	want := []string{
		fmt.Sprintf("/w/wide%d (of wide%d): %sit applies to no file, nor do those of %d more like it", first, first, message, many-first+1),
		"/w/trigger (of trigger): " + message + "its triggers watch nothing, nor do those of 1 more like it",
	}
	names := []string{}
	for i := first; i < many; i++ {
		names = append(names, fmt.Sprint("wide", i))
	}
	if got := strings.Join(overfull, " "); first == 0 || first == many || got != strings.Join(append(names, "glob", "glob2", "trigger", "scope"), " ") {
		t.Errorf("from %d on: %s", first, got)
	}
	if strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("told:\n%s\nwant:\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}
