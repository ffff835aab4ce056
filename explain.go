package pertain

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Explanation is a candidate with its whole condition tree.
type Explanation struct {
	Candidate
	Tree *cond.Trace // nil: the strategy is not valid
}

// ExplainOptions say what an explanation holds.
type ExplainOptions struct {
	Values bool // also the values that were compared, which are the user's
}

// Explain evaluates every node of a strategy's condition. ok is false if there
// is no such strategy. One that is disabled or not trusted is explained too, but
// its result stays unknown. It has no more time than a whole match. A nil snapshot is one in which nothing is known.
func (e *Engine) Explain(id string, snapshot *facts.Snapshot, options ExplainOptions) (explanation Explanation, ok bool) {
	explanation, ok, _ = e.ExplainContext(context.Background(), id, snapshot, options) // which is never over
	return explanation, ok
}

// ExplainContext is Explain for callers that may stop waiting for the answer. The
// error is that of ctx, if it ended before there was an answer.
func (e *Engine) ExplainContext(ctx context.Context, id string, snapshot *facts.Snapshot, options ExplainOptions) (explanation Explanation, ok bool, err error) {
	catalog := e.Catalog()
	s, ok := catalog.ByID(id)
	if !ok {
		return Explanation{}, false, nil
	}
	snapshot = orNothing(snapshot)
	if !s.Valid {
		return Explanation{Candidate: catalog.candidate(s, snapshot, cond.Null, 0, nil)}, true, nil
	}
	var list diag.List
	start := time.Now()
	ev := cond.NewEvaluation(snapshot)
	ev.SetContext(ctx)
	ev.SetBudget(cmp.Or(catalog.budget, cond.DefaultBudget))
	result, tree := s.Program.Explain(ev, s.Limits, &list, options.Values)
	took := time.Since(start)
	if err := ctx.Err(); err != nil {
		return Explanation{}, true, err
	}
	if ev.Left() <= 0 && slices.ContainsFunc(list, expired) { // not its own limit: that of a whole match
		list = append(slices.DeleteFunc(list, expired), ev.OutOfBudget(s.Program))
	}
	s.Claim(list)
	list = reported{}.add(list) // what is missing in a hundred items is said once
	list = append(list, snapshot.Diagnostics()...)
	if !active(s) {
		result = cond.Null
	}
	return Explanation{Candidate: catalog.candidate(s, snapshot, result, took, list), Tree: tree}, true, nil
}

// traceJSON is the documented form of a node.
type traceJSON struct {
	Kind       string      `json:"kind"`
	Label      string      `json:"label"`
	Result     cond.Tri    `json:"result"`
	Reason     string      `json:"reason,omitempty"`
	DurationMS float64     `json:"durationMs"`
	Line       int         `json:"line,omitempty"`
	Column     int         `json:"column,omitempty"`
	File       string      `json:"file,omitempty"`
	Value      any         `json:"value,omitempty"`
	Children   []traceJSON `json:"children"`
}

func wireTrace(t *cond.Trace, own *diag.Source) traceJSON {
	w := traceJSON{Kind: t.Kind, Label: t.Label, Result: t.Result, Reason: t.Reason, DurationMS: milliseconds(t.Duration), Children: []traceJSON{}}
	if t.Source != nil {
		pos := t.Source.Position(t.Span.Start)
		w.Line, w.Column = pos.Line, pos.Column
		if t.Source != own {
			w.File = t.Source.Name() // a condition that `from` brought
		}
	}
	if !t.Value.IsAbsent() {
		w.Value = t.Value
	}
	for _, child := range t.Children {
		w.Children = append(w.Children, wireTrace(child, own))
	}
	return w
}

// MarshalJSON writes the candidate's fields and the tree.
func (x Explanation) MarshalJSON() ([]byte, error) { return x.AppendJSON(nil) }

// AppendJSON appends the candidate's fields and the tree.
func (x Explanation) AppendJSON(b []byte) ([]byte, error) {
	b, err := x.Candidate.AppendJSON(b)
	if err != nil {
		return b, err
	}
	tree := []byte("null")
	if x.Tree != nil {
		if tree, err = json.Marshal(wireTrace(x.Tree, x.source())); err != nil {
			return b, err
		}
	}
	b = append(b[:len(b)-1], `,"tree":`...) // in place of the brace
	return append(append(b, tree...), '}'), nil
}

// source is the strategy's own file; nil: there is none.
func (c Candidate) source() *diag.Source {
	if c.Strategy == nil {
		return nil
	}
	return c.Strategy.Source
}

// Reasons are the conditions that settled the result, in a few words: those
// that hold if the strategy matched, and those that do not hold if it did not.
func (x Explanation) Reasons() []string {
	var out []string
	for t, negated := range x.Tree.Deciding() {
		label := t.Label
		if negated {
			label = "not " + label
		}
		out = append(out, label)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
