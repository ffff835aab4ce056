package rule_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/rule"
)

// TestNoSet: a nil set has no rules, and answers all the same.
func TestNoSet(t *testing.T) {
	var s *rule.Set
	files := []rule.File{{Path: "/w/a.ts"}}
	for _, all := range []bool{false, true} {
		if got := s.For(files, all); len(got) != 1 || len(got[0]) != 0 || got[0] == nil {
			t.Errorf("for a file: %#v", got)
		}
	}
	if got := s.For(nil, true); len(got) != 0 {
		t.Errorf("for no files: %v", got)
	}
	if table := s.Table(func(*rule.Rule) bool { return true }); table.Len() != 0 || table.For(files[0]) != nil {
		t.Errorf("%+v", table)
	}
	if s.Prompt(rule.PromptOptions{Files: files}) != "" || s.Names() != nil || s.All() != nil || s.Rules() != nil || s.Bucket(rule.Always) != nil ||
		s.Warnings() != nil || s.Unwatched() != nil || s.LeftOut() != nil {
		t.Error("a set of nothing says something")
	}
	if cost := s.Cost(rule.PromptOptions{Files: files}); cost.Texts != nil || cost.Block != "" {
		t.Errorf("nothing costs %+v", cost)
	}
	if _, err := s.Open("x"); err == nil || err.Error() != "there is no rule `x`; no rules are available" {
		t.Error(err)
	}
	r := read(t, native, "a", "globs: x", "Body")
	if s.Binding(r) || s.Alone(r).Rules()[0] != r {
		t.Error("nobody stands behind it")
	}
}

// TestVerdictJSON: a verdict is written with what is told of its rule, also if there is none.
func TestVerdictJSON(t *testing.T) {
	r := read(t, native, "a", "globs: '*.ts'", "Body")
	r.When = rule.OnTouch
	for want, v := range map[string]rule.Verdict{
		`{"name":"","provider":"","applies":false,"why":"never","path":""}`:                                                         {Why: rule.IsNever},
		`{"name":"a","provider":"test","applies":true,"why":"glob","glob":"*.ts","note":"n","path":"/w/rules/a.md","when":"touch"}`: {Rule: r, Applies: true, Why: rule.ByGlob, Glob: "*.ts", Note: "n"},
	} {
		if data, err := json.Marshal(v); err != nil || string(data) != want {
			t.Errorf("%s, want %s, %v", data, want, err)
		}
	}
}

// TestFilesOfOneFolder: what one file of a folder gets does not change what the next one gets.
func TestFilesOfOneFolder(t *testing.T) {
	s := set(read(t, native, "glob", "globs: '*.ts'", "One"), inFolder(t, "low", "/w/d"), inFolder(t, "up", "/w"), read(t, native, "always", "alwaysApply: true", "Two"), inFolder(t, "top", "/"))
	for _, names := range [][]string{{"a.ts", "b.md", "c.ts"}, {"b.md", "a.ts", "b.md"}} {
		var files []rule.File
		for _, name := range names {
			files = append(files, rule.File{Path: "/w/d/" + name})
		}
		for i, verdicts := range s.For(files, false) {
			var got []string
			for _, v := range verdicts {
				got = append(got, v.Rule.Name)
			}
			want := []string{"glob", "low", "up", "always", "top"}
			if strings.HasSuffix(names[i], ".md") {
				want = want[1:]
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s of %v gets %v, want %v", names[i], names, got, want)
			}
		}
	}
}

func inFolder(t *testing.T, name, within string) *rule.Rule {
	t.Helper()
	r, _ := rule.Read(diag.NewSource("/w/rules/"+name+".md", "Text of "+name), rule.Origin{Provider: "test", Level: rule.Project, Name: name, Base: "/w", Within: within, Always: true}, native)
	return r
}

