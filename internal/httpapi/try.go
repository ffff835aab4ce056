package httpapi

import (
	"cmp"
	"context"
	"strings"
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
	Like       string `json:"like,omitempty" jsonschema:"id of the saved strategy that it is a version of: it gets that one's id, and its from is followed if it is the same"`
	Input      string `json:"input,omitempty" jsonschema:"what the user wants to add to the prompt"`
}

type tryAnswer struct {
	Strategy     *pertain.Explanation `json:"strategy" jsonschema:"the strategy with its condition tree"`
	Problems     []problem            `json:"problems"`
	Plan         *pertain.Execution   `json:"plan,omitempty" jsonschema:"the prompt, if the strategy is recommended in this context"`
	Unread       []string             `json:"unread,omitempty" jsonschema:"preprocessors that were not run since they read files or pages; in the prompt, the names of their variables stand for what they find"`
	ContextError string               `json:"contextError,omitempty" jsonschema:"why the context cannot be read; the strategy was tried without it"`
}

// try checks and matches a strategy that exists nowhere but in the request, and
// renders its prompt. No file is read for it: nobody has looked at it yet.
func (s *Server) try(ctx context.Context, in tryInput) (tryAnswer, error) {
	var out tryAnswer
	if err := cmp.Or(takeYAML(ctx, []byte(in.Context)), takeYAML(ctx, frontmatterOf(in.Source))); err != nil {
		return out, err
	}
	snapshot, err := s.workspace.Decode([]byte(in.Context))
	if err != nil {
		out.ContextError = err.Error()
		if snapshot, err = s.workspace.Decode([]byte("{}")); err != nil {
			return out, err
		}
	}
	saved, _ := s.workspace.Engine().Catalog().ByID(in.Like) // one that is gone meanwhile is tried as a new one
	normalizer := strategy.Normalizer{Preprocessors: plan.Preprocessors(), Resolvers: []strategy.Resolver{newDraftResolver(ctx, saved)}}
	tried := normalizer.Normalize(ctx, "playground.strategy.md", []byte(in.Source), draftOrigin(saved))
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if saved != nil && !saved.Trusted { // it is still a stranger's
		tried.Limits = tried.Limits.AtMost(cond.DefaultLimits())
	}
	x, err := explainOne(ctx, tried, snapshot, in.ShowValues)
	if err != nil {
		return out, err
	}
	if out.Plan, out.Unread, err = draftPlan(ctx, x, snapshot, in.Input); err != nil {
		return out, err
	}
	list := x.Diagnostics
	if out.Plan != nil {
		list = append(list[:len(list):len(list)], out.Plan.Diagnostics...)
	}
	out.Strategy, out.Problems = &x, s.excerpts(list)
	return out, nil
}

// frontmatterOf is what is read as YAML of the text of a strategy, as far as it can be told without reading it.
func frontmatterOf(source string) []byte {
	front, _, _ := strings.Cut(source, "\n---")
	return []byte(front)
}

// explainOne is [pertain.Engine.ExplainContext] for a strategy of no catalog.
func explainOne(ctx context.Context, s *strategy.Strategy, snapshot *facts.Snapshot, values bool) (pertain.Explanation, error) {
	x := pertain.Explanation{Candidate: pertain.Candidate{
		Strategy: s, Title: s.TitleFor(pertain.Locale(snapshot)), Result: cond.Null, Permissions: plan.Permissions(s, plan.Preprocessors()), Diagnostics: s.Diagnostics,
	}}
	if !s.Valid {
		return x, nil
	}
	start := time.Now()
	list := s.Diagnostics[:len(s.Diagnostics):len(s.Diagnostics)]
	ev := cond.NewEvaluation(snapshot)
	ev.SetContext(ctx)
	ev.SetBudget(cond.DefaultBudget)
	var full error
	if room := treeRoom(ctx); room != nil {
		ev.SetRoom(func(bytes int) bool { full = room(bytes); return full == nil })
	}
	x.Result, x.Tree = s.Program.Explain(ev, s.Limits, &list, values)
	x.Duration = time.Since(start)
	s.Claim(list)
	x.Diagnostics = list.Limit()
	return x, cmp.Or(ctx.Err(), full)
}
