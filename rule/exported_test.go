package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/rule"
)

// exported reads a file that says that it was made from others.
func exported(t *testing.T, path, name string, sources []string, text string) *rule.Rule {
	t.Helper()
	made := mark.Seal(mark.HTML(sources) + "\n\n" + text + "\n")
	r, _ := rule.Read(diag.NewSource(path, made), rule.Origin{Provider: "agents-md", Level: rule.Project, Name: name, Always: true}, &rule.Format{Tool: "t", Whole: true})
	if r == nil || r.Export == nil || strings.Contains(r.Content, "<!--") {
		t.Fatalf("%s is read as %+v", path, r)
	}
	return r
}

// asText reads a file with the mark in its frontmatter as an agent that knows none.
func asText(t *testing.T, path, name string, sources []string, text string) *rule.Rule {
	t.Helper()
	made := mark.Seal("---\n" + mark.YAML(sources) + "\nglobs: x\n---\n\n" + text + "\n")
	r, _ := rule.Read(diag.NewSource(path, made), rule.Origin{Provider: "cursor", Level: rule.Project, Name: name, Always: true}, &rule.Format{Tool: "t", Whole: true})
	if r == nil || r.Export == nil || !strings.Contains(r.Content, "globs: x") {
		t.Fatalf("%s is read as %+v", path, r)
	}
	return r
}

func written(path, name, text string) *rule.Rule {
	r, _ := rule.Read(diag.NewSource(path, text), rule.Origin{Provider: "pertain", Level: rule.Project, Name: name, Always: true}, &rule.Format{Tool: "t", Whole: true})
	return r
}

// foreign is a rule that another tool has.
func foreign(path, name, text string) *rule.Rule {
	r := written(path, name, text)
	r.Provider = "other"
	return r
}

func TestExports(t *testing.T) {
	sources := []string{"/w/a.md", "/w/b.md"}
	both := "one" + mark.Between + mark.OnlyFor + "`x`.\n\ntwo"
	for _, c := range []struct {
		name    string
		rules   []*rule.Rule
		want    string // names in force
		warning string
	}{
		{"what was exported is hidden", []*rule.Rule{written("/w/a.md", "a", "one"), written("/w/b.md", "b", "two"), exported(t, "/w/AGENTS.md", "AGENTS", sources, both)}, "a b", ""},
		{"a source that is gone", []*rule.Rule{written("/w/a.md", "a", "one"), exported(t, "/w/AGENTS.md", "AGENTS", sources, both)}, "a", "exported from /w/b.md, which is no rule here any longer"},
		{"a source that was renamed", []*rule.Rule{written("/w/c.md", "c", "one"), exported(t, "/w/x.md", "x", sources[:1], "one")}, "c", "no rule here any longer"},
		{"nothing is left of the sources", []*rule.Rule{foreign("/w/CLAUDE.md", "CLAUDE", "else"), exported(t, "/w/AGENTS.md", "AGENTS", sources, both)}, "CLAUDE AGENTS", ""},
		{"a folder of another tool", []*rule.Rule{foreign("/w/.cursor/rules/c.mdc", "c", "one"), exported(t, "/w/x.md", "x", []string{"/w/.cursor/rules/a.mdc"}, "one")}, "c", "no rule here any longer"},
		{"a claim that is not true is told", []*rule.Rule{written("/w/a.md", "a", "one"), exported(t, "/w/x.md", "x", sources[:1], "evil")}, "a", "does not hold just its text"},
		{"more than the source is told", []*rule.Rule{written("/w/a.md", "a", "one"), exported(t, "/w/x.md", "x", sources[:1], "one\nevil")}, "a", "does not hold just its text"},
		{"a file is not its own source", []*rule.Rule{exported(t, "/w/a.md", "a", sources[:1], "one")}, "a", ""},
		{"copies of one rule are one", []*rule.Rule{exported(t, "/w/AGENTS.md", "AGENTS", sources, both), exported(t, "/w/x.md", "x", sources[:1], "one"), exported(t, "/w/y.md", "y", sources[:1], "one"), exported(t, "/w/z.md", "z", sources[1:], "two")}, "x z", ""},
		{"frontmatter that is read as text is no other text", []*rule.Rule{asText(t, "/w/x.mdc", "x", sources[:1], "one"), asText(t, "/w/y.mdc", "y", sources[1:], "two"), exported(t, "/w/AGENTS.md", "AGENTS", sources, both)}, "x y", ""},
		{"copies that are not equal stay", []*rule.Rule{exported(t, "/w/x.md", "x", sources[:1], "one"), exported(t, "/w/y.md", "y", sources[:1], "evil")}, "x y", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := rule.NewSet(c.rules, nil, rule.Options{Root: "/w"})
			var names []string
			for _, r := range set.Rules() {
				names = append(names, r.Name)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("in force are %s, want %s", got, c.want)
			}
			told := ""
			for _, d := range set.Warnings() {
				told += d.Message
			}
			if !strings.Contains(told, c.warning) || c.warning == "" && told != "" {
				t.Errorf("it is told %q", told)
			}
		})
	}
	t.Run("an edited file is a rule", func(t *testing.T) {
		text := mark.Seal(mark.HTML(sources[:1])+"\n\none\n") + "mine\n"
		r := written("/w/x.md", "x", text)
		if r.Export != nil || r.Content != "one\nmine" {
			t.Errorf("it is %+v", r)
		}
	})
	t.Run("an agent loads what is out of date", func(t *testing.T) {
		set := rule.NewSet([]*rule.Rule{written("/w/c.md", "c", "one"), exported(t, "/w/x.md", "x", sources[:1], "one")}, nil, rule.Options{Root: "/w", Agent: "codex"})
		if len(set.Rules()) != 2 {
			t.Errorf("there are %d rules", len(set.Rules()))
		}
	})
	t.Run("a section that is out of date is taken out", func(t *testing.T) {
		var s mark.Section
		r := written("/w/AGENTS.md", "AGENTS", "above\n"+s.Write(sources[:1], "one\n")+"below\n")
		rule.NewSet([]*rule.Rule{written("/w/c.md", "c", "one"), r}, nil, rule.Options{Root: "/w"})
		if r.Content != "above\nbelow" || r.Shadowed {
			t.Errorf("it is %q", r.Content)
		}
	})
	t.Run("a section is taken out", func(t *testing.T) {
		var s mark.Section
		r := written("/w/AGENTS.md", "AGENTS", "above\n"+s.Write(sources[:1], "one\n")+"below\n")
		if r.Content != "above\none\nbelow" {
			t.Errorf("alone it is %q", r.Content)
		}
		rule.NewSet([]*rule.Rule{written("/w/a.md", "a", "one"), r}, nil, rule.Options{})
		if r.Content != "above\nbelow" || r.Shadowed {
			t.Errorf("beside its source it is %q", r.Content)
		}
	})
}
