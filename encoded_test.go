package pertain_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// TestReasonsOfAMatch holds that the reasons that come with a match are those of
// an explanation, also where they were kept from an earlier match in another
// context.
func TestReasonsOfAMatch(t *testing.T) {
	dir := t.TempDir()
	has := func(word string) string { return fmt.Sprintf("{attachments.text: {contains: %s}}", word) }
	clip := "{clipboard.text: {contains: a}}"
	for name, when := range map[string]string{
		"one":          has("a"),
		"all":          "{all: [" + has("a") + ", " + clip + "]}",
		"any":          "{any: [" + has("a") + ", " + clip + "]}",
		"any of one":   "{any: [" + has("a") + "]}",
		"none":         "{none: [" + has("x") + ", {clipboard.text: {contains: x}}]}",
		"none of any":  "{none: [{any: [" + has("x") + ", {clipboard.text: {contains: x}}]}]}",
		"none of all":  "{none: [{all: [{attachments.text: {contains: b}}, {clipboard.text: {contains: b}}]}]}",
		"none of none": "{none: [{none: [" + has("a") + ", " + clip + "]}]}",
		"nested":       "{all: [" + has("a") + ", {any: [{clipboard.text: {contains: b}}, {clipboard.text: {contains: a}}, {attachments.selection.text: {contains: a}}]}]}",
		"always":       "{all: []}",
		"several":      "{attachments.text: {contains: a}, clipboard.text: {length: {min: 1}}}",
	} {
		text := fmt.Sprintf("---\nname: %s\nwhen: %s\n---\nx\n", name, when)
		if err := os.WriteFile(filepath.Join(dir, name+".strategy.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	engine := openFolder(t, dir)
	seen := map[string]bool{}
	for _, text := range []string{"a", "b", "ab", "", "x"} {
		for _, clipboard := range []string{"a", "b", "ab", ""} {
			snapshot, err := facts.Decode("test", fmt.Appendf(nil, `{"attachments":{"text":%q,"selection":{"text":%q}},"clipboard":{"text":%q}}`, text, clipboard, clipboard))
			if err != nil {
				t.Fatal(err)
			}
			for _, all := range []bool{false, true} {
				m, err := engine.Match(t.Context(), snapshot, pertain.MatchOptions{All: all, Reasons: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range m.Candidates {
					x, ok := engine.Explain(c.Strategy.ID, snapshot, pertain.ExplainOptions{})
					if !ok || c.Result == cond.True && !slices.Equal(c.Reasons, x.Reasons()) || c.Result != cond.True && c.Reasons != nil {
						t.Errorf("%s with %q and %q: got %q, want %q", c.Strategy.Name, text, clipboard, c.Reasons, x.Reasons())
					}
					if c.Result == cond.True {
						seen[c.Strategy.Name] = true
					}
				}
			}
		}
	}
	if len(seen) != 11 {
		t.Errorf("only these were ever recommended: %v", seen)
	}
	m, err := engine.Match(t.Context(), facts.NewSnapshot(facts.Parts{Values: facts.Fields()}), pertain.MatchOptions{})
	if err != nil || len(m.Candidates) == 0 || m.Candidates[0].Reasons != nil {
		t.Errorf("reasons though nobody asked: %v, %v", m.Candidates, err)
	}
}

// TestCandidateForm holds the documented form to the letter (docs/reference/json.md).
func TestCandidateForm(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.strategy.md")
	text := "---\nname: \"A <b> & \\\"c\\\"\"\ndescription: d\nicon: FileText\npriority: 7\nwhen:\n  clipboard.text:\n    contains: a\n---\n{attachments.text}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	engine := openFolder(t, dir)
	snapshot, err := facts.Decode("test", []byte(`{"clipboard":{"text":"a"}}`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.Match(t.Context(), snapshot, pertain.MatchOptions{Reasons: true})
	if err != nil || len(m.Candidates) != 1 {
		t.Fatal(m, err)
	}
	m.Candidates[0].Duration = 1500
	source, err := json.Marshal(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"user.a","name":"A \u003cb\u003e \u0026 \"c\"","description":"d","icon":"FileText","priority":7,"provider":"user","source":` + string(source) + `,"includes":[],` +
		`"enabled":true,"valid":true,"trusted":true,"result":true,"durationMs":0.0015,"title":null,"reads":["clipboard.text"],"permissions":["Reads clipboard text"],"diagnostics":[]}`
	form := func(value any) string {
		t.Helper()
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if diff := cmp.Diff(want, form(m.Candidates[0])); diff != "" {
		t.Errorf("candidate (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(`{"candidates":[`+want+`],"diagnostics":[],"notices":[]}`, form(m)); diff != "" {
		t.Errorf("match (-want +got):\n%s", diff)
	}
	x := pertain.Explanation{Candidate: m.Candidates[0]}
	if diff := cmp.Diff(want[:len(want)-1]+`,"tree":null}`, form(x)); diff != "" {
		t.Errorf("explanation (-want +got):\n%s", diff)
	}
	changed := m.Candidates[0]
	changed.Permissions = []string{"Other"}
	if got := form(changed); !json.Valid([]byte(got)) || slices.Equal([]byte(got), []byte(want)) {
		t.Errorf("what was changed is not shown: %s", got)
	}
}

func openFolder(t *testing.T, dir string) *pertain.Engine {
	t.Helper()
	location, err := pertain.Locate(pertain.Environment{Dir: dir, Strategies: []string{dir}, NoBuiltin: true})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := pertain.Open(t.Context(), location.Options)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}
