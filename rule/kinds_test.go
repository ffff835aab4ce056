package rule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestFlagsThatSayNothing: an empty value is no flag, and nothing to tell of.
func TestFlagsThatSayNothing(t *testing.T) {
	for value, told := range map[string]bool{"": false, "''": false, "~": false, "'x'": true, "[]": true, "'true'": true, "true": false} {
		source := diag.NewSource("/w/a.md", "---\nalwaysApply: "+value+"\nglobs: a\n---\nBody")
		r, list := rule.Read(source, rule.Origin{Name: "a"}, native)
		if (len(list) > 0) != told || (r.AlwaysApply != nil) != strings.Contains(value, "true") {
			t.Errorf("%s: %v %v", value, r.AlwaysApply, list)
		}
	}
}

// TestListsThatLostTheirMeaning: brackets around globs that YAML does not read, or that stand in quotes, are taken off.
func TestListsThatLostTheirMeaning(t *testing.T) {
	for value, want := range map[string][]string{
		`"[**/*.ts, **/*.tsx]"`: {"**/*.ts", "**/*.tsx"},
		`"[a]"`:                 {"[a]"},
		`"[ab]/[cd]"`:           {"[ab]/[cd]"},
		`"[a/b]"`:               {"a/b"},
		`"[a/b"`:                {"[a/b"},
	} {
		r := read(t, native, "a", "globs: "+value, "Body")
		if !slices.Equal(r.Globs, want) {
			t.Errorf("%s: %q, want %q", value, r.Globs, want)
		}
	}
}

// TestFieldNamesNeedFrontmatter: formats whose files are text alone have no fields.
func TestFieldNamesNeedFrontmatter(t *testing.T) {
	if names := native.FieldNames(); !slices.Contains(names, "globs") || !slices.Contains(names, "alwaysApply") {
		t.Error(names)
	}
	for _, f := range []*rule.Format{{Whole: true, GlobKeys: []string{"globs"}}, {Memory: true, GlobKeys: []string{"globs"}}} {
		if names := f.FieldNames(); names != nil {
			t.Errorf("%+v: %v", f, names)
		}
	}
}

// TestProjectGlobs: whatever a rule's dialect and folder are, its globs are told for the whole project.
func TestProjectGlobs(t *testing.T) {
	ignored := &rule.Format{Tool: "Claude Code", GlobKeys: []string{"globs"}, Gitignore: true}
	for _, tt := range []struct {
		format             *rule.Format
		root, base, fields string
		want               string
	}{
		{native, "/w", "/w", "globs: [src/*.ts, '!src/a.ts']", "src/*.ts !src/a.ts"},
		{native, "/w", "/w/web", "globs: [src/*.ts, '!src/a.ts']", "web/src/*.ts !web/src/a.ts"},
		{native, "/w", "/w", "globs: ['[']", "/"},
		{native, "/w", "/w", "description: d", ""},
		{native, "/", "/", "globs: ['*.ts', '!src/a.ts']", "**/*.ts !src/a.ts"},
		{native, "/", "/w", "globs: '*.ts'", "w/**/*.ts"},
		{native, "C:/", "C:/", "globs: '*.ts'", "**/*.ts"},
		{ignored, "/w", "/w", "globs: '/a[b1]\\c*.TS'", "[aA][bB1]\\c*.[tT][sS] [aA][bB1]\\c*.[tT][sS]/**/*"},
	} {
		source := diag.NewSource(tt.base+"/a.md", "---\n"+tt.fields+"\n---\nBody")
		r, _ := rule.Read(source, rule.Origin{Name: "a", Base: tt.base}, tt.format)
		globs, extended := r.ProjectGlobs(tt.root)
		if got := strings.Join(globs, " "); got != tt.want || extended {
			t.Errorf("%s in %s: %q, want %q", tt.fields, tt.base, got, tt.want)
		}
	}
}

// TestOddNameIsTold: of two names that look alike, the one that is written with other letters is told of, wherever it stands.
func TestOddNameIsTold(t *testing.T) {
	const plain, odd = "house", "h\u043euse" // with a Cyrillic o
	for _, names := range [][]string{{plain, odd}, {odd, plain}} {
		var rules []*rule.Rule
		for _, name := range names {
			rules = append(rules, read(t, native, name, "globs: a", "Body"))
		}
		found := 0
		for _, d := range set(rules...).Warnings() {
			if strings.Contains(d.Message, "looks like that of another rule") {
				found++
				if d.File() != "/w/rules/"+odd+".md" || len(d.Related) != 1 || d.Related[0].Source.Name() != "/w/rules/"+plain+".md" {
					t.Errorf("%q: %s, %+v", names, d.File(), d.Related)
				}
			}
		}
		if found != 1 {
			t.Errorf("%q: told %d times", names, found)
		}
	}
}