// TestTablesThatAreNone: what was cut off, or is something else, is no table.
func TestTablesThatAreNone(t *testing.T) {
	s := set(read(t, native, "a", "globs: ['*.ts', '!b.ts', 'lib/**']", "One"), read(t, native, "b", "globs: 'x/{a,b}'", "Two"))
	packed := s.Table(func(r *rule.Rule) bool { return r.Name == "a" }).Pack()
	for n := range len(packed) {
		if _, ok := rule.UnpackTable(packed[:n]); ok {
			t.Errorf("%d of %d bytes are a table", n, len(packed))
		}
	}
	if _, ok := rule.UnpackTable(packed + "x"); ok {
		t.Error("there is something after it")
	}
	table, ok := rule.UnpackTable(packed)
	if !ok || table.Len() != 1 || table.Rule(0).Name != "a" || table.For(rule.File{Path: "/w/x/a"}) != nil || len(table.For(rule.File{Path: "/w/lib"})) > 1 {
		t.Errorf("%+v, %v", table, ok)
	}
	empty, ok := rule.UnpackTable(rule.NewSet(nil, nil, rule.Options{FoldCase: true}).Table(nil).Pack())
	if !ok || empty.Len() != 0 {
		t.Errorf("%+v, %v", empty, ok)
	}
}

// TestOnce: nothing is told twice, neither a text with several names nor a file that several rules import.
func TestOnce(t *testing.T) {
	plain := func(path, content string) *rule.Rule { return &rule.Rule{Path: path, Content: content} }
	importing := func(path, content string, parts ...rule.Import) *rule.Rule {
		r := &rule.Rule{Path: path, Content: content, Imported: parts}
		for _, p := range parts {
			r.Includes = append(r.Includes, p.Path)
		}
		return r
	}
	for name, test := range map[string]struct {
		files []string
		take  []*rule.Rule
		want  string // what each adds, with bars between them
	}{
		"two texts":                       {nil, []*rule.Rule{plain("/a", "one"), plain("/b", "two")}, "one|two"},
		"one text with two names":         {nil, []*rule.Rule{plain("/a", "one\r\n"), plain("/b", " one"), plain("/c", "o\u200bne")}, "one\r\n||"},
		"a file that is there":            {[]string{"", "/a"}, []*rule.Rule{plain("/a", "one"), plain("/b", "two")}, "|two"},
		"a file by its real path":         {[]string{"/real"}, []*rule.Rule{{Path: "/a", Real: "/real", Content: "one"}, {Path: "/b", Real: "/other", Content: "two"}}, "|two"},
		"by the real path of one":         {nil, []*rule.Rule{{Path: "/a", Real: "/real", Content: "one"}, {Path: "/real", Content: "changed"}}, "one|"},
		"a file that is imported":         {nil, []*rule.Rule{importing("/a", "see inner end", rule.Import{Path: "/i", Start: 4, End: 9}), plain("/i", "other text")}, "see inner end|"},
		"a text that is imported":         {nil, []*rule.Rule{importing("/a", "see inner end", rule.Import{Path: "/i", Start: 4, End: 9}), plain("/b", "inner")}, "see inner end|"},
		"imported by two":                 {nil, []*rule.Rule{importing("/a", "inner A", rule.Import{Path: "/i", Start: 0, End: 5}), importing("/b", "B inner", rule.Import{Path: "/i", Start: 2, End: 7})}, "inner A|B"},
		"the same text imported by two":   {nil, []*rule.Rule{importing("/a", "inner A", rule.Import{Path: "/i", Start: 0, End: 5}), importing("/b", "B inner b", rule.Import{Path: "/j", Start: 2, End: 7})}, "inner A|B  b"},
		"inside of what has come":         {[]string{"/i", "/j"}, []*rule.Rule{importing("/a", "A outer inner Z", rule.Import{Path: "/i", Start: 2, End: 13}, rule.Import{Path: "/j", Start: 8, End: 13})}, "A  Z"},
		"two that have come":              {[]string{"/i", "/j"}, []*rule.Rule{importing("/a", "A one two Z", rule.Import{Path: "/i", Start: 2, End: 5}, rule.Import{Path: "/j", Start: 6, End: 9})}, "A   Z"},
		"one beside the other":            {[]string{"/i", "/j"}, []*rule.Rule{importing("/a", "AonetwoZ", rule.Import{Path: "/i", Start: 1, End: 4}, rule.Import{Path: "/j", Start: 4, End: 7})}, "AZ"},
		"one that has not come":           {[]string{"/j"}, []*rule.Rule{importing("/a", " A one two Z ", rule.Import{Path: "/i", Start: 3, End: 6}, rule.Import{Path: "/j", Start: 7, End: 10})}, "A one  Z"},
		"there, but not what it imports":  {[]string{"/a"}, []*rule.Rule{importing("/a", "A one", rule.Import{Path: "/i", Start: 2, End: 5})}, "A one"},
		"there, and what it imports":      {[]string{"/a", "/i"}, []*rule.Rule{importing("/a", "A one", rule.Import{Path: "/i", Start: 2, End: 5})}, ""},
		"one file, and what is in it now": {nil, []*rule.Rule{plain("/a", "one"), plain("/a", "two")}, "one|"},
		"nothing is cut off":              {nil, []*rule.Rule{plain("/a", " one ")}, " one "},
	} {
		var once rule.Once
		for _, path := range test.files {
			once.AddFile(path)
		}
		var got []string
		for _, r := range test.take {
			rest := once.Rest(r)
			if taken := once.Take(r); taken != rest {
				t.Errorf("%s: %q is taken, %q would be", name, taken, rest)
			}
			got = append(got, rest)
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, "|"), test.want)
		}
	}
}

