package plan_test

import (
	"testing"

	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// TestBuiltinInfo: Pertain's own preprocessors are described, others are not.
func TestBuiltinInfo(t *testing.T) {
	for _, id := range plan.Preprocessors().IDs() {
		if info, ok := plan.BuiltinInfo(id); !ok || info.ID != id || info.Name == "" || info.Description == "" || info.Permission == "" || len(info.Variables) == 0 || len(info.Needs) == 0 {
			t.Errorf("%s: %+v, %v", id, info, ok)
		}
	}
	if info, ok := plan.BuiltinInfo("other"); ok || info.ID != "" {
		t.Errorf("%+v", info)
	}
}

// TestNoSource: a strategy that is in no file is run all the same, and what is missing has no place.
func TestNoSource(t *testing.T) {
	s := &strategy.Strategy{ID: "user.x", Body: "a {clipboard.text}", SystemPrompt: "b {clipboard.hasText}"}
	p, list := build(t, nil, plan.Execution{Strategy: s}, plan.Options{})
	if p == nil || p.Prompt != "a " || p.SystemPrompt != "b " || len(list) != 2 || list[0].Source != nil || list[0].Span.IsValid() {
		t.Errorf("%+v, %v", p, list)
	}
}
