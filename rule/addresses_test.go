package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestAddresses: which rule an address opens, in whichever form it is written, and what is said of one that opens none.
func TestAddresses(t *testing.T) {
	one := func(path, name, text string, words ...string) *rule.Rule {
		words = append([]string{"native"}, words...)
		r, _ := rule.Read(diag.NewSource(path, text), originOf(words, name), native)
		return r
	}
	rules := func(words ...string) []*rule.Rule {
		return []*rule.Rule{
			one("/w/1", "a b", "---\ndescription: d\n---\nOne.", words...), one("/w/2", "a%20b", "---\ndescription: d\n---\nTwo.", words...), one("/w/3", "50%", "---\nglobs: x\n---\nThree.", words...),
			one("/w/4", "deep", "---\ndescription: d\n---\nFour.", append(words, "folder=in/side")...), one("/w/5", "off", "---\nenabled: false\n---\nFive.", words...), one("/w/6", "plain", "---\ndescription: d\n---\nSix.", words...),
		}
	}
	free := rule.NewSet(rules(), nil, rule.Options{Root: "/w"})
	strict := rule.NewSet(rules("documented"), nil, rule.Options{Root: "/w", Documented: true})
	for _, test := range []struct{ address, free, strict string }{
		{"a b", "/w/1", "/w/1"},
		{"rule://a b", "/w/1", "/w/1"},
		{"rule://a%20b", "/w/1", "/w/1"}, // decoded first
		{"a%2520b", "/w/2", "/w/2"},
		{"50%", "/w/3", "there is no rule `50%`; available: a b, a%20b, deep, plain"},
		{"rule://50%25", "/w/3", "there is no rule `50%`; available: a b, a%20b, deep, plain"},
		{"deep", "/w/4", "/w/4"},
		{"in/side/deep", "/w/4", "/w/4"},
		{"rule://in%2Fside/deep", "/w/4", "/w/4"},
		{"side/deep", "there is no rule `side/deep`; available: a b, a%20b, 50%, deep, plain", "there is no rule `side/deep`; available: a b, a%20b, deep, plain"},
		{"off", "the rule `off` is switched off by `enabled: false`", "there is no rule `off`; available: a b, a%20b, deep, plain"},
		{"plan", "there is no rule `plan` (did you mean `plain`?); available: a b, a%20b, 50%, deep, plain", "there is no rule `plan` (did you mean `plain`?); available: a b, a%20b, deep, plain"},
		{"", "there is no rule ``; available: a b, a%20b, 50%, deep, plain", "there is no rule ``; available: a b, a%20b, deep, plain"},
	} {
		for want, s := range map[string]*rule.Set{test.free: free, test.strict: strict} {
			if test.free == test.strict {
				s = free
			}
			if got := opened(s, test.address); got != want {
				t.Errorf("%s: %s, want %s", test.address, got, want)
			}
		}
	}
}

// opened is the path of the rule that an address opens, or why there is none.
func opened(s *rule.Set, address string) string {
	r, err := s.Open(address)
	if err != nil {
		return err.Error()
	}
	return r.Path
}

// TestToldOfSeveralTools: what is wrong in a rule that is kept for several tools is told of the first; of two rules of one tool of both.
func TestToldOfSeveralTools(t *testing.T) {
	one := func(path, provider, name, fields string) *rule.Rule {
		r, _ := rule.Read(diag.NewSource(path, "---\n"+fields+"\n---\nBody"), rule.Origin{Provider: provider, Level: rule.Project, Name: name, Base: "/w"}, native)
		return r
	}
	list := rule.CheckAll([]*rule.Rule{
		one("/1", "one", "a", "zzz: 1\nglobs: x"), one("/2", "two", "a", "zzz: 1\nglobs: x"), one("/3", "one", "a", "zzz: 1\nglobs: x"), one("/4", "two", "b", "zzz: 1\nglobs: x"),
		one("/5", "three", "a", "zzz: 1\nglobs: y"), one("/6", "three", "a", "qqq: 1\nglobs: x"),
	})
	got := ""
	for _, d := range list {
		got += d.File() + " "
	}
	if got != "/1 /3 /4 /5 /6 " {
		t.Error(got)
	}
}

// TestSwitchedOffWatchesNothing: a rule that is switched off has no trigger that could fire, whoever has switched it off.
func TestSwitchedOffWatchesNothing(t *testing.T) {
	r := read(t, native, "a", "ttsr_trigger: foo", "Body")
	r.When = rule.AtStart
	if !r.Watches() {
		t.Error("it does not watch")
	}
	r.Disabled = true
	if r.Watches() {
		t.Error("it watches though it is switched off")
	}
	r.Disabled, r.Activation = false, rule.Never
	if r.Watches() {
		t.Error("it watches though it is never loaded")
	}
}

// TestManyNames: of very many names the error lists those that are most like the one that was asked for, and counts the others.
func TestManyNames(t *testing.T) {
	var names []string
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("rule%05d", i))
	}
	names = append(names, "zebra", "zz-top", "Zz")
	text := (&rule.UnknownError{Name: "zza", Available: names}).Error()
	if !strings.HasPrefix(text, "there is no rule `zza` (did you mean `Zz`?); available: Zz, zz-top, zebra, rule00000, rule00001, ") || !strings.HasSuffix(text, ", rule00196, and 19803 more") {
		t.Errorf("%.100s … %s", text, text[max(0, len(text)-100):])
	}
	if text := (&rule.UnknownError{Name: "zz", Available: names[:200]}).Error(); !strings.HasSuffix(text, "rule00198, rule00199") {
		t.Errorf("%s", text)
	}
}

// TestNamesAtHome: names that begin with ~ are those of the user's own files. A project's that would take one does not, but where
// the rulebook is followed, which knows of no such files.
func TestNamesAtHome(t *testing.T) {
	for _, test := range []struct{ words, name, want string }{
		{"user", "~/AGENTS.md", "~/AGENTS.md"},
		{"", "~/AGENTS.md", "./~/AGENTS.md"},
		{"", "a/~/AGENTS.md", "a/~/AGENTS.md"},
		{"nested=~", "AGENTS.md", "./~/AGENTS.md"},
		{"documented", "~/AGENTS.md", "~/AGENTS.md"},
	} {
		r, _ := rule.Read(diag.NewSource("/w/a", "Text."), originOf(append([]string{"native"}, strings.Fields(test.words)...), test.name), native)
		if r.Name != test.want {
			t.Errorf("%s (%s) is called %s, want %s", test.name, test.words, r.Name, test.want)
		}
	}
}
