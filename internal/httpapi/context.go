package httpapi

import (
	"context"
	"encoding/json"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

type contextQuery struct {
	ID         string `json:"id,omitempty" jsonschema:"also what running this strategy reads"`
	ShowValues bool   `json:"showValues,omitempty" jsonschema:"also the values, which are the user's"`
}

type contextAnswer struct {
	Known       []string        `json:"known" jsonschema:"paths that have a value"`
	Elements    int             `json:"elements" jsonschema:"visible elements"`
	Diagnostics diag.List       `json:"diagnostics" jsonschema:"what could not be collected, and why"`
	Snapshot    json.RawMessage `json:"snapshot,omitempty" jsonschema:"a context in the form that --context reads; only where values were asked for"`
}

// contextNow is what is known now. Who asks for the values gets what is on the
// screen, so the page does it only when its user presses a button for it.
func (s *Server) contextNow(ctx context.Context, in contextQuery) (contextAnswer, error) {
	snapshot, list, err := s.workspace.Snapshot(ctx, "")
	if err != nil {
		return contextAnswer{}, err
	}
	if in.ID != "" {
		if _, ok := s.workspace.Engine().Catalog().ByID(in.ID); !ok {
			return contextAnswer{}, s.unknownStrategy(in.ID)
		}
		read, more, err := s.workspace.Snapshot(ctx, in.ID)
		if err != nil {
			return contextAnswer{}, err
		}
		snapshot, list = union(snapshot, read), append(list, more...)
	}
	out := contextAnswer{Known: orEmpty(snapshot.Known()), Diagnostics: append(diag.List{}, list...)}
	if tree := snapshot.Tree(); tree != nil {
		out.Elements = tree.Len()
	}
	if in.ShowValues {
		form := snapshot.Form(ctx, maxElements)
		out.Diagnostics = append(out.Diagnostics, form.Diagnostics()...)
		out.Snapshot, err = json.Marshal(form)
	}
	return out, err
}

// union has what either of two contexts knows; the first one wins.
func union(a, b *facts.Snapshot) *facts.Snapshot {
	if a.Tree() == nil {
		a = facts.NewSnapshot(facts.Parts{Values: a.Values(), Tree: b.Tree(), Diagnostics: b.Diagnostics()})
	}
	for _, p := range facts.Paths() {
		if p.Base() == nil && p.Kind != facts.Object && a.At(p).IsAbsent() && !b.At(p).IsAbsent() {
			a = a.With(p.Name, b.At(p))
		}
	}
	return a
}
