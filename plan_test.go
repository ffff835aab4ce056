package pertain_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
)

// weather is a preprocessor that a program brings itself.
type weather struct{}

func (weather) Info() plan.Info {
	return plan.Info{ID: "weather", Permission: "Reads the weather", Variables: []string{"preprocess.weather"}, Needs: []string{"extra.weather"}}
}

func (weather) Process(ctx context.Context, _ plan.Execution) ([]plan.Variable, error) {
	return []plan.Variable{{Name: "preprocess.weather", Value: facts.Text("sunny")}}, ctx.Err()
}

func planEngine(t *testing.T, registry *plan.Registry, text string) *pertain.Engine {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.strategy.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	location, err := pertain.Locate(pertain.Environment{Dir: dir, Strategies: []string{dir}, NoBuiltin: true, Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if registry != nil {
		location.Options.Preprocessors = registry
	}
	engine, err := pertain.Open(t.Context(), location.Options)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

func TestPlanWithAPreprocessorOfOnesOwn(t *testing.T) {
	const text = "---\nname: X\npreprocessors: [weather, clipboard-text]\n---\n{preprocess.weather}, {clipboard.text}, {extra.workspace.name}\n"
	engine := planEngine(t, plan.Preprocessors().With(weather{}), text)
	needs, ok := engine.PlanNeeds("USER.x")
	if got := strings.Join(needs.Names(), " "); !ok || got != "clipboard.text extra.weather extra.workspace" {
		t.Errorf("needs %s", got)
	}
	snapshot := facts.NewSnapshot(facts.Parts{Values: facts.Fields()}).With("clipboard.text", facts.Text("C"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			x, ok, err := engine.Plan(t.Context(), "user.x", snapshot, pertain.PlanOptions{Input: "more"})
			if err != nil || !ok || x.Plan == nil || x.Plan.Prompt != "sunny, C, \n\n<UserRequestStart>\nmore" {
				t.Errorf("%+v, %v, %v", x, ok, err)
			}
		})
	}
	wg.Wait()
	if _, ok, _ := engine.Plan(t.Context(), "user.y", snapshot, pertain.PlanOptions{}); ok {
		t.Error("there is no such strategy")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if x, _, err := engine.Plan(ctx, "user.x", snapshot, pertain.PlanOptions{}); x.Plan != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", x, err)
	}
}

func TestPlanOfWhatMayNotRun(t *testing.T) {
	snapshot := facts.NewSnapshot(facts.Parts{Values: facts.Fields()})
	for text, reason := range map[string]string{
		"---\nname: X\nenabled: false\n---\nBody\n":                 "the strategy is disabled",
		"---\nname: X\npriority: high\n---\nBody\n":                 "the strategy has mistakes: `priority` must be a whole number",
		"---\nname: X\npreprocessors: [weather]\n---\nBody\n":       "the strategy has mistakes: there is no preprocessor `weather`",
		"---\nname: X\npreprocessors: [selected-text]\n---\nBody\n": "the preprocessor `selected-text` gave nothing: no text is selected",
	} {
		x, ok, err := planEngine(t, nil, text).Plan(t.Context(), "user.x", snapshot, pertain.PlanOptions{})
		if err != nil || !ok || x.Plan != nil || !strings.HasPrefix(x.Reason, reason) {
			t.Errorf("want %s, got %s (%v, %v)", reason, x.Reason, ok, err)
		}
		data, err := json.Marshal(x)
		if err != nil || !strings.Contains(string(data), `"prompt":null`) || strings.Contains(string(data), "Body") {
			t.Errorf("%s, %v", data, err)
		}
	}
}

// TestMatchNamesWhatPreprocessorsOfOnesOwnRead holds that a user is told the
// same before choosing as when the strategy is run.
func TestMatchNamesWhatPreprocessorsOfOnesOwnRead(t *testing.T) {
	engine := planEngine(t, plan.Preprocessors().With(weather{}), "---\nname: X\npreprocessors: [weather]\n---\nBody\n")
	m, err := engine.Match(t.Context(), nil, pertain.MatchOptions{All: true})
	if err != nil || len(m.Candidates) != 1 {
		t.Fatalf("%v, %v", m, err)
	}
	x, _ := engine.Explain("user.x", nil, pertain.ExplainOptions{})
	run, _, err := engine.Plan(t.Context(), "user.x", nil, pertain.PlanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string][]string{"match": m.Candidates[0].Permissions, "explain": x.Permissions, "plan": run.Permissions} {
		if len(got) != 1 || got[0] != "Reads the weather" {
			t.Errorf("%s says %q", what, got)
		}
	}
}

// TestNothingIsKnown holds that no snapshot is one in which nothing is known, and
// that answers for ids that are not known have a JSON form.
func TestNothingIsKnown(t *testing.T) {
	engine := planEngine(t, nil, "---\nname: X\npreprocessors: [clipboard-text]\nwhen:\n  all:\n    - {clipboard.text: {contains: x}}\n    - visual.exists: {query: \"//Button\"}\n---\n{clipboard.text} {preprocess.nothing}\n")
	if s, _ := engine.Catalog().ByID("user.x"); !s.Valid {
		t.Fatal(s.Diagnostics)
	}
	m, err := engine.Match(t.Context(), nil, pertain.MatchOptions{All: true, Reasons: true})
	if err != nil || len(m.Candidates) != 1 {
		t.Errorf("%v, %v", m, err)
	}
	if x, ok := engine.Explain("user.x", nil, pertain.ExplainOptions{Values: true}); !ok || x.Tree == nil {
		t.Errorf("%v", x)
	}
	if x, ok, err := engine.Plan(t.Context(), "user.x", nil, pertain.PlanOptions{}); !ok || err != nil || x.Reason == "" {
		t.Errorf("%v, %v", x, err)
	}
	if _, list := pertain.Query(nil, "//Button", pertain.QueryOptions{}); len(list) != 1 || list[0].Code != diag.VisualUnavailable {
		t.Errorf("%v", list)
	}
	unknown, _ := engine.Explain("user.none", nil, pertain.ExplainOptions{})
	run, _, _ := engine.Plan(t.Context(), "user.none", nil, pertain.PlanOptions{})
	for what, v := range map[string]any{
		"explanation": unknown, "execution": run, "candidate": pertain.Candidate{}, "match": pertain.Match{},
		"matches": pertain.Match{Candidates: make([]pertain.Candidate, 1)}, "tree": pertain.Explanation{Tree: &cond.Trace{}},
	} {
		data, err := json.Marshal(v)
		if err != nil || !json.Valid(data) {
			t.Errorf("%s: %s, %v", what, data, err)
		}
	}
	var book pertain.Rulebook
	if got := book.ForPaths([]string{"/x"}, true); len(got) != 1 {
		t.Errorf("%v", got)
	}
}
