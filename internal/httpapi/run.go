package httpapi

import (
	"context"

	"github.com/pertain-dev/pertain"
)

// runInput has no context of its own: preprocessors read the files that a
// context names, and a request must not choose those.
type runInput struct {
	ID        string  `json:"id" jsonschema:"id of the strategy"`
	Input     string  `json:"input,omitempty" jsonschema:"what the user wants to add"`
	Text      *string `json:"text,omitempty" jsonschema:"attached text"`
	Selection *string `json:"selection,omitempty" jsonschema:"selected text"`
}

// run answers also where there is no prompt: then `prompt` is null and `reason`
// says why.
func (s *Server) run(ctx context.Context, in runInput) (pertain.Execution, error) {
	engine := s.workspace.Engine()
	if _, ok := engine.Catalog().ByID(in.ID); !ok {
		return pertain.Execution{}, s.unknownStrategy(in.ID)
	}
	snapshot, gathered, err := s.workspace.Snapshot(ctx, in.ID)
	if err != nil {
		return pertain.Execution{}, err
	}
	snapshot = given{Text: in.Text, Selection: in.Selection}.lay(snapshot)
	x, ok, err := engine.Plan(ctx, in.ID, snapshot, pertain.PlanOptions{Input: in.Input})
	if err != nil {
		return x, err
	}
	if !ok { // it went away meanwhile
		return x, s.unknownStrategy(in.ID)
	}
	if x.Plan != nil {
		x.Plan.Diagnostics = append(x.Plan.Diagnostics, gathered...)
	} else {
		x.Diagnostics = append(x.Diagnostics, gathered...)
	}
	return x, nil
}
