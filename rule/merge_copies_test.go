package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// at reads a rule of a tool in a folder of the project, relative to its root.
func at(t *testing.T, format *rule.Format, folder, name, text string) *rule.Rule {
	t.Helper()
	base := strings.TrimSuffix("/w/"+folder, "/")
	origin := rule.Origin{Provider: format.Tool, Level: rule.Project, Name: name, Base: base, Folder: folder, Chained: true}
	if folder != "" {
		origin.Within = base
	}
	r, _ := rule.Read(diag.NewSource(base+"/"+format.Tool+"/"+name+".md", text), origin, format)
	if r == nil {
		t.Fatalf("no rule: %s", text)
	}
	return r
}

func told(s *rule.Set) []string {
	var out []string
	for _, r := range s.All() {
		by := ""
		if r.Shadowed {
			by = " hidden by " + r.ShadowedBy.Path
		}
		out = append(out, fmt.Sprintf("%s %s%s", r.Name, r.Bucket, by))
	}
	return out
}

// TestInertHidesNothing: a rule that nothing can bring to a model hides none that
// something can, and says nothing about it.
func TestInertHidesNothing(t *testing.T) {
	cursorish := &rule.Format{Tool: "cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply"}
	clineish := &rule.Format{Tool: "cline", GlobKeys: []string{"paths"}, Keys: []string{"alwaysApply"}}
	s := set(at(t, cursorish, "", "style", "---\nalwaysApply: false\n---\nInert."), at(t, clineish, "", "style", "---\nalwaysApply: true\n---\nLive."))
	want := []string{"style none hidden by /w/cline/style.md", "style always"}
	if diff := cmp.Diff(want, told(s)); diff != "" || len(s.Warnings()) > 0 {
		t.Errorf("%s\n%v", diff, s.Warnings())
	}
	if r, err := s.Open("style"); err != nil || r.Content != "Live." {
		t.Errorf("%v %v", r, err)
	}
	// By its globs a rule without a description is alive.
	s = set(at(t, cursorish, "", "style", "---\nglobs: \"*.ts\"\n---\nLive."), at(t, clineish, "", "style", "---\nalwaysApply: true\n---\nOther."))
	if len(s.Rules()) != 1 || s.Rules()[0].Content != "Live." || len(s.Warnings()) != 1 {
		t.Errorf("%v %v", told(s), s.Warnings())
	}
}

// TestEqualTextsAreOne: rules with one name and one text are one, with what any of
// them has, each glob as its own tool means it.
func TestEqualTextsAreOne(t *testing.T) {
	plain := &rule.Format{Tool: "cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply"}
	s := set(
		at(t, plain, "", "style", "---\nglobs: \"*.md\"\n---\nSame.\r\nText."),
		at(t, claudePaths, "p", "style", "---\npaths: \"src/**\"\ndescription: first\n---\n\nSame.\nText.\n\n"),
		at(t, plain, "", "style", "---\ndescription: second\nttsr_trigger: \"\"\n---\nSame.\nText."),
		at(t, plain, "", "other", "Same.\nText."),
	)
	if len(s.Rules()) != 2 || len(s.Warnings()) > 0 {
		t.Fatalf("%v %v", told(s), s.Warnings())
	}
	r := s.Rules()[0]
	if r.Path != "/w/cursor/style.md" || r.Description == nil || *r.Description != "first" || len(r.Globs) != 2 {
		t.Errorf("%+v", r)
	}
	for file, want := range map[string]string{"a.md": "*.md", "x/a.md": "", "p/x/src/a.go": "src/**", "q/src/a.go": ""} {
		got := ""
		for _, v := range s.For([]rule.File{{Path: "/w/" + file}}, false)[0] {
			got += v.Glob
		}
		if got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	both := set(at(t, plain, "", "a", "---\nglobs: \"*.ts\"\n---\nT."), at(t, claudePaths, "", "a", "---\npaths: \"*.ts\"\n---\nT."))
	if got := both.Rules(); len(got) != 1 || len(got[0].Globs) != 1 || len(both.For([]rule.File{{Path: "/w/x/a.ts"}}, false)[0]) != 1 {
		t.Errorf("one glob of two tools: %v %v", told(both), got[0].Globs)
	}
	always := set(at(t, plain, "", "a", "---\nglobs: x\n---\nT."), at(t, plain, "", "a", "---\nalwaysApply: true\n---\nT."))
	if got := always.Rules(); len(got) != 1 || got[0].Bucket != rule.Always {
		t.Errorf("%v", told(always))
	}
	triggers := set(at(t, plain, "", "a", "---\nttsr_trigger: x\nglobs: \"*.ts\"\n---\nT."), at(t, plain, "", "a", "---\ncondition: [y, y, x]\n---\nT."))
	if got := triggers.Rules(); len(got) != 1 || got[0].Bucket != rule.TTSR || len(got[0].Triggers) != 2 || got[0].Globs != nil {
		t.Errorf("%v %+v", told(triggers), got[0])
	}
}

// TestFoldersNeverHide: rules of one tool with one name in several folders all
// apply, the outermost first, and an inner one bears its folder.
func TestFoldersNeverHide(t *testing.T) {
	tool := &rule.Format{Tool: "claude", GlobKeys: []string{"paths"}}
	own := &rule.Format{Tool: "native", GlobKeys: []string{"globs"}, Overrides: true}
	s := set(
		at(t, own, "p/pay", "n", "Near."), at(t, own, "", "n", "Far."),
		at(t, tool, "p/pay", "style", "Inner."), at(t, tool, "p/pay", "only", "Here."), at(t, tool, "", "style", "Outer."), at(t, tool, "", "last", "Last."),
	)
	want := []string{"n none", "n none hidden by /w/p/pay/native/n.md", "style none", "only none", "p/pay/style none", "last none"}
	if diff := cmp.Diff(want, told(s)); diff != "" {
		t.Error(diff)
	}
	if s.All()[2].Content != "Outer." || len(s.Warnings()) != 1 {
		t.Errorf("%s %v", s.All()[2].Content, s.Warnings())
	}
	// Equal texts are one before folders are looked at.
	if s = set(at(t, tool, "p/pay", "style", "Same."), at(t, tool, "", "style", "Same.")); len(s.Rules()) != 1 || s.Rules()[0].Name != "style" {
		t.Error(told(s))
	}
}

// TestPromptOnce: a text stands once in the prompt, however many names it has.
func TestPromptOnce(t *testing.T) {
	tool := &rule.Format{Tool: "cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply"}
	s := set(
		at(t, tool, "", "a", "---\nalwaysApply: true\n---\nUnique text."), at(t, tool, "", "b", "---\nalwaysApply: true\n---\nUnique text.\n"),
		at(t, tool, "", "c", "---\ndescription: same\n---\nOther."), at(t, tool, "", "d", "---\ndescription: same\n---\nOther."),
	)
	prompt := s.Prompt(rule.PromptOptions{})
	if strings.Count(prompt, "Unique text.") != 1 || strings.Count(prompt, "same") != 2 {
		t.Error(prompt)
	}
}
