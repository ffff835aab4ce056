package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/internal/visible"
)

const explainStrategyDescription = `Tells why a strategy is or is not recommended now: its condition as an indented tree, true, false or unknown on every line. For one that should fit and is missing from match_strategies.`

type explainStrategyInput struct {
	ID string `json:"id" jsonschema:"such as user.summarize"`
	situation
}

type explainStrategyOutput struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Title    string   `json:"title,omitempty" jsonschema:"what to call it in the user's language; absent: its name"`
	Source   string   `json:"source" jsonschema:"the strategy's file"`
	Result   string   `json:"result" jsonschema:"true, false or unknown"`
	Tree     []string `json:"tree" jsonschema:"the condition, one part a line, children indented"`
	Problems []string `json:"problems" jsonschema:"mistakes in the file and what could not be decided, with line and column"`
}

// maxLines is how many lines of a condition, and how many problems, are shown.
const maxLines = 200

func (c *session) explainStrategy(ctx context.Context, in explainStrategyInput) (explainStrategyOutput, error) {
	out := explainStrategyOutput{Tree: []string{}, Problems: []string{}}
	w, snapshot, err := c.now(ctx, "", &in.situation)
	if err != nil {
		return out, err
	}
	x, ok, err := w.Engine().ExplainContext(ctx, in.ID, snapshot, pertain.ExplainOptions{})
	if err != nil {
		return out, err
	}
	if !ok {
		return out, unknownStrategy(w.Engine().Catalog(), in.ID)
	}
	s := x.Strategy
	out.ID, out.Name, out.Source, out.Result = s.ID, s.Name, s.Source.Name(), word(x.Result)
	out.Title = visible.Strip(x.Title)
	if x.Tree != nil {
		draw(&out.Tree, x.Tree, 0)
	}
	for _, d := range x.Diagnostics {
		if len(out.Problems) == maxLines {
			break
		}
		position := ""
		if at, ok := d.Position(); ok {
			position = fmt.Sprintf("%d:%d: ", at.Line, at.Column)
		}
		out.Problems = append(out.Problems, fmt.Sprintf("%s%s: %s [%s]", position, d.Severity, d.Sentence(), d.Code))
	}
	return out, nil
}

func draw(lines *[]string, t *cond.Trace, depth int) {
	if len(*lines) == maxLines {
		return
	}
	line := strings.Repeat("  ", depth) + word(t.Result) + ": " + t.Label
	if t.Reason != "" {
		line += " (" + t.Reason + ")"
	}
	*lines = append(*lines, line)
	for _, child := range t.Children {
		draw(lines, child, depth+1)
	}
}

func word(t cond.Tri) string {
	switch t {
	case cond.True:
		return "true"
	case cond.False:
		return "false"
	}
	return "unknown"
}