// TestDecode: what is no text, and what is too long, is told as of a rule, and never as an error.
func TestDecode(t *testing.T) {
	long := strings.Repeat("a", document.MaxBytes)
	for text, want := range map[string]diag.Code{"Text.": "", "a\xffb": diag.RuleInvalidYAML, long: "", long + "a": diag.RuleTooLarge} {
		source, list := rule.Decode("/w/a.md", []byte(text))
		if source.Name() != "/w/a.md" || len(list) > 1 || (len(list) == 1) != (want != "") || want != "" && (list[0].Code != want || list[0].Severity != diag.Warning) {
			t.Errorf("%d bytes: %v, want %s", len(text), list, want)
		}
	}
}

// TestRemarksHaveALimit: of very many fields that nobody knows, not each is told.
func TestRemarksHaveALimit(t *testing.T) {
	fields := "globs: a/b"
	for i := range 3 * diag.MaxPerFile {
		fields += fmt.Sprintf("\nqqq%d: 1", i)
	}
	if r := read(t, native, "a", fields, "Body"); len(r.Remarks) > diag.MaxPerFile {
		t.Errorf("%d remarks", len(r.Remarks))
	}
}

// TestRuleHasAWeight: the globs of one rule have a limit, and those beyond it are told and left out.
func TestRuleHasAWeight(t *testing.T) {
	wide := func(n int) string {
		return "'{" + strings.Repeat("abcdefgh/**,", 400) + "x}/" + strings.Repeat("y", n) + "'"
	}
	for _, n := range []int{2, 30} {
		var globs []string
		for i := range n {
			globs = append(globs, wide(i+1))
		}
		source := diag.NewSource("/w/a.md", "---\nglobs: ["+strings.Join(globs, ", ")+"]\n---\nBody")
		r, list := rule.Read(source, rule.Origin{Name: "a", Base: "/w"}, native)
		told := ""
		if len(list) > 0 {
			told = list[0].Message[strings.LastIndex(list[0].Message, ":")+1:] + "; " + list[0].Hint
		}
		want := ""
		if n == 30 {
			want = fmt.Sprintf(" the %d before it are as many as can be compared; write fewer, or several rules", len(r.Globs))
		}
		if told != want || len(list) > 1 || (len(r.Globs) == n) != (n == 2) {
			t.Errorf("of %d globs %d are left: %q, want %q", n, len(r.Globs), told, want)
		}
	}
}

// fixed is a provider of rules that are there.
type fixed struct {
	id       string
	priority int
	rules    []*rule.Rule
	err      error
}

func (p fixed) ID() string    { return p.id }
func (p fixed) Priority() int { return p.priority }
func (p fixed) Rules(context.Context) ([]*rule.Rule, diag.List, error) {
	var list diag.List
	for _, r := range p.rules {
		list.Add(diag.At(r.Source, diag.NoSpan, diag.RuleEmpty, "of %s", p.id))
	}
	return p.rules, list, p.err
}