// TestAlwaysWeighsNothing: globs of rules that apply anyway are compared with nothing, unless a trigger goes by them.
func TestAlwaysWeighsNothing(t *testing.T) {
	wide := "{" + strings.Repeat("abcdefghijklmno,", 60) + "}/{" + strings.Repeat("abcdefghijklmno,", 14) + "}"
	for fields, full := range map[string]bool{"alwaysApply: true": false, "description: d": true, "alwaysApply: true\nttsr_trigger: x": true} {
		var rules []*rule.Rule
		for i := range 100 {
			rules = append(rules, read(t, native, fmt.Sprint("r", i), fields+"\nglobs: ['"+wide+"']", "Body"))
		}
		last := read(t, native, "last", "globs: ['src/**']", "Body")
		if set(append(rules, last)...); last.Overfull() != full {
			t.Errorf("%s: overfull %v", fields, last.Overfull())
		}
	}
}

// TestNegationThatIsNone: a tool that has no globs that begin with `!` is told so, and the glob matches nothing.
func TestNegationThatIsNone(t *testing.T) {
	for format, want := range map[*rule.Format]int{native: 0, other: 1} {
		source := diag.NewSource("/w/a.md", "---\nglobs: ['*.ts', '!b.ts']\n---\nBody")
		_, list := rule.Read(source, rule.Origin{Name: "a", Base: "/w"}, format)
		if len(list) != want || want > 0 && list[0].Message != "the glob `!b.ts` cannot be read: Cursor has no globs that begin with `!`" {
			t.Errorf("%s: %v", format.Tool, list)
		}
	}
}

// TestScopesNarrow: a trigger whose scope names files is told of for those alone.
func TestScopesNarrow(t *testing.T) {
	for scope, want := range map[string]bool{
		"tool:edit(*.ts)": false, "tool:edit(*.ts), text": true, "tool:edit(*.ts), bogus": false, "tool:edit(*.ts), tool:write(*.go)": true, "text": true,
	} {
		r := read(t, native, "a", "ttsr_trigger: x\nscope: '"+scope+"'", "Body")
		v := set(r).For([]rule.File{{Path: "/w/a.go"}}, true)[0][0]
		if v.Applies != want {
			t.Errorf("%s: %+v", scope, v)
		}
		if v := set(r).For([]rule.File{{Path: "/w/src/a.ts"}}, true)[0][0]; !v.Applies {
			t.Errorf("%s: a.ts: %+v", scope, v)
		}
	}
}

// TestOpenByFolder: a rule of a sub folder is opened by its folder too; where the rulebook is followed, only what is listed is.
func TestOpenByFolder(t *testing.T) {
	for _, documented := range []bool{false, true} {
		var rules []*rule.Rule
		for name, fields := range map[string]string{"listed": "description: d", "whole": "globs: a"} {
			source := diag.NewSource("/w/web/rules/"+name+".md", "---\n"+fields+"\n---\nBody")
			r, _ := rule.Read(source, rule.Origin{Provider: "test", Level: rule.Project, Name: name, Folder: "web", Base: "/w/web", Documented: documented}, native)
			rules = append(rules, r)
		}
		s := rule.NewSet(rules, nil, rule.Options{Root: "/w", Documented: documented})
		if r, err := s.Open("rule://web/listed"); err != nil || r.Name != "listed" {
			t.Errorf("documented %v: %v", documented, err)
		}
		if _, err := s.Open("web/whole"); (err != nil) != documented {
			t.Errorf("documented %v: %v", documented, err)
		}
	}
}

// TestNotesNameFilesOfTheProject: also where paths are written with backslashes.
func TestNotesNameFilesOfTheProject(t *testing.T) {
	for _, tt := range []struct {
		root, separator string
		fold            bool
	}{{"/w", "/", false}, {"C:/w", `\`, true}} {
		var rules []*rule.Rule
		for _, dir := range []string{"first", "second"} {
			path := strings.ReplaceAll(tt.root+"/"+dir+"/a.md", "/", tt.separator)
			r, _ := rule.Read(diag.NewSource(path, "---\nglobs: '*'\n---\n"+dir), rule.Origin{Provider: dir, Level: rule.Project, Name: "a", Base: tt.root}, native)
			rules = append(rules, r)
		}
		s := rule.NewSet(rules, nil, rule.Options{Root: tt.root, FoldCase: tt.fold, Documented: false})
		notes := ""
		for _, v := range s.For([]rule.File{{Path: tt.root + "/x"}}, true)[0] {
			notes += v.Note
		}
		if !strings.Contains(notes, "hidden by the rule of the same name in first/a.md") {
			t.Errorf("%s: %q", tt.root, notes)
		}
	}
}
