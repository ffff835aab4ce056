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
	for _, tt := range []struct {
		base, fields string
		want         string
	}{
		{"/w", "globs: [src/*.ts, '!src/a.ts']", "src/*.ts !src/a.ts"},
		{"/w/web", "globs: [src/*.ts, '!src/a.ts']", "web/src/*.ts !web/src/a.ts"},
		{"/w", "globs: ['[']", "/"},
	} {
		source := diag.NewSource(tt.base+"/a.md", "---\n"+tt.fields+"\n---\nBody")
		r, _ := rule.Read(source, rule.Origin{Name: "a", Base: tt.base}, native)
		globs, extended := r.ProjectGlobs("/w")
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

// TestAlwaysNeedsNoRoom: globs of rules that apply anyway are compared with nothing, unless a trigger goes by them.
func TestAlwaysNeedsNoRoom(t *testing.T) {
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
