package cases

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// World is what cases are run in.
type World struct {
	// Find finds a strategy by its id, or with an empty one that of the file beside
	// the test file. The error says why there is none, in a few words.
	Find func(id string) (*strategy.Strategy, error)
	// Open reads a context file by its path, relative to the test file.
	Open func(path string) ([]byte, error)
	// Preprocessors are those that may run; nil: Pertain's own.
	Preprocessors *plan.Registry
	// Odd is told what a context says that nothing reads, by the line of the case;
	// nil: nobody is.
	Odd func(line int, list diag.List)
	// Budget is shared by the files of one run; nil: the usual one for this file alone.
	Budget *Budget
}

// Run runs the cases of the file in their order. The error is for cancellation alone.
func (f *File) Run(ctx context.Context, world World) ([]Result, error) {
	out := slices.Clone(f.problems)
	if len(f.cases) == 0 {
		return out, nil
	}
	s, err := world.Find(f.Strategy)
	if err != nil {
		line := 1
		if f.idNode != nil {
			line = f.line(f.idNode)
		}
		return append(out, Result{File: f.Path, Line: line, Message: err.Error()}), nil
	}
	if world.Budget == nil {
		world.Budget = NewBudget()
	}
	contexts := world.Budget.contexts(world.Open)
	under, message := contexts.layer(f.context)
	if message != "" {
		return append(out, Result{File: f.Path, Line: f.line(f.context), Message: message}), nil
	}
	within, stop := world.Budget.within(ctx)
	defer stop()
	for i, c := range f.cases {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		r := Result{File: f.Path, Name: c.name, Line: c.line}
		failed, err := f.runCase(within, c, s, under, contexts, world)
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case within.Err() != nil: // what it came to is not to be relied on
			world.Budget.outOfTime()
		case err != nil:
			return out, err
		}
		if world.Budget.over != "" {
			what := "it was"
			if more := len(f.cases) - i - 1; more > 0 {
				what = fmt.Sprintf("it and %d more of the file were", more)
			}
			refusal := world.Budget.Refusal(f.Path, c.line, what)
			refusal.Name = c.name
			return append(out, refusal), nil
		}
		r.Passed = failed == nil
		if failed != nil {
			r.Line, r.Message = failed.line, failed.message
		}
		out = append(out, r)
	}
	return out, nil
}

// failure is why a case failed.
type failure struct {
	line    int
	message string
}

func fail(line int, format string, args ...any) *failure {
	return &failure{line, fmt.Sprintf(format, args...)}
}

// runCase runs one case; nil: it passed, or the budget is used up.
func (f *File) runCase(ctx context.Context, c *testCase, s *strategy.Strategy, under *layer, contexts *contextFiles, world World) (*failure, error) {
	if !world.Budget.Spend(caseCost) {
		return nil, nil
	}
	if c.mistake != "" {
		return fail(c.mistakeAt, "%s", c.mistake), nil
	}
	over, message := contexts.layer(c.context)
	if message != "" {
		return fail(f.line(c.context), "%s", message), nil
	}
	context, size, message := contexts.snapshot(under, over, world.Budget)
	if message != "" {
		return fail(c.line, "%s", message), nil
	}
	if context == nil || !world.Budget.Spend(size) {
		return nil, nil
	}
	if list := facts.Misfits(f.Path, context.Values()); len(list) > 0 && world.Odd != nil {
		world.Odd(c.line, list)
	}
	if !world.Budget.Spend(len(c.attach) * attachCost) {
		return nil, nil
	}
	context = c.attached(context, filepath.Dir(f.Path))
	m := matched(ctx, s, context)
	if bad := f.checkResult(c, s, m); bad != nil {
		return bad, nil
	}
	if !c.wantsPrompt && !c.hasCodes && c.fails == "" {
		return nil, nil
	}
	r, err := executed(ctx, s, context, c.input, world.Preprocessors)
	if err != nil {
		return nil, err
	}
	if r.plan != nil && !world.Budget.Spend(len(r.plan.Prompt)+len(r.plan.SystemPrompt)) {
		return nil, nil
	}
	return f.checkRun(c, m, r, world.Budget), nil
}

// match is what matching came to.
type match struct {
	result cond.Tri
	told   diag.List // by match
	more   diag.List // by explain
}

func matched(ctx context.Context, s *strategy.Strategy, snapshot *facts.Snapshot) match {
	m := match{told: slices.Clone(s.Diagnostics)}
	if !s.Valid || !s.Enabled {
		return m
	}
	matching, explaining := cond.NewEvaluation(snapshot), cond.NewEvaluation(snapshot)
	matching.SetContext(ctx)
	explaining.SetContext(ctx)
	m.result = s.Program.Eval(matching, s.Limits, &m.told)
	s.Program.Explain(explaining, s.Limits, &m.more, false)
	return m
}

// execution is what running came to.
type execution struct {
	plan   *plan.Plan // nil: there is no prompt
	told   diag.List
	reason string // why there is none
}

func executed(ctx context.Context, s *strategy.Strategy, snapshot *facts.Snapshot, input string, registry *plan.Registry) (execution, error) {
	switch {
	case !s.Valid:
		return execution{told: s.Diagnostics, reason: mistakes(s)}, nil
	case !s.Enabled:
		return execution{reason: "the strategy is disabled"}, nil
	}
	p, list, err := plan.Build(ctx, registry, plan.Execution{Strategy: s, Snapshot: snapshot, Input: input}, plan.Options{})
	if err != nil {
		return execution{}, err
	}
	x := execution{plan: p, told: list}
	if p == nil && len(list) > 0 {
		x.reason = list[len(list)-1].Sentence()
	}
	return x, nil
}

// mistakes words what is wrong with a strategy that is not valid.
func mistakes(s *strategy.Strategy) string {
	for _, d := range s.Diagnostics {
		if d.Severity == diag.Error {
			return "the strategy has mistakes: " + d.Sentence()
		}
	}
	return "the strategy has mistakes"
}

// codes are the codes of lists, each once.
func codes(lists ...diag.List) []string {
	var out []string
	for _, list := range lists {
		for _, d := range list {
			if !slices.Contains(out, string(d.Code)) {
				out = append(out, string(d.Code))
			}
		}
	}
	return out
}

func quoted(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return "`" + strings.Join(words, "`, `") + "`"
}
