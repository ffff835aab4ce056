package collect

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// assistant tells what the settings say about the assistant (docs/reference/paths.md).
type assistant struct {
	object facts.Value
}

func (assistant) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "settings", Serves: []string{"assistant"}}
}

func (assistant) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

func (a assistant) Collect(_ context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	var part facts.Part
	known := 0
	for _, need := range request.Needs.Names() {
		if v := facts.Item(a.object, strings.TrimPrefix(need, "assistant.")); !v.IsAbsent() {
			part = part.With(need, v)
			known++
		}
	}
	if known == 0 {
		return facts.Part{}, facts.Unavailable("the settings do not say it", "write it under `assistant:` in the settings file")
	}
	return part, nil
}
