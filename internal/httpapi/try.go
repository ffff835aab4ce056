package httpapi

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

type tryInput struct {
	Source     string `json:"source" jsonschema:"text of a strategy file"`
	Context    string `json:"context,omitempty" jsonschema:"text of a context, JSON or YAML; empty: nothing is known"`
	ShowValues bool   `json:"showValues,omitempty" jsonschema:"also the values that were compared"`
}

type tryAnswer struct {
	Strategy     *pertain.Explanation `json:"strategy" jsonschema:"the strategy with its condition tree"`
	Problems     []problem            `json:"problems"`
	ContextError string               `json:"contextError,omitempty" jsonschema:"why the context cannot be read; the strategy was tried without it"`
}

// try checks and matches a strategy that exists nowhere but in the request. It
// is never run: its preprocessors and `from` read files, and nobody has looked
// at them yet.
func (s *Server) try(ctx context.Context, in tryInput) (tryAnswer, error) {
	var out tryAnswer
	snapshot, err := s.workspace.Decode([]byte(in.Context))
	if err != nil {
		out.ContextError = err.Error()
		if snapshot, err = s.workspace.Decode([]byte("{}")); err != nil {
			return out, err
		}
	}
	normalizer := strategy.Normalizer{Preprocessors: plan.Preprocessors()}
	origin := strategy.Origin{Provider: "user", Path: "playground.strategy.md", Trusted: true}
	tried := normalizer.Normalize(ctx, "playground.strategy.md", []byte(in.Source), origin)
	if err := ctx.Err(); err != nil {
		return out, err
	}
	x := explainOne(tried, snapshot, in.ShowValues)
	out.Strategy, out.Problems = &x, s.excerpts(x.Diagnostics)
	return out, nil
}

// explainOne is [pertain.Engine.Explain] for a strategy of no catalog.
func explainOne(s *strategy.Strategy, snapshot *facts.Snapshot, values bool) pertain.Explanation {
	x := pertain.Explanation{Candidate: pertain.Candidate{
		Strategy: s, Result: cond.Null, Permissions: plan.Permissions(s, plan.Preprocessors()), Diagnostics: s.Diagnostics,
	}}
	if !s.Valid {
		return x
	}
	start := time.Now()
	list := s.Diagnostics[:len(s.Diagnostics):len(s.Diagnostics)]
	x.Result, x.Tree = s.Program.Explain(cond.NewEvaluation(snapshot), s.Limits, &list, values)
	x.Duration = time.Since(start)
	list.ForStrategy(s.ID)
	x.Diagnostics = list
	return x
}
