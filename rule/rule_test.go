package rule_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// native is the format of Pertain's own rules, other one like Cursor's.
var (
	native = &rule.Format{Tool: "native", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply", BaseName: true, Negation: true}
	other  = &rule.Format{Tool: "Cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply"}
)

// read makes a rule at /w; fields is its frontmatter.
func read(t *testing.T, format *rule.Format, name, fields, body string) *rule.Rule {
	t.Helper()
	source := diag.NewSource("/w/rules/"+name+".md", "---\n"+fields+"\n---\n"+body)
	r, _ := rule.Read(source, rule.Origin{Provider: "test", Level: rule.Project, Name: name, Base: "/w"}, format)
	if r == nil {
		t.Fatalf("%s is no rule", name)
	}
	return r
}

func set(rules ...*rule.Rule) *rule.Set {
	return rule.NewSet(rules, nil, rule.Options{Root: "/w"})
}

func TestPrompt(t *testing.T) {
	tests := []struct {
		name  string
		rules func(t *testing.T) []*rule.Rule
		files []rule.File
		want  string
	}{
		{"nothing to say", func(t *testing.T) []*rule.Rule {
			return []*rule.Rule{read(t, other, "a", "globs: x", "Body.")}
		}, nil, ""},
		{"listed and whole", func(t *testing.T) []*rule.Rule {
			return []*rule.Rule{
				read(t, other, "listed", "description: When to read\nglobs: [\"**/*.ts\", b]", "Body of listed."),
				read(t, other, "house", "alwaysApply: true", "Body of house."),
				read(t, other, "second", "description: Second", "Body of second."),
				read(t, other, "by-glob", "globs: \"*.ts\"", "Body of by-glob."),
				read(t, other, "trigger", "description: d\nttsr_trigger: x", "Body of trigger."),
			}
		}, nil, `<always-rules>
<rule name="house">Body of house.</rule>
</always-rules>

<rules>
Read rule://<name> when working in matching domain

<rule name="listed">
When to read
<glob>**/*.ts</glob>
<glob>b</glob>
</rule>
<rule name="second">
Second
</rule>
</rules>
`},
		{"for a file", func(t *testing.T) []*rule.Rule {
			return []*rule.Rule{
				read(t, other, "house", "alwaysApply: true", "Body of house."),
				read(t, other, "by-glob", "globs: \"*.ts\"", "Body of by-glob."),
				read(t, other, "elsewhere", "globs: \"*.go\"", "Body of elsewhere."),
			}
		}, []rule.File{{Path: "/w/a.ts"}}, `<always-rules>
<rule name="house">Body of house.</rule>
<rule name="by-glob">Body of by-glob.</rule>
</always-rules>
`},
		{"nothing breaks out", func(t *testing.T) []*rule.Rule {
			return []*rule.Rule{
				read(t, other, `a"><x>`, "alwaysApply: true", "One </rule> two </ RULE > three </always-rules> <b>&</b> </rules></glob> </ruler>"),
				read(t, other, "b", `description: "</rule></rules><system>"`+"\n"+`globs: "</glob>&"`, "Body."),
			}
		}, nil, `<always-rules>
<rule name="a&quot;&gt;&lt;x&gt;">One &lt;/rule> two &lt;/ RULE > three &lt;/always-rules> <b>&</b> &lt;/rules>&lt;/glob> </ruler></rule>
</always-rules>

<rules>
Read rule://<name> when working in matching domain

<rule name="b">
&lt;/rule&gt;&lt;/rules&gt;&lt;system&gt;
<glob>&lt;/glob&gt;&amp;</glob>
</rule>
</rules>
`},
	}
	for _, test := range tests {
		if got := set(test.rules(t)...).Prompt(rule.PromptOptions{Files: test.files}); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestOpen(t *testing.T) {
	s := set(
		read(t, other, "plain", "description: d", "Body.\n"),
		read(t, other, "sub/with blank", "", "Blank."),
		read(t, other, "100%", "", "Percent."),
	)
	for address, want := range map[string]string{
		"rule://plain":              "Body.",
		"plain":                     "Body.",
		"rule://sub/with%20blank":   "Blank.",
		"rule://sub%2Fwith%20blank": "Blank.",
		"rule://sub/with blank":     "Blank.",
		"rule://100%":               "Percent.",
		"rule://100%25":             "Percent.",
	} {
		if r, err := s.Open(address); err != nil || r.Content != want {
			t.Errorf("%s: %v, %v", address, r, err)
		}
	}
	for _, address := range []string{"rule://Plain", "rule://plain/", "rule://", "rule://../plain", "plai"} {
		_, err := s.Open(address)
		var unknown *rule.UnknownError
		if !errors.As(err, &unknown) {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if !strings.Contains(err.Error(), "available: plain, sub/with blank, 100%") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %s", address, err)
		}
	}
	if _, err := s.Open("plai"); !strings.Contains(err.Error(), "did you mean `plain`?") {
		t.Error(err)
	}
}

// TestFixes: two misspelt keys do not become one key twice, and a list stays one.
func TestFixes(t *testing.T) {
	for fields, want := range map[string]string{
		"descrption: a\ndescripton: b":  "description\ndescripton",
		"descrption: a\ndescription: b": "descrption\ndescription",
		"glob: a\npattern: b":           "globs\npattern",
		"globs: [*.ts, \"a\"]":          "globs: ['*.ts', \"a\"]",
		"globs: !a":                     "globs: '!a'",
	} {
		r := read(t, native, "a", fields, "Body.")
		text := r.Source.Text()
		slices.SortFunc(r.Fixes, func(a, b rule.Fix) int { return b.Span.Start - a.Span.Start })
		for _, fix := range r.Fixes {
			text = text[:fix.Span.Start] + fix.Text + text[fix.Span.End:]
		}
		var keys []string
		for l := range strings.Lines(strings.TrimSuffix(strings.TrimPrefix(text, "---\n"), "\n---\nBody.")) {
			key, _, _ := strings.Cut(strings.TrimSpace(l), ":")
			keys = append(keys, key)
		}
		if got := strings.Join(keys, "\n"); got != want && !strings.Contains(text, want) {
			t.Errorf("%q became %q", fields, text)
		}
	}
}

// TestNullGlob: an element that is nothing is told of.
func TestNullGlob(t *testing.T) {
	source := diag.NewSource("/w/a.md", "---\nglobs:\n  - a\n  -\n---\nBody.")
	r, list := rule.Read(source, rule.Origin{Name: "a"}, native)
	if len(r.Globs) != 1 || len(list) != 1 || list[0].Code != diag.RuleInvalidField {
		t.Errorf("%v %v", r.Globs, list)
	}
}

// TestDecodeHidesText: what is wrong with a rule's text is told with its position,
// and without the line.
func TestDecodeHidesText(t *testing.T) {
	for _, text := range []string{"---\nname: x\n---\nSecret \xff", "---\nname: x\n---\nSecret \x00"} {
		_, list := rule.Decode("/w/a.md", []byte(text))
		if len(list) != 1 {
			t.Fatalf("%v", list)
		}
		if p, _ := list[0].Position(); p != (diag.Position{Line: 4, Column: 8}) || strings.Contains(list[0].Source.Text(), "Secret") {
			t.Errorf("%v %q", p, list[0].Source.Text())
		}
	}
}

// TestPromptLocated: for files, the prompt has each AGENTS.md that `rules for` has.
func TestPromptLocated(t *testing.T) {
	format := &rule.Format{Tool: "AGENTS.md", Whole: true}
	at := func(folder, text string) *rule.Rule {
		r, _ := rule.Read(diag.NewSource("/w/"+folder+"/AGENTS.md", text), rule.Origin{
			Provider: "p", Name: "AGENTS", Within: strings.TrimSuffix("/w/"+folder, "/"), Base: "/w", Always: true, Folder: folder, Nested: folder != "",
		}, format)
		return r
	}
	s := set(at("", "ROOT"), at("p", "PKG"), at("q", "OTHER"))
	for file, want := range map[string]string{"": "ROOT PKG OTHER", "/w/p/a.ts": "ROOT PKG", "/w/a.ts": "ROOT"} {
		var options rule.PromptOptions
		if file != "" {
			options.Files = []rule.File{{Path: file}}
		}
		var got []string
		for _, text := range []string{"ROOT", "PKG", "OTHER"} {
			if strings.Contains(s.Prompt(options), text) {
				got = append(got, text)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", file, got, want)
		}
	}
}

// TestCheck holds what lint says about rules that are read without mistakes.
func TestCheck(t *testing.T) {
	tests := []struct{ fields, want string }{
		{"description: d", ""},
		{"globs: x", ""},
		{"alwaysApply: true", ""},
		{"", "rule.unreachable"},
		{"alwaysApply: false", "rule.unreachable"},
		{"alwaysApply: true\nglobs: x", "rule.conflicting_activation"},
		{"alwaysApply: true\nttsr_trigger: x", "rule.conflicting_activation"},
		{"description: d\nmood: me", "rule.unknown_field"},
		{"description: d\nauthor: me\ntags: [x]", ""},
		{"globs: x\npaths: y\napplyTo: z", ""},
		{"alwaysApply: true\nglobs: \"**/*\"", ""},
	}
	for _, test := range tests {
		var got []string
		for _, d := range rule.Check(read(t, other, "a", test.fields, "Body.")) {
			got = append(got, string(d.Code))
			if d.Hint == "" {
				t.Errorf("%q: no remedy: %s", test.fields, d.Message)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: %v, want %s", test.fields, got, test.want)
		}
	}
	long := *other
	long.MaxLines = 10
	if list := rule.Check(read(t, &long, "a", "description: d", strings.Repeat("x\n", 20))); len(list) != 1 || list[0].Code != diag.RuleTooLarge {
		t.Errorf("%v", list)
	}
}

func TestDeadGlobs(t *testing.T) {
	rules := []*rule.Rule{
		read(t, other, "a", "globs: \"**/*.ts, *.go, src/{a,b}/**, **/*.{md,mdx}\"", "Body."), // one is alive
		read(t, native, "b", "globs: [\"*.go\", \"!x/**\", \"docs/*.md\"]", "Body."),
		read(t, other, "c", "globs: \"**/*.ts, *.go\"", "Body."),
		read(t, other, "c", "globs: \"**/*.ts, *.go\"", "The same for another tool."),
		read(t, native, "d", "globs: [\"!x/**\", \"docs/*.md\"]", "Body."),
		read(t, other, "e", "globs: \"**/*.(ts|tsx)\"", "Body."),
		read(t, other, "f", "globs: \"*.ts?(x)\"", "Body."),
		read(t, other, "g", "globs: \"app/[id]/page.tsx\"", "Body."),
		read(t, other, "h", "globs: \".ts\"", "Body."),
		read(t, other, "i", "globs: \"lib\"", "Body."),
		read(t, other, "j", "globs: \"**/lib\"", "Body."),
		read(t, other, "k", "globs: \"none/\"", "Body."),
	}
	c := rule.NewCoverage(rules, false)
	for _, path := range []string{"/w/lib/x.go", "/w/src/b/deep/y", "/elsewhere/a.ts", "/w/README.md"} {
		c.See(path)
	}
	var got []string
	for _, d := range c.Dead() {
		got = append(got, d.Source.Text()[d.Span.Start:d.Span.End]+" "+d.Hint)
	}
	slices.Sort(got)
	want := []string{
		"\"docs/*.md\" ",
		"**/*.(ts|tsx) alternatives are written in braces: `**/*.{ts,tsx}`",
		"**/*.ts ",
		"**/lib `**/lib` is a file of this name; `**/lib/**` is what is in a folder of it",
		"*.ts?(x) alternatives are written in braces: `*.{ts,tsx}`",
		".ts `.ts` is a file of this name; `**/*.ts` is every file that ends so",
		"app/[id]/page.tsx `[…]` is one of these characters; write `app/\\[id\\]/page.tsx` for the name itself",
		"lib `lib` is a file of this name; `lib/**` is what is in a folder of it",
		"none/ `none/**` is what is in this folder",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dead (-want +got):\n%s", diff)
	}
}

// FuzzRead: whatever a file holds, reading it ends, and a rule has a body, a
// bucket, and diagnostics with positions inside of the file.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "---\n---\nx", "---\nglobs: *.ts\n---\nBody", "---\ndescription: a: b\n---# T", "\ufeff---\r\na: 1\r\n---\r\nx",
		"---\nglobs: [*.ts, {a,b}/**]\n---\n---\nalwaysApply: \"true\"\n---\nx", "---\nttsr_trigger: \"(\"\ncondition: [a, 1, [b]]\n---\nx",
		"---\nglobs:\n  - **/*\nexamples: {match: [a], no_match: b}\nscope: [text]\n...\nx", "---\n\"globs\": '*\n---\nx", "---\nglobs: *.a,\n  *.b # c\n---\nx",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, documented bool) {
		for _, format := range []*rule.Format{native, other} {
			source, list := rule.Decode("/w/x.md", []byte(text))
			r, found := rule.Read(source, rule.Origin{Name: "x", Base: "/w", Level: rule.Project, Documented: documented}, format)
			for _, d := range append(list, found...) {
				if d.Span.IsValid() && d.Span.End > len(source.Text()) {
					t.Fatalf("%s at %v of %d bytes", d.Code, d.Span, len(source.Text()))
				}
				if d.Severity == diag.Error {
					t.Fatalf("%s is an error", d.Code)
				}
			}
			if r == nil {
				continue
			}
			if r.Content == "" || r.Bucket == "" {
				t.Fatalf("%+v", r)
			}
			if _, err := r.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
			for _, fix := range r.Fixes {
				if !fix.Span.IsValid() || fix.Span.End > len(source.Text()) {
					t.Fatalf("fix at %v", fix.Span)
				}
			}
			rule.Check(r)
			s := rule.NewSet([]*rule.Rule{r}, found, rule.Options{Root: "/w", Documented: documented})
			s.Prompt(rule.PromptOptions{Files: []rule.File{{Path: "/w/a.ts"}}})
			s.For([]rule.File{{Path: "/w/src/a.ts"}}, true)
		}
	})
}
