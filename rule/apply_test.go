package rule_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/rule"
)

// TestWhy asks for one rule and one file at a time.
func TestWhy(t *testing.T) {
	tests := []struct {
		name   string
		format *rule.Format
		fields string
		file   string
		want   string // why, then the glob or the note
	}{
		{"always", other, "alwaysApply: true", "a.ts", "always"},
		{"always beats globs", other, "alwaysApply: true\nglobs: x", "a.ts", "always"},
		{"description", other, "description: d", "a.ts", "description"},
		{"trigger", other, "ttsr_trigger: x", "a.ts", "trigger"},
		{"trigger with a glob", other, "ttsr_trigger: x\nglobs: \"**/*.ts\"", "src/a.ts", "trigger **/*.ts"},
		{"trigger for other files", other, "ttsr_trigger: x\nglobs: \"**/*.go\"", "src/a.ts", "no-glob-match `**/*.go` does not match this file"},
		{"glob", other, "globs: \"**/*.ts\"", "src/a.ts", "glob **/*.ts"},
		{"glob beats description", other, "description: d\nglobs: \"**/*.ts\"", "src/a.ts", "glob **/*.ts"},
		{"description does not help a glob", other, "description: d\nglobs: \"**/*.ts\"", "src/a.go", "no-glob-match `**/*.ts` does not match this file"},
		{"the first glob that matches", other, "globs: [x, \"src/**\", \"**/*.ts\"]", "src/a.ts", "glob src/**"},
		{"two stars take no folder", other, "globs: \"**/*.ts\"", "a.ts", "glob **/*.ts"},
		{"two stars enter dot folders", other, "globs: \"**/*.yml\"", ".github/workflows/ci.yml", "glob **/*.yml"},
		{"one star stays in a folder", other, "globs: \"src/*.ts\"", "src/deep/a.ts", "no-glob-match `src/*.ts` does not enter folders below; `src/**/*.ts` would match this file"},
		{"braces", other, "globs: \"src/**/*.{ts,tsx}\"", "src/x/a.tsx", "glob src/**/*.{ts,tsx}"},
		{"classes", other, "globs: \"src/[a-c]*.ts\"", "src/b1.ts", "glob src/[a-c]*.ts"},
		{"leading slash", other, "globs: /src/*.ts", "src/a.ts", "glob /src/*.ts"},
		{"leading dot slash", other, "globs: ./src/*.ts", "src/a.ts", "glob ./src/*.ts"},
		{"bare glob in the root", other, "globs: \"*.ts\"", "a.ts", "glob *.ts"},
		{"bare glob below", other, "globs: \"*.ts\"", "src/a.ts", "no-glob-match `*.ts` matches only in the project root; `**/*.ts` would match this file"},
		{"bare glob of native rules", native, "globs: \"*.ts\"", "src/a.ts", "glob *.ts"},
		{"rooted bare glob of native rules", native, "globs: /*.ts", "src/a.ts", "no-glob-match `/*.ts` matches only in the project root; `**/*.ts` would match this file"},
		{"dotted bare glob of native rules", native, "globs: ./a.ts", "src/a.ts", "no-glob-match `./a.ts` matches only in the project root; `**/a.ts` would match this file"},
		{"folder without stars", other, "globs: src/api", "src/api/a.ts", "no-glob-match `src/api` names a folder, not the files in it; `src/api/**` would match this file"},
		{"folder with a slash", other, "globs: src/api/", "src/api/a.ts", "no-glob-match `src/api/` names a folder, not the files in it; `src/api/**` would match this file"},
		{"case", other, "globs: \"Src/**\"", "src/a.ts", "no-glob-match `Src/**` differs from this file's path in upper and lower case"},
		{"negation", native, "globs: [\"src/**\", \"!src/gen/**\"]", "src/gen/a.ts", "no-glob-match `!src/gen/**` takes this file out"},
		{"negation spares others", native, "globs: [\"src/**\", \"!src/gen/**\"]", "src/a.ts", "glob src/**"},
		{"negations alone", native, "globs: [\"!src/gen/**\"]", "lib/a.ts", "glob !src/gen/**"},
		{"negation where there is none", other, "globs: \"!src/**\"", "lib/a.ts", "invalid none of its globs can be read; Cursor has no globs that begin with `!`"},
		{"broken glob", other, "globs: \"src/[a-\"", "src/a.ts", "invalid none of its globs can be read"},
		{"groups", cline, "paths: [\"src/@(a|b).ts\"]", "src/b.ts", "glob src/@(a|b).ts"},
		{"ranges", cline, "paths: [\"{1..3}.js\"]", "2.js", "glob {1..3}.js"},
		{"a group that negates", cline, "paths: [\"!(a|b).ts\"]", "c.ts", "glob !(a|b).ts"},
		{"a group that negates, and does", cline, "paths: [\"!(a|b).ts\"]", "a.ts", "no-glob-match `!(a|b).ts` does not match this file"},
		{"groups where there are none", other, "globs: [\"src/@(a|b).ts\"]", "src/b.ts", "no-glob-match `src/@(a|b).ts` does not match this file"},
		{"a group that cannot be", cline, "paths: [\"+(a/b).ts\"]", "a.ts", "invalid none of its globs can be read"},
		{"a list's element is one glob", other, "globs: [\"a,b\"]", "a,b", "glob a,b"},
		{"a list's element is not split", other, "globs: [\"a,b\"]", "a", "no-glob-match `a,b` does not match this file"},
		{"manual", other, "tags: x", "a.ts", "manual it has neither globs nor a description nor `alwaysApply`; somebody must ask for it: rule://x"},
		{"outside of the project", other, "globs: \"**/*.ts\"", "/elsewhere/a.ts", "no-glob-match it is for the files below the project root"},
	}
	for _, test := range tests {
		path := test.file
		if !strings.HasPrefix(path, "/") {
			path = "/w/" + path
		}
		s := set(read(t, test.format, "x", test.fields, "Body."))
		v := s.For([]rule.File{{Path: path}}, true)[0][0]
		got := strings.TrimSpace(string(v.Why) + " " + v.Glob + v.Note)
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
		brief := s.For([]rule.File{{Path: path}}, false)[0]
		if (len(brief) == 1) != v.Applies {
			t.Errorf("%s: applies %v, but without --all there are %d", test.name, v.Applies, len(brief))
		}
		if got := fromTable(t, s, rule.File{Path: path}); (len(got) == 1) != (v.Why == rule.ByGlob) {
			t.Errorf("%s: the table gives %v", test.name, got)
		}
	}
}

