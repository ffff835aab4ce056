package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/pertain-dev/pertain"
)

type explainInput struct {
	ID         string `json:"id" jsonschema:"id of the strategy"`
	ShowValues bool   `json:"showValues,omitempty" jsonschema:"also the values that were compared, which are the user's"`
	given
}

func (s *Server) explain(ctx context.Context, in explainInput) (pertain.Explanation, error) {
	snapshot, gathered, err := s.situation(ctx, in.given)
	if err != nil {
		return pertain.Explanation{}, err
	}
	x, ok, err := s.workspace.Engine().ExplainContext(ctx, in.ID, snapshot, pertain.ExplainOptions{Values: in.ShowValues, Room: treeRoom(ctx)})
	if err != nil {
		return x, err
	}
	if !ok {
		return x, s.unknownStrategy(in.ID)
	}
	x.Diagnostics = append(x.Diagnostics, gathered...)
	return x, nil
}

func (s *Server) unknownStrategy(id string) error {
	near := s.workspace.Engine().Catalog().NearestIDs(id)
	if len(near) == 0 {
		return fail(http.StatusNotFound, "unknown_strategy", "there is no such strategy; /api/v1/match?all=true lists them")
	}
	err := fail(http.StatusNotFound, "unknown_strategy", "there is no such strategy; did you mean `%s`?", strings.Join(near, "` or `"))
	err.nearest = near
	return err
}
