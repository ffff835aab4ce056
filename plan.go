package pertain

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// PlanOptions say how a strategy is run. The zero value is a run without input.
type PlanOptions struct {
	Input   string        // what the user typed
	Timeout time.Duration // for each preprocessor; 0: 5 s
}

// Execution is the answer of [Engine.Plan].
type Execution struct {
	Strategy    *strategy.Strategy
	Plan        *plan.Plan // nil: there is no prompt
	Reason      string     // one sentence that says why there is none
	Permissions []string   // what the strategy reads and allows
	Diagnostics diag.List
}

// Plan runs one strategy: its preprocessors, then its templates (docs/reference/templates.md).
// The strategy need not match; one that is disabled, invalid or not trusted is
// not run. A nil snapshot is one in which nothing is known. ok is false if there is no such strategy; the error is for
// cancellation alone.
//
// The preprocessors are those of [Options], if that is a [plan.Registry], else
// Pertain's own.
func (e *Engine) Plan(ctx context.Context, id string, snapshot *facts.Snapshot, options PlanOptions) (x Execution, ok bool, err error) {
	catalog := e.Catalog()
	s, ok := catalog.ByID(id)
	if !ok {
		return Execution{}, false, nil
	}
	x = Execution{Strategy: s, Permissions: plan.Permissions(s, catalog.registry)}
	switch {
	case !s.Valid:
		x.Reason = "the strategy has mistakes"
		x.Diagnostics = slices.Clone(s.Diagnostics)
		if at := slices.IndexFunc(s.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); at >= 0 {
			x.Reason += ": " + s.Diagnostics[at].Sentence()
		}
		return x, true, nil
	case !s.Trusted:
		d := untrustedStrategy(s)
		x.Reason, x.Diagnostics = d.Sentence(), diag.List{d}
		return x, true, nil
	case !s.Enabled:
		x.Reason = "the strategy is disabled"
		return x, true, nil
	}
	x.Plan, x.Diagnostics, err = plan.Build(ctx, catalog.registry,
		plan.Execution{Strategy: s, Snapshot: orNothing(snapshot), Input: options.Input}, plan.Options{Timeout: options.Timeout})
	if err == nil && x.Plan == nil {
		x.Reason = x.Diagnostics[len(x.Diagnostics)-1].Sentence()
	}
	return x, true, err
}

// PlanNeeds is what has to be collected before a strategy is run, beyond what
// matching reads; ok is false if there is no such strategy.
func (e *Engine) PlanNeeds(id string) (needs facts.Needs, ok bool) {
	catalog := e.Catalog()
	s, ok := catalog.ByID(id)
	if !ok {
		return facts.Needs{}, false
	}
	return plan.Needs(s, catalog.registry), true
}

// UsesSelection tells whether a strategy has something to do with the selected text:
// its condition, templates or preprocessors.
func (e *Engine) UsesSelection(id string) bool {
	catalog := e.Catalog()
	s, ok := catalog.ByID(id)
	if !ok {
		return false
	}
	if s.When != nil && s.When.Reads(selectedText) || (plan.Execution{Strategy: s}).Uses(selectedText) {
		return true
	}
	return slices.ContainsFunc(s.Preprocessors, func(preprocessor string) bool {
		info, _ := catalog.registry.Info(preprocessor)
		return slices.Contains(info.Needs, selectedText)
	})
}

// TakesInput tells whether a strategy's templates have a place for the user's input.
func (e *Engine) TakesInput(id string) bool {
	s, ok := e.Catalog().ByID(id)
	return ok && (plan.Execution{Strategy: s}).TakesInput()
}

// registryOf are the preprocessors that the options name, else Pertain's own.
func registryOf(options Options) *plan.Registry {
	if r, ok := options.Preprocessors.(*plan.Registry); ok && r != nil {
		return r
	}
	return plan.Preprocessors()
}

// orNothing stands for a snapshot in which nothing is known where there is none.
func orNothing(snapshot *facts.Snapshot) *facts.Snapshot {
	if snapshot == nil {
		return facts.NewSnapshot(facts.Parts{})
	}
	return snapshot
}

// MarshalJSON writes the plan, or its form without a prompt and the reason.
func (x Execution) MarshalJSON() ([]byte, error) {
	if x.Plan != nil {
		return json.Marshal(x.Plan)
	}
	id := ""
	if x.Strategy != nil { // nil: there is no such strategy
		id = x.Strategy.ID
	}
	return json.Marshal(struct {
		ID           string    `json:"id"`
		Prompt       *string   `json:"prompt"`
		SystemPrompt *string   `json:"systemPrompt"`
		Tools        any       `json:"tools"`
		Variables    []string  `json:"variables"`
		Permissions  []string  `json:"permissions"`
		Reason       string    `json:"reason"`
		Diagnostics  diag.List `json:"diagnostics"`
	}{ID: id, Variables: []string{}, Permissions: orEmpty(x.Permissions), Reason: x.Reason, Diagnostics: x.Diagnostics})
}