// fromTable are the names of the rules that a table gives for a file, after it was packed.
func fromTable(t *testing.T, s *rule.Set, file rule.File) []string {
	t.Helper()
	table, ok := rule.UnpackTable(s.Table(func(*rule.Rule) bool { return true }).Pack())
	if !ok {
		t.Fatal("the table cannot be read")
	}
	var out []string
	for _, i := range table.For(file) {
		out = append(out, table.Rule(i).Name)
	}
	return out
}

func TestRealPathsCountToo(t *testing.T) {
	s := set(read(t, other, "x", "globs: \"lib/**\"", "Body."))
	file := rule.File{Path: "/w/link/a.ts", Real: "/w/lib/a.ts"}
	if v := s.For([]rule.File{file}, false)[0]; len(v) != 1 || v[0].Glob != "lib/**" {
		t.Errorf("%+v", v)
	}
	if got := fromTable(t, s, file); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// TestOwnPathsCount: a file counts by more paths for rules of the user's own alone, and where no single agent's view is asked for.
func TestOwnPathsCount(t *testing.T) {
	rules := func() []*rule.Rule {
		var out []*rule.Rule
		for name, fields := range map[string]string{"globs": "globs: \"src/**\"", "trigger": "ttsr_trigger: x\nglobs: \"src/**\"", "scope": "ttsr_trigger: x\nscope: \"tool:write(src/**)\""} {
			own, theirs := read(t, native, "own "+name, fields, "Mine."), read(t, native, "their "+name, fields, "Theirs.")
			own.Level = rule.User
			out = append(out, own, theirs)
		}
		return out
	}
	file := rule.File{Path: "/w/app/src/a.ts", Own: []string{"/w/src/a.ts"}}
	names := func(s *rule.Set) []string {
		var out []string
		for _, v := range s.For([]rule.File{file}, false)[0] {
			out = append(out, v.Rule.Name)
		}
		slices.Sort(out)
		return out
	}
	if diff := cmp.Diff([]string{"own globs", "own scope", "own trigger"}, names(set(rules()...))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"own globs"}, fromTable(t, set(rules()...), file)); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
	if got := names(rule.NewSet(rules(), nil, rule.Options{Root: "/w", Agent: "claude"})); got != nil {
		t.Errorf("an agent's view: %v", got)
	}
}

