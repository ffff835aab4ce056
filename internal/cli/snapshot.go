package cli

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// snapshotDocument writes a snapshot in the form that --context reads
// (CONTRACT §3).
type snapshotDocument struct {
	values  facts.Value
	roots   []*elementDocument // nil: there is no tree
	partial bool               // elements are missing in the tree
}

type elementDocument struct {
	ID       string             `json:"id,omitempty"`
	Type     string             `json:"type"`
	Name     *string            `json:"name,omitempty"`
	Text     *string            `json:"text,omitempty"`
	Process  string             `json:"process,omitempty"` // where it is not the parent's
	States   []string           `json:"states,omitempty"`
	Bounds   *boundsDocument    `json:"bounds,omitempty"`
	Cut      bool               `json:"cut,omitempty"` // not all children were read
	Children []*elementDocument `json:"children,omitempty"`
}

type boundsDocument struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// textTime is how long the texts of all elements may take to read: there may be
// thousands, and each asks another program.
const textTime = 2 * time.Second

func newSnapshotDocument(ctx context.Context, s *facts.Snapshot) *snapshotDocument {
	d := &snapshotDocument{values: s.Values()}
	tree := s.Tree()
	if tree == nil {
		return d
	}
	d.roots, d.partial = []*elementDocument{}, tree.Partial() != ""
	ctx, cancel := context.WithTimeout(ctx, textTime)
	defer cancel()
	documents := make([]*elementDocument, tree.Len())
	for i := range documents {
		e := tree.At(i)
		out := &elementDocument{ID: e.ID, Type: e.Type.String(), States: e.States.Names(), Cut: e.Cut}
		documents[i] = out
		if e.HasName {
			out.Name = &e.Name
		}
		if e.HasBounds {
			out.Bounds = &boundsDocument{e.Bounds.X, e.Bounds.Y, e.Bounds.Width, e.Bounds.Height}
		}
		if text, ok := tree.Text(ctx, i); ok {
			out.Text = &text
		}
		if e.Parent < 0 {
			out.Process = e.Process
			d.roots = append(d.roots, out)
			continue
		}
		parent := documents[e.Parent]
		parent.Children = append(parent.Children, out)
		if e.Process != tree.At(e.Parent).Process {
			out.Process = e.Process
		}
	}
	return d
}

// MarshalJSON writes the values and, beside them, the tree.
func (d *snapshotDocument) MarshalJSON() ([]byte, error) {
	members := map[string]any{}
	for _, f := range d.values.Fields() {
		members[f.Name] = f.Value
	}
	if d.roots != nil {
		visual := map[string]any{"roots": d.roots}
		if d.partial {
			visual["partial"] = true
		}
		members["visual"] = visual
	}
	return json.Marshal(members)
}

func (d *snapshotDocument) indented() (string, error) {
	text, err := json.MarshalIndent(d, "", "  ")
	return string(text), err
}
