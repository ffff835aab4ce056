package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

type matchQuery struct {
	All bool `json:"all,omitempty" jsonschema:"also what is not recommended"`
}

// given is the context that a client sends, or what it lays over the live one.
type given struct {
	Context   json.RawMessage `json:"context,omitempty" jsonschema:"a whole context instead of the live one: an object"`
	Text      *string         `json:"text,omitempty" jsonschema:"attached text"`
	Selection *string         `json:"selection,omitempty" jsonschema:"selected text"`
}

type matchInput struct {
	matchQuery
	given
}

// matchAnswer has the fields of [pertain.Match], and the reasons.
type matchAnswer struct {
	Candidates  []pertain.Candidate `json:"candidates"`
	Diagnostics diag.List           `json:"diagnostics"`
	Notices     []pertain.Notice    `json:"notices"`
	Reasons     map[string][]string `json:"reasons" jsonschema:"by id: the parts of the context that settled the result"`
}

func (s *Server) matchNow(ctx context.Context, in matchQuery) (matchAnswer, error) {
	return s.match(ctx, in.All, given{})
}

func (s *Server) matchGiven(ctx context.Context, in matchInput) (matchAnswer, error) {
	return s.match(ctx, in.All, in.given)
}

func (s *Server) match(ctx context.Context, all bool, g given) (matchAnswer, error) {
	snapshot, gathered, err := s.situation(ctx, g)
	if err != nil {
		return matchAnswer{}, err
	}
	engine := s.workspace.Engine()
	m, err := engine.Match(ctx, snapshot, pertain.MatchOptions{All: all})
	if err != nil {
		return matchAnswer{}, err
	}
	s.metrics.matches.Inc()
	if len(m.Notices) > 0 {
		s.metrics.slow.Inc()
	}
	out := matchAnswer{
		Candidates: orEmpty(m.Candidates), Diagnostics: append(m.Diagnostics, gathered...), Notices: orEmpty(m.Notices), Reasons: map[string][]string{},
	}
	for _, c := range m.Candidates {
		if c.Result != cond.True { // why not is told by explain
			continue
		}
		if x, ok := engine.Explain(c.Strategy.ID, snapshot, pertain.ExplainOptions{}); ok {
			out.Reasons[c.Strategy.ID] = orEmpty(x.Reasons())
		}
	}
	return out, nil
}

// situation is the context of a request.
func (s *Server) situation(ctx context.Context, g given) (*facts.Snapshot, diag.List, error) {
	var snapshot *facts.Snapshot
	var gathered diag.List
	var err error
	if len(g.Context) > 0 && string(g.Context) != "null" {
		if snapshot, err = s.decode(g.Context); err != nil {
			return nil, nil, err
		}
	} else if snapshot, gathered, err = s.workspace.Snapshot(ctx, ""); err != nil {
		return nil, nil, err
	}
	return g.lay(snapshot), gathered, nil
}

// lay puts the attached texts over a context.
func (g given) lay(snapshot *facts.Snapshot) *facts.Snapshot {
	if g.Text != nil {
		snapshot = snapshot.With("attachments.text", facts.Text(*g.Text))
	}
	if g.Selection != nil {
		snapshot = snapshot.With("attachments.selection.text", facts.Text(*g.Selection))
	}
	return snapshot
}

// decode reads a context; the message says what is wrong, never what is in it.
func (s *Server) decode(data []byte) (*facts.Snapshot, error) {
	snapshot, err := s.workspace.Decode(data)
	if err != nil {
		return nil, fail(http.StatusBadRequest, "bad_context", "%s", err)
	}
	return snapshot, nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
