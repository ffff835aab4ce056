package facts

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// Form is a snapshot in the form that [Decode] reads, to be written as JSON.
type Form struct {
	values  Value
	roots   []*elementForm // nil: there is no tree
	partial bool           // elements are missing in the tree
	count   int            // elements
	unread  int            // those of them whose text was not read
}

// elementForm is an element in that form (docs/reference/paths.md).
type elementForm struct {
	ID       string         `json:"id,omitempty"`
	Type     string         `json:"type"`
	Name     *string        `json:"name,omitempty"`
	Text     *textForm      `json:"text,omitempty"`
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

// textForm is a text, or null for one that was not read.
type textForm struct{ ElementText }

func (t *textForm) MarshalJSON() ([]byte, error) {
	if t.Unread {
		return []byte("null"), nil
	}
	return json.Marshal(t.Text)
}

// formTime is how long the texts of all elements may take to read where whoever
// asks sets no limit: as long as any other call that collects (extraTimeout of
// docs/reference/strategies.md). There may be thousands, and each asks another
// program.
const formTime = 200 * time.Millisecond

// Form reads the texts of the elements until ctx ends, or for 200 ms where it
// has no deadline, and makes the form of the first most elements; of all, where
// most is 0. Where the time was too short for a text, the form says so
// ([Form.Unread]). What is typed into a password field is left out, whatever a
// collector says.
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
	f.roots, f.partial, f.count = []*elementForm{}, tree.Partial() != "" || n < tree.Len(), n
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, formTime)
		defer cancel()
	}
	texts := tree.textsOf(ctx, n)
	elements := make([]*elementForm, n) // parents come first
	for i := range elements {
		e := tree.At(i)
		out := e.form()
		switch text := texts[i]; {
		case text.Unread:
			f.unread++
			fallthrough
		case text.OK:
			out.Text = &textForm{text}
		}
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

// textsOf reads the texts of the first n elements: first where the keyboard is,
// then by how much there is inside of an element. The text of a page is put
// together from those of everything in it, and would take the time of all others.
func (t *Tree) textsOf(ctx context.Context, n int) []ElementText {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	weight := func(i int) int {
		e := t.At(i)
		inside := e.End - i
		switch {
		case e.Cut: // nobody knows how much
			return t.Len() + 1
		case e.States&Focused != 0 && inside == 1:
			return 0
		}
		return inside
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(a), weight(b)) })
	texts := make([]ElementText, n)
	for _, i := range order {
		if t.At(i).States&Password == 0 {
			texts[i] = t.textWithin(ctx, i)
		}
	}
	return texts
}

// Unread is how many elements may have a text that was not read in time: it is
// null in the form, and unknown to whoever decodes that.
func (f *Form) Unread() int { return f.unread }

// Diagnostics say what of the texts is missing.
func (f *Form) Diagnostics() diag.List {
	if f.unread == 0 {
		return nil
	}
	return diag.List{{
		Severity: diag.ExtraProviderTimeout.Severity(), Code: diag.ExtraProviderTimeout, Span: diag.NoSpan, Path: Visual,
		Message: fmt.Sprintf("the texts of %d of %s were not read in time; `text` is null there", f.unread, counted(f.count, "element")),
		Hint:    "give more time with `options.extraTimeout` in the settings",
	}}
}

// form is an element on its own, without its text.
func (e *Element) form() *elementForm {
	out := &elementForm{ID: e.ID, Type: e.Type.String(), States: e.States.Names(), Cut: e.Cut}
	if e.HasName {
		out.Name = &e.Name
	}
	if e.HasBounds {
		out.Bounds = &boundsForm{known(e.Bounds.X), known(e.Bounds.Y), known(e.Bounds.Width), known(e.Bounds.Height)}
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
