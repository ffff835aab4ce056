package cases

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

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
	Find func(ctx context.Context, id string) (*strategy.Strategy, error)
	// Open reads a context file by its path, relative to the test file.
	Open func(path string) ([]byte, error)
	// Preprocessors are those that may run; nil: Pertain's own.
	Preprocessors *plan.Registry
	// Odd is told what a context says that nothing reads, by the line of the case;
	// nil: nobody is.
	Odd func(line int, list diag.List)
	// Budget is shared by the files of one run; nil: the usual one for this file alone.
	Budget *Budget
	// Share is what the file may have of its work, from now on; 0: everything that is left.
	Share time.Duration
}

// Progress is how far a file has come. The zero value has not begun.
type Progress struct {
	Results []Result
	Done    bool // false: its share was not enough

	begun bool
	next  int // of the cases
}

// Run runs the cases of the file in their order. The error is for cancellation alone.
func (f *File) Run(ctx context.Context, world World) ([]Result, error) {
	var p Progress
	err := f.RunOn(ctx, world, &p)
	return p.Results, err
}

// RunOn is Run from where the file has come to, which may have been read again since. It ends when all cases were run, when the
// share of the file is used up, or with a refusal when the budget is.
func (f *File) RunOn(ctx context.Context, world World, p *Progress) error {
	if !p.begun {
		p.begun, p.Results = true, slices.Clone(f.problems)
	}
	if p.next >= len(f.cases) {
		p.Done = true
		return nil
	}
	if world.Budget == nil {
		world.Budget = NewBudget()
	}
	t := world.Budget.turn(ctx, world.Share)
	defer t.stop()
	failed, err := f.runCases(t, world, p)
	ended := t.over()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if ended {
		world.Budget.look()
	} else if err != nil {
		return err
	}
	switch {
	case p.next >= len(f.cases):
		p.Done = true
	case world.Budget.over != "":
		p.Done = true
		f.refuse(world.Budget, p)
	case failed != nil && !ended:
		p.Done, p.Results = true, append(p.Results, *failed)
	}
	return nil
}

// runCases runs what is left of the cases, while there is time. The result is about the file as a whole; nil: there is none.
func (f *File) runCases(t turn, world World, p *Progress) (*Result, error) {
	s, err := world.Find(t, f.Strategy)
	if err != nil {
		line := 1
		if f.idNode != nil {
			line = f.line(f.idNode)
		}
		return &Result{File: f.Path, Line: line, Message: err.Error()}, nil
	}
	contexts := world.Budget.contexts(world.Open)
	under, message := contexts.layer(f.context)
	if message != "" {
		return &Result{File: f.Path, Line: f.line(f.context), Message: message}, nil
	}
	for _, c := range f.cases[p.next:] {
		failed, err := f.runCase(t, c, s, under, contexts, world)
		if err != nil || t.over() || world.Budget.over != "" {
			return nil, err
		}
		r := Result{File: f.Path, Name: strings.Clone(c.name), Line: c.line, Passed: failed == nil} // a result does not keep the file
		if failed != nil {
			r.Line, r.Message = failed.line, failed.message
		}
		p.Results = append(p.Results, r)
		p.next++
	}
	return nil, nil
}

// refuse tells that the rest of the cases was not run.
func (f *File) refuse(budget *Budget, p *Progress) {
	c, what := f.cases[p.next], "it was"
	if more := len(f.cases) - p.next - 1; more > 0 {
		what = fmt.Sprintf("it and %d more of the file were", more)
	}
	refusal := budget.Refusal(f.Path, c.line, what)
	refusal.Name = strings.Clone(c.name)
	p.Results = append(p.Results, refusal)
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
	if world.Odd != nil {
		if list := facts.Misfits(f.Path, context.Values()); len(list) > 0 {
			world.Odd(c.line, list)
		}
	}
	if !world.Budget.Spend(len(c.attach) * attachCost) {
		return nil, nil
	}
	context = c.attached(context, filepath.Dir(f.Path))
	m := contexts.matched(ctx, s, context)
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
	told   diag.List        // by match
	more   func() diag.List // by explain, which takes twice as long as match: only where somebody asks
}

// matched is what the strategy of the file comes to. Cases in one context share that.
func (c *contextFiles) matched(ctx context.Context, s *strategy.Strategy, snapshot *facts.Snapshot) match {
	if c.matchedIn != snapshot {
		c.matchedIn, c.match = snapshot, matched(ctx, s, snapshot)
	}
	return c.match
}

func matched(ctx context.Context, s *strategy.Strategy, snapshot *facts.Snapshot) match {
	m := match{told: slices.Clone(s.Diagnostics), more: func() diag.List { return nil }}
	if !s.Valid || !s.Enabled {
		return m
	}
	matching := cond.NewEvaluation(snapshot)
	matching.SetContext(ctx)
	m.result = s.Program.Eval(matching, s.Limits, &m.told)
	m.more = sync.OnceValue(func() (more diag.List) {
		explaining := cond.NewEvaluation(snapshot)
		explaining.SetContext(ctx)
		s.Program.Review(explaining, s.Limits, &more)
		return more
	})
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
