package plan_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
)

// TestShortestTimeout: a limit is what was given, however short it is.
func TestShortestTimeout(t *testing.T) {
	var left atomic.Int64
	registry := plan.NewRegistry(scripted{"late", func(ctx context.Context) ([]plan.Variable, error) {
		end, _ := ctx.Deadline()
		left.Store(int64(time.Until(end)))
		return nil, ctx.Err()
	}})
	build(t, registry, plan.Execution{Strategy: strategyOf("x", "late")}, plan.Options{Timeout: time.Nanosecond})
	if left := time.Duration(left.Load()); left > plan.DefaultTimeout/2 {
		t.Errorf("of a nanosecond %s are left", left)
	}
}

// TestGoneBeforeItBegins: who has gone away is told so, whatever else is wrong.
func TestGoneBeforeItBegins(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	p, list, err := plan.Build(ctx, nil, plan.Execution{Strategy: strategyOf("x", "there.is.none")}, plan.Options{})
	if p != nil || len(list) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%v %v %v", p, list, err)
	}
}

// TestTextOfManyElements: what is read of an element's parts ends when the text is as long as may be.
func TestTextOfManyElements(t *testing.T) {
	for length, want := range map[int]int{facts.MaxText - 1: facts.MaxText - 1, facts.MaxText - 2: facts.MaxText} {
		context := fmt.Sprintf(`{"visual": {"roots": [{"type": "Panel", "id": "all", "states": ["focused"], "children": [
			{"type": "Label", "text": "%s"}, {"type": "Label", "text": "z"}]}]}}`, strings.Repeat("x", length))
		info, _ := plan.BuiltinInfo(plan.VisualElementText)
		s := strategyOf("{"+info.Variables[0]+"}", plan.VisualElementText)
		p, list := build(t, nil, plan.Execution{Strategy: s, Snapshot: snapshot(t, context)}, plan.Options{})
		if p == nil || len(p.Prompt) != want {
			t.Errorf("%d: %v %v", length, p != nil, codes(list))
		}
	}
}
