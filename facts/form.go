package facts

import (
	"context"
	"encoding/json"
	"math"
	"time"
)

// Form is a snapshot in the form that [Decode] reads, to be written as JSON.
type Form struct {
	values  Value
	roots   []*elementForm // nil: there is no tree
	partial bool           // elements are missing in the tree
}

// elementForm is an element in that form (docs/reference/paths.md).
type elementForm struct {
	ID       string         `json:"id,omitempty"`
	Type     string         `json:"type"`
	Name     *string        `json:"name,omitempty"`
	Text     *string        `json:"text,omitempty"`
	Process  *string        `json:"process,omitempty"` // where it is not the parent's
	States   []string       `json:"states,omitempty"`
	Bounds   *boundsForm    `json:"bounds,omitempty"`
	Cut      bool           `json:"cut,omitempty"` // not all children are here
	Children []*elementForm `json:"children,omitempty"`
}

type boundsForm struct {
	X      *float64 `json:"x,omitempty"`
	Y      *float64 `json:"y,omitempty"`
	Width  *float64 `json:"width,omitempty"`
	Height *float64 `json:"height,omitempty"`
}

// known is nil for a part of the bounds that is not known.
func known(part float64) *float64 {
	if math.IsNaN(part) {
		return nil
	}
	return &part
}

// formTime is how long the texts of all elements may take to read: there may be
// thousands, and each asks another program.
const formTime = 2 * time.Second

// Form reads the texts of the elements, which may take two seconds, and makes
// the form of the first most elements; of all, where most is 0. What is typed
// into a password field is left out, whatever a collector says.
func (s *Snapshot) Form(ctx context.Context, most int) *Form {
	f := &Form{values: s.Values()}
	tree := s.Tree()
	if tree == nil {
		return f
	}
	n := tree.Len()
	if most > 0 {
		n = min(n, most)
	}
	f.roots, f.partial = []*elementForm{}, tree.Partial() != "" || n < tree.Len()
	ctx, cancel := context.WithTimeout(ctx, formTime)
	defer cancel()
	elements := make([]*elementForm, n) // parents come first
	for i := range elements {
		e := tree.At(i)
		out := tree.form(ctx, i)
		elements[i] = out
		if e.Parent < 0 {
			if e.HasProcess {
				out.Process = &e.Process
			}
			f.roots = append(f.roots, out)
			continue
		}
		parent := elements[e.Parent]
		parent.Children = append(parent.Children, out)
		if above := tree.At(e.Parent); e.Process != above.Process || e.HasProcess != above.HasProcess {
			out.Process = &e.Process
		}
	}
	return f
}

// form is an element on its own.
func (t *Tree) form(ctx context.Context, i int) *elementForm {
	e := t.At(i)
	out := &elementForm{ID: e.ID, Type: e.Type.String(), States: e.States.Names(), Cut: e.Cut}
	if e.HasName {
		out.Name = &e.Name
	}
	if e.HasBounds {
		out.Bounds = &boundsForm{known(e.Bounds.X), known(e.Bounds.Y), known(e.Bounds.Width), known(e.Bounds.Height)}
	}
	if e.States&Password == 0 {
		if text, ok := t.Text(ctx, i); ok {
			out.Text = &text
		}
	}
	return out
}

// MarshalJSON writes the values and, beside them, the tree.
func (f *Form) MarshalJSON() ([]byte, error) {
	object := map[string]any{}
	for _, field := range f.values.Fields() {
		object[field.Name] = field.Value
	}
	if f.roots != nil {
		visual := map[string]any{"roots": f.roots}
		if f.partial {
			visual["partial"] = true
		}
		object[Visual] = visual
	}
	return json.Marshal(object)
}
