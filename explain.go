package pertain

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"

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

	// Room is asked, now and then, before the tree takes so many more bytes of memory; a small tree is made without asking.
	// Its error ends the explanation. nil: there is room.
	Room func(bytes int) error
}

// Explain evaluates every node of a strategy's condition. ok is false if there
// is no such strategy. One that is disabled or not trusted is explained too, but
// its result stays unknown. It has no more time than a whole match, and its tree has a limit ([cond.Program.Explain]). A nil snapshot
// is one in which nothing is known. There is no explanation either where the options have no room for it.
func (e *Engine) Explain(id string, snapshot *facts.Snapshot, options ExplainOptions) (explanation Explanation, ok bool) {
	explanation, ok, err := e.ExplainContext(context.Background(), id, snapshot, options)
	return explanation, ok && err == nil
}

// ExplainContext is Explain for callers that may stop waiting for the answer. The
// error is that of ctx, if it ended before there was an answer, or that of the options' Room.
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
	var full error
	if options.Room != nil {
		ev.SetRoom(func(bytes int) bool { full = options.Room(bytes); return full == nil })
	}
	result, tree := s.Program.Explain(ev, s.Limits, &list, options.Values)
	took := time.Since(start)
	if err := cmp.Or(ctx.Err(), full); err != nil {
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
	x := Explanation{Candidate: catalog.candidate(s, snapshot, result, took, list), Tree: tree}
	x.Diagnostics = x.Diagnostics.Limit()
	return x, true, nil
}

// traceJSON is the documented form of a node, up to its children.
type traceJSON struct {
	Kind       string   `json:"kind"`
	Label      string   `json:"label"`
	Result     cond.Tri `json:"result"`
	Reason     string   `json:"reason,omitempty"`
	DurationMS float64  `json:"durationMs"`
	Line       int      `json:"line,omitempty"`
	Column     int      `json:"column,omitempty"`
	File       string   `json:"file,omitempty"`
	Value      any      `json:"value,omitempty"`
	Cut        bool     `json:"valueTruncated,omitempty"`
	Unlisted   int      `json:"notListed,omitempty"`
}

// traceWriter writes a tree node by node, so that there is no other one beside it.
type traceWriter struct {
	own *diag.Source // the strategy's file

	source *diag.Source // of the node before
	offset int          // where it stands
	at     diag.Position
}

func (w *traceWriter) append(b []byte, t *cond.Trace) ([]byte, error) {
	node := traceJSON{
		Kind: t.Kind, Label: t.Label, Result: t.Result, Reason: t.Reason, DurationMS: milliseconds(t.Duration),
		Cut: t.Cut, Unlisted: t.Unlisted,
	}
	if t.Source != nil {
		pos := w.position(t.Source, t.Span.Start)
		node.Line, node.Column = pos.Line, pos.Column
		if t.Source != w.own {
			node.File = t.Source.Name() // a condition that `from` brought
		}
	}
	if !t.Value.IsAbsent() {
		node.Value = t.Value
	}
	text, err := json.Marshal(node)
	if err != nil {
		return b, err
	}
	b = append(b, text[:len(text)-1]...)
	b = append(b, `,"children":[`...)
	for i, child := range t.Children {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = w.append(b, child); err != nil {
			return b, err
		}
	}
	return append(b, "]}"...), nil
}

// position is where a node stands. Most stand behind the one before: of a condition on one long line,
// each character is counted once.
func (w *traceWriter) position(source *diag.Source, offset int) diag.Position {
	if source == w.source && offset >= w.offset && offset <= len(source.Text()) && source.LineAt(offset) == w.at.Line {
		w.at.Column += utf8.RuneCountInString(source.Text()[w.offset:offset])
	} else {
		w.at = source.Position(offset)
	}
	w.source, w.offset = source, offset
	return w.at
}

// MarshalJSON writes the candidate's fields and the tree.
func (x Explanation) MarshalJSON() ([]byte, error) { return x.AppendJSON(nil) }

// AppendJSON appends the candidate's fields and the tree.
func (x Explanation) AppendJSON(b []byte) ([]byte, error) {
	b, err := x.Candidate.AppendJSON(b)
	if err != nil {
		return b, err
	}
	b = append(b[:len(b)-1], `,"tree":`...) // in place of the brace
	if x.Tree == nil {
		return append(b, "null}"...), nil
	}
	w := traceWriter{own: x.source()}
	if b, err = w.append(b, x.Tree); err != nil {
		return b, err
	}
	return append(b, '}'), nil
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
