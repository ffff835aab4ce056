package httpapi

import (
	"context"
	"encoding/json"
	"time"

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
		out.Snapshot, err = json.Marshal(contextForm(ctx, snapshot))
	}
	return out, err
}

// union has what either of two contexts knows; the first one wins.
func union(a, b *facts.Snapshot) *facts.Snapshot {
	if a.Tree() == nil {
		a = facts.NewSnapshot(facts.Parts{Values: a.Values(), Tree: b.Tree()})
	}
	for _, p := range facts.Paths() {
		if p.Base() == nil && p.Kind != facts.Object && a.At(p).IsAbsent() && !b.At(p).IsAbsent() {
			a = a.With(p.Name, b.At(p))
		}
	}
	return a
}

// elementJSON is an element in the form of a context.
type elementJSON struct {
	ID       string         `json:"id,omitempty"`
	Type     string         `json:"type"`
	Name     *string        `json:"name,omitempty"`
	Text     *string        `json:"text,omitempty"`
	Process  string         `json:"process,omitempty"` // where it is not the parent's
	States   []string       `json:"states,omitempty"`
	Bounds   *boxJSON       `json:"bounds,omitempty"`
	Cut      bool           `json:"cut,omitempty"` // not all children are here
	Children []*elementJSON `json:"children,omitempty"`
}

// textTime is how long reading the texts of all elements may take: each asks
// another program.
const textTime = 2 * time.Second

// contextForm is a context as --context reads it. What is typed into a password
// field is left out whatever a collector says.
func contextForm(ctx context.Context, snapshot *facts.Snapshot) map[string]any {
	members := map[string]any{}
	for _, f := range snapshot.Values().Fields() {
		members[f.Name] = f.Value
	}
	tree := snapshot.Tree()
	if tree == nil {
		return members
	}
	ctx, stop := context.WithTimeout(ctx, textTime)
	defer stop()
	roots := []*elementJSON{}
	elements := make([]*elementJSON, min(tree.Len(), maxElements)) // parents come first
	for i := range elements {
		e := tree.At(i)
		out := &elementJSON{ID: e.ID, Type: e.Type.String(), States: e.States.Names(), Cut: e.Cut}
		elements[i] = out
		if e.HasName {
			out.Name = &e.Name
		}
		if e.HasBounds {
			out.Bounds = &boxJSON{e.Bounds.X, e.Bounds.Y, e.Bounds.Width, e.Bounds.Height}
		}
		if e.States&facts.Password == 0 {
			if text, ok := tree.Text(ctx, i); ok {
				out.Text = &text
			}
		}
		if e.Parent < 0 {
			out.Process = e.Process
			roots = append(roots, out)
			continue
		}
		parent := elements[e.Parent]
		parent.Children = append(parent.Children, out)
		if e.Process != tree.At(e.Parent).Process {
			out.Process = e.Process
		}
	}
	visual := map[string]any{"roots": roots}
	if tree.Partial() != "" || len(elements) < tree.Len() {
		visual["partial"] = true
	}
	members["visual"] = visual
	return members
}