func TestShadowedAndLocated(t *testing.T) {
	memory := *other
	memory.Whole = true
	located := func(name, folder string) *rule.Rule {
		r := read(t, &memory, name, "", "Text of "+name)
		r.Within, r.Base, r.Bucket, r.Activation = folder, folder, rule.Always, rule.AlwaysActive
		return r
	}
	s := set(
		read(t, other, "a", "alwaysApply: true", "One."),
		read(t, other, "a", "alwaysApply: true", "Two."),
		located("AGENTS", "/w"), located("p/AGENTS", "/w/p"), located("q/AGENTS", "/w/q"),
	)
	var got []string
	for _, v := range s.For([]rule.File{{Path: "/w/p/x.ts"}}, true)[0] {
		got = append(got, fmt.Sprintf("%s %v %s", v.Rule.Name, v.Applies, v.Why))
	}
	want := []string{"a true always", "a false shadowed", "AGENTS true always", "p/AGENTS true always", "q/AGENTS false no-glob-match"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"AGENTS", "p/AGENTS"}, fromTable(t, s, rule.File{Path: "/w/p/x.ts"})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWindowsPathsFold(t *testing.T) {
	r := read(t, other, "x", "globs: \"Src/**/*.TS\"", "Body.")
	r.Base = "C:/W"
	s := rule.NewSet([]*rule.Rule{r}, nil, rule.Options{Root: "C:/W", FoldCase: true})
	if v := s.For([]rule.File{{Path: "c:/w/src/deep/a.ts"}}, false)[0]; len(v) != 1 || v[0].Glob != "Src/**/*.TS" {
		t.Errorf("%+v", v)
	}
	if got := fromTable(t, s, rule.File{Path: "c:/w/src/deep/a.ts"}); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// TestIndexAgreesWithLooking holds the index against the plain way: every glob
// of every rule tried on every file.
func TestIndexAgreesWithLooking(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	segment := func() string { return pick("src", "lib", "a", "b", "*", "**", "a*", "?", "{a,src}", ".x") }
	for range 300 {
		var rules []*rule.Rule
		for i := range 1 + random.IntN(8) {
			var globs []string
			for range 1 + random.IntN(3) {
				g := ""
				for range random.IntN(3) {
					g += segment() + "/"
				}
				globs = append(globs, `"`+g+pick("*.ts", "*.{ts,go}", "x.go", "*", "**", "*.d.ts", "Makefile", "*.*")+`"`)
			}
			r := read(t, other, fmt.Sprint("r", i), "globs: ["+strings.Join(globs, ", ")+"]", "Body.")
			r.Base = pick("/w", "/w/src", "/w/a/b")
			rules = append(rules, r)
		}
		s := set(rules...)
		for range 20 {
			path := "/w/"
			for range random.IntN(4) {
				path += pick("src", "lib", "a", "b", ".x") + "/"
			}
			path += pick("a.ts", "x.go", "y.d.ts", "Makefile", ".env", "noext")
			var want, got []string
			for _, r := range rules {
				rel, ok := strings.CutPrefix(path, r.Base+"/")
				for _, g := range r.Globs {
					c, _ := glob.CompilePath(g)
					if ok && c.Match(rel) {
						want = append(want, r.Name+" "+g)
						break
					}
				}
			}
			var names []string
			for _, v := range s.For([]rule.File{{Path: path}}, false)[0] {
				got, names = append(got, v.Rule.Name+" "+v.Glob), append(names, v.Rule.Name)
			}
			if diff := cmp.Diff(names, fromTable(t, s, rule.File{Path: path})); diff != "" {
				t.Fatalf("%s: the table (-want +got):\n%s", path, diff)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", path, diff)
			}
		}
	}
}

// BenchmarkFor is `rules for $(git ls-files)`: 20,000 files of a monorepo against
// 300 rules, most of them with globs by extension.
func BenchmarkFor(b *testing.B) {
	exts := []string{"ts", "tsx", "go", "py", "rs", "md", "json", "css", "html", "yml"}
	var rules []*rule.Rule
	for i := range 300 {
		e := exts[i%len(exts)]
		globs := []string{
			"**/*." + e, fmt.Sprintf("packages/p%d/**/*.%s", i%40, e),
			fmt.Sprintf("packages/*/src/m%d/*.{ts,tsx}", i%50), "src/**/*." + e,
		}
		r := &rule.Rule{Name: fmt.Sprint("r", i), Globs: globs[i%4 : i%4+1], Base: "/w", Bucket: rule.Rulebook, Format: other}
		rules = append(rules, r)
	}
	files := make([]rule.File, 20_000)
	for i := range files {
		files[i].Path = fmt.Sprintf("/w/packages/p%d/src/m%d/f%d.%s", i/500, i/10%50, i, exts[i%len(exts)])
	}
	s := set(rules...)
	b.ReportAllocs()
	for b.Loop() {
		s.For(files, false)
	}
	b.ReportMetric(float64(len(files)*b.N)/b.Elapsed().Seconds(), "files/s")
}
