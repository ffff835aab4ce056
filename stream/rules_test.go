package stream_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// TestGlobsOfTools: the globs of a rule narrow tool calls in the dialect of its tool.
func TestGlobsOfTools(t *testing.T) {
	for _, c := range []struct {
		format  rule.Format
		base    string
		glob    string
		in, out string
	}{
		{rule.Format{Extglobs: true}, "/w", "@(src|doc)/*.py", "src/a.py", "lib/a.py"},
		{rule.Format{Extglobs: true}, "/w", "!(gen)/*.py", "src/a.py", "gen/a.py"},
		{rule.Format{Extglobs: true, Negation: true}, "/w", "!gen/*.py", "src/a.py", "gen/a.py"},
		{rule.Format{Extglobs: true}, "/w", "v{1..3}.py", "v2.py", "v4.py"},
		{rule.Format{Extglobs: true, BaseName: true}, "/w", "+(a|b).py", "x/ab.py", "x/c.py"},
		{rule.Format{Extglobs: true}, "/w/@(x)", "*.py", "@(x)/a.py", "x/a.py"},
		{rule.Format{}, "/w", "@(src|doc)/*.py", "@(src|doc)/a.py", "src/a.py"},
		{rule.Format{}, "/w/(x)", "*.py", "(x)/a.py", "x/a.py"},
	} {
		r := &rule.Rule{Name: "r", Path: "/w/r.md", Base: c.base, Bucket: rule.TTSR, Triggers: []string{"x"}, Globs: []string{c.glob}, Format: &c.format}
		set, problems := stream.Compile(stream.FromRules([]*rule.Rule{r}, "/w"), stream.Options{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.glob, problems)
		}
		for path, want := range map[string]bool{c.in: true, c.out: false} {
			if got := set.Applies(0, stream.Source{Kind: stream.Tool, Tool: "edit", Paths: []string{path}}); got != want {
				t.Errorf("%s in %s, file %s: %v, want %v", c.glob, c.base, path, got, want)
			}
		}
	}
}

// TestInjectionOnce: a text that two rules have is told once.
func TestInjectionOnce(t *testing.T) {
	got := stream.Injection(&stream.Trigger{Name: "a", Body: "Same text."}, &stream.Trigger{Name: "b", Body: "Same text.\n"})
	if strings.Count(got, "Same text.") != 1 || !strings.Contains(got, `rule="b"`) || !strings.Contains(got, "the same as the rule a above") {
		t.Error(got)
	}
}

// TestInjectionWithin: rules are in a block whole or not at all, a smaller one also after one that did not fit, and a text that is in
// it already takes next to none.
func TestInjectionWithin(t *testing.T) {
	long := strings.Repeat("x", 500)
	list := []*stream.Trigger{{Name: "a", Body: long}, {Name: "b", Body: "y" + long}, {Name: "c", Body: "Small."}, {Name: "d", Body: long}, {Name: "e", Body: long[1:]}}
	all := stream.Injection(list...)
	within := stream.Injection(list[0], list[2], list[3])
	for _, c := range []struct {
		most int
		want string
		fits []bool
	}{
		{len(all), all, []bool{true, true, true, true, true}},
		{len(within), within, []bool{true, false, true, true, false}},
		{len(within) - 1, stream.Injection(list[0], list[2]), []bool{true, false, true, false, false}},
		{len(stream.Injection(list[2])), stream.Injection(list[2]), []bool{false, false, true, false, false}},
		{0, "", make([]bool, 5)},
		{-1, "", make([]bool, 5)},
	} {
		if got, fits := stream.InjectionWithin(c.most, list...); got != c.want || !slices.Equal(fits, c.fits) {
			t.Errorf("%d bytes: %v, %s", c.most, fits, got)
		}
	}
}

// TestInjectionOfInvisible: what is long by what nobody can see, or by empty lines, fits where its element does.
func TestInjectionOfInvisible(t *testing.T) {
	plain := &stream.Trigger{Name: "a", Body: "Text."}
	want := stream.Injection(plain)
	for _, more := range []string{"\u200b", "\n"} {
		long := &stream.Trigger{Name: "a", Body: strings.Repeat(more, 1000) + "Text."}
		if got, fits := stream.InjectionWithin(len(want), long); got != want || !fits[0] {
			t.Errorf("%q before it: %v, %q, want %q", more, fits, got, want)
		}
	}
}

// TestInjectionOfHostileNames: a file's name is any bytes.
func TestInjectionOfHostileNames(t *testing.T) {
	got := stream.Injection(&stream.Trigger{Name: "a\x1b[31m\xff\u202e\nb", Path: "\x00\x9b.md", Body: "B."})
	if want := "rule=\"a[31m\uFFFD&#10;b\" path=\"\uFFFD.md\">"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFromRulesPaths: rules that are not in force are left out, and paths are those within the project.
func TestFromRulesPaths(t *testing.T) {
	watching := func(name, path string) *rule.Rule {
		return &rule.Rule{Name: name, Path: path, Base: "/w", Bucket: rule.TTSR, Triggers: []string{"a"}, Content: "b", Format: &rule.Format{}}
	}
	shadowed := watching("shadowed", "/w/s.md")
	shadowed.Shadowed = true
	silent := watching("silent", "/w/t.md")
	silent.Disabled = true
	own := watching("own", "/home/u.md")
	own.Level = rule.User
	got := stream.FromRules([]*rule.Rule{watching("in", "/w/a/b.md"), shadowed, silent, own, watching("root", "/w"), watching("near", "/wide/c.md")}, "/w")
	var told []string
	for _, g := range got {
		told = append(told, fmt.Sprint(g.Name, " ", g.Path, " ", g.Own))
	}
	if want := []string{"in a/b.md false", "own /home/u.md true", "root . false", "near /wide/c.md false"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
	if got := stream.FromRules([]*rule.Rule{watching("in", "/a/b.md")}, "/"); len(got) != 1 || got[0].Path != "a/b.md" {
		t.Errorf("%+v", got)
	}
}

// TestFromRulesDocumented: a rule watches the streams and files that it names, unless it was read as the rulebook documents it.
func TestFromRulesDocumented(t *testing.T) {
	format := &rule.Format{Tool: "native", GlobKeys: []string{"globs"}}
	text := "---\nttsr_trigger: foo\nscope: thinking\ninterruptMode: never\nglobs: a.py\n---\nBody\n"
	for documented, want := range map[bool]string{false: "[thinking] never [a.py]", true: "[]  []"} {
		r, _ := rule.Read(diag.NewSource("/w/a.md", text), rule.Origin{Name: "a", Base: "/w", Documented: documented}, format)
		triggers := stream.FromRules([]*rule.Rule{r}, "/w")
		if len(triggers) != 1 {
			t.Fatalf("documented %v: %d triggers of %+v", documented, len(triggers), r)
		}
		if got := fmt.Sprintf("%v %s %v", triggers[0].Scope, triggers[0].InterruptMode, triggers[0].Globs); got != want {
			t.Errorf("documented %v: %q, want %q", documented, got, want)
		}
	}
}