// TestLoad: providers are asked in order of priority, those of one priority in their own, and one that is cancelled ends it.
func TestLoad(t *testing.T) {
	one := func(name string) []*rule.Rule {
		return []*rule.Rule{read(t, native, name, "globs: x", "Text of "+name)}
	}
	providers := []rule.Provider{fixed{"low", 1, one("a"), nil}, fixed{"high", 9, one("b"), nil}, fixed{"same", 9, one("c"), nil}, fixed{"mid", 5, one("d"), nil}}
	s, err := rule.Load(t.Context(), providers, rule.Options{Root: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, d := range s.Warnings() {
		told += d.Message + " "
	}
	if got := strings.Join(s.Names(), " "); got != "b c d a" || told != "of high of same of mid of low " {
		t.Errorf("%s; %s", got, told)
	}
	if providers[0].ID() != "low" {
		t.Error("the caller's list is in another order")
	}
	if s, err := rule.Load(t.Context(), append(providers, fixed{"gone", 0, nil, context.Canceled}), rule.Options{}); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", s, err)
	}
}

// TestWarningsHaveALimit: of very many warnings about one file not each is told.
func TestWarningsHaveALimit(t *testing.T) {
	r := read(t, native, "a", "globs: x", "Body")
	var list diag.List
	for range 3 * diag.MaxPerFile {
		list.Add(diag.At(r.Source, diag.NoSpan, diag.RuleEmpty, "message"))
	}
	if n := len(rule.NewSet([]*rule.Rule{r}, list, rule.Options{}).Warnings()); n > diag.MaxPerFile {
		t.Errorf("%d warnings", n)
	}
}

// TestTablesAreAlike: a table is packed in one way, in whichever order its folders are met.
func TestTablesAreAlike(t *testing.T) {
	pack := func() string {
		var rules []*rule.Rule
		for _, base := range []string{"/w/c", "/w/a", "/w/b", "/w", "/w/d"} {
			source := diag.NewSource(base+"/r.md", "---\nglobs: ['*.ts', '*.js', 'a/b']\n---\nText of "+base)
			r, _ := rule.Read(source, rule.Origin{Provider: "test", Level: rule.Project, Name: "r" + base, Base: base}, native)
			rules = append(rules, r)
		}
		return rule.NewSet(rules, nil, rule.Options{}).Table(func(*rule.Rule) bool { return true }).Pack()
	}
	first := pack()
	for range 20 {
		if pack() != first {
			t.Fatal("the same rules are packed in several ways")
		}
	}
}

// TestFieldsOfAFormat: what a format's own function gets of each kind of value.
func TestFieldsOfAFormat(t *testing.T) {
	for value, want := range map[string]string{
		"":                "none [] <nil> () [] false false true true",
		"field: ~":        "none [] <nil> () [] true false true true",
		"field: ''":       "none [] <nil> () [] true false true true",
		"field: []":       "none [] <nil> () [] true true true true",
		"field: {a: b}":   "none [] <nil> () [{a: b}] true false true true",
		"field: two":      "-two- [two] <nil> (Two) [two] true false true true",
		"field: [a, two]": "-a, two- [a two] <nil> () [a two] true false true true",
		"field: true":     "-true- [] true () [] true false true true",
		"field: 'false'":  "-false- [false] false () [false] true false true true",
		"field: 5":        "-5- [] <nil> () [] true false true true",
	} {
		got := ""
		format := &rule.Format{Tool: "T", Keys: []string{"field"}, GlobKeys: []string{"globs"}, Activate: func(f *rule.Fields) rule.Activation {
			text, ok := f.Text("field")
			if got = "none" + text; ok {
				got = "-" + text + "-"
			}
			flag := "<nil>"
			if v := f.Flag("field"); v != nil {
				flag = fmt.Sprint(*v)
			}
			got += fmt.Sprintf(" %s %s (%s) %s %v %v %v %v", f.Texts("field"), flag, f.Word("field", "One", "Two"), f.Globs("field"), f.Has("field"), f.IsEmptyList("field"), f.Readable(), f.Present)
			if f.Rule().Name != "a" || f.Salvaged {
				got += " another rule"
			}
			return rule.Manual
		}}
		if r := read(t, format, "a", "other: x\n"+value, "Body"); got != want || r.Activation != rule.Manual {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

// TestModes: a format knows the values of the field that says when a rule applies, and each of its fields once.
func TestModes(t *testing.T) {
	for name, want := range map[string]string{
		"native": "true false", "windsurf": "always_on glob model_decision manual", "kiro": "always fileMatch manual auto", "place": "", "whole": "",
	} {
		if got := strings.Join(formats[name].Modes(), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	twice := &rule.Format{GlobKeys: []string{"globs"}, ModeKey: "alwaysApply", Keys: []string{"enabled", "globs", "name"}}
	if got := strings.Join(twice.FieldNames(), " "); got != "globs alwaysApply enabled name description ttsr_trigger condition scope interruptMode examples" {
		t.Error(got)
	}
	if e := (rule.Examples{Match: make([]rule.Example, 2), NoMatch: make([]rule.Example, 1)}); e.Len() != 3 {
		t.Error(e.Len())
	}
}
