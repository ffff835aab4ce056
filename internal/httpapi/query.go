package httpapi

import (
	"context"
	"math"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

type queryInput struct {
	Query         string `json:"query" jsonschema:"a visual query, such as //Button[@focused=true]"`
	Context       string `json:"context,omitempty" jsonschema:"text of a context, JSON or YAML; empty: the live one"`
	CaseSensitive bool   `json:"caseSensitive,omitempty"`
	ShowValues    bool   `json:"showValues,omitempty" jsonschema:"also the values that an attribute query selects"`
}

type queryAnswer struct {
	Count       int            `json:"count"`
	Total       int            `json:"total" jsonschema:"elements that there are"`
	Truncated   bool           `json:"truncated,omitempty" jsonschema:"there are more than the 5000 that matches, values or elements hold at most"`
	Matches     []queryMatch   `json:"matches"`
	Values      []facts.Value  `json:"values,omitzero" jsonschema:"of an attribute query, where they were asked for"`
	Diagnostics diag.List      `json:"diagnostics,omitempty" jsonschema:"what is wrong with the query, as pertain query --json has it"`
	Problems    []problem      `json:"problems" jsonschema:"the same, each with the query and a caret"`
	Elements    []queryElement `json:"elements" jsonschema:"all elements in document order, without their texts, to be drawn"`
}

type queryMatch struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Path string `json:"path"`
}

type queryElement struct {
	Type    string   `json:"type"`
	Depth   int      `json:"depth"`
	Matched bool     `json:"matched"`
	Bounds  *boxJSON `json:"bounds,omitempty" jsonschema:"in pixels of the screen"`
}

type boxJSON struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// maxElements is how many elements an answer holds.
const maxElements = 5000

func (s *Server) query(ctx context.Context, in queryInput) (queryAnswer, error) {
	out := queryAnswer{Matches: []queryMatch{}, Elements: []queryElement{}}
	snapshot, err := s.queried(ctx, in.Context)
	if err != nil {
		return out, err
	}
	result, list := pertain.Query(snapshot, in.Query, pertain.QueryOptions{CaseSensitive: in.CaseSensitive})
	out.Diagnostics, out.Problems, out.Count = list, s.excerpts(list), len(result.Elements)
	if in.ShowValues && result.Attribute != "" {
		out.Values = append([]facts.Value{}, result.Values[:min(len(result.Values), maxElements)]...)
	}
	tree := snapshot.Tree()
	if tree == nil {
		return out, nil
	}
	out.Total = tree.Len()
	out.Truncated = max(out.Total, out.Count, len(result.Values)) > maxElements
	selected := map[int]bool{}
	for _, i := range result.Elements {
		selected[i] = true
		if len(out.Matches) < maxElements {
			e := tree.At(i)
			out.Matches = append(out.Matches, queryMatch{ID: e.ID, Type: e.Type.String(), Path: tree.Path(i)})
		}
	}
	depth := make([]int, tree.Len())
	for i := range min(tree.Len(), maxElements) {
		e := tree.At(i)
		if e.Parent >= 0 {
			depth[i] = depth[e.Parent] + 1
		}
		drawn := queryElement{Type: e.Type.String(), Depth: depth[i], Matched: selected[i]}
		if whole(e) {
			drawn.Bounds = &boxJSON{e.Bounds.X, e.Bounds.Y, e.Bounds.Width, e.Bounds.Height}
		}
		out.Elements = append(out.Elements, drawn)
	}
	return out, nil
}

// whole tells whether an element can be drawn: all parts of its bounds are known.
func whole(e *facts.Element) bool {
	b := e.Bounds
	return e.HasBounds && !math.IsNaN(b.X+b.Y+b.Width+b.Height)
}

func (s *Server) queried(ctx context.Context, text string) (*facts.Snapshot, error) {
	if text != "" {
		return s.decode(ctx, []byte(text))
	}
	snapshot, _, err := s.workspace.Snapshot(ctx, "")
	return snapshot, err
}
