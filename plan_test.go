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
	location, err := pertain.Locate(pertain.Place{Dir: dir, Strategies: []string{dir}, NoBuiltin: true, Env: func(string) string { return "" }})
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
