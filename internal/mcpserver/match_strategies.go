package mcpserver

import (
	"context"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/visible"
)

const matchStrategiesDescription = `Lists the strategies (prepared prompts) that fit what the user is doing now, best first, and why. Give what you know of the situation; render_strategy gives the prompt itself.`

type matchStrategiesInput struct {
	situation
}

type matchStrategiesOutput struct {
	Strategies []recommended `json:"strategies" jsonschema:"recommended now, best first"`
	More       int           `json:"more,omitempty" jsonschema:"how many were left out"`
	Problems   int           `json:"problems,omitempty" jsonschema:"strategy files with mistakes; the user can run pertain lint"`
}

type recommended struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Title       string   `json:"title,omitempty" jsonschema:"what to call it in the user's language; absent: its name"`
	Description string   `json:"description,omitempty"`
	Because     []string `json:"because" jsonschema:"the parts of the context that made it fit; empty: it always fits"`
}

// maxStrategies is how many strategies one answer lists.
const maxStrategies = 20

func (c *session) matchStrategies(ctx context.Context, in matchStrategiesInput) (matchStrategiesOutput, error) {
	out := matchStrategiesOutput{Strategies: []recommended{}}
	w, snapshot, err := c.now(ctx, "", &in.situation)
	if err != nil {
		return out, err
	}
	m, err := w.Engine().Match(ctx, snapshot, pertain.MatchOptions{Reasons: true})
	if err != nil {
		return out, err
	}
	for i, candidate := range m.Candidates {
		if i == maxStrategies {
			out.More = len(m.Candidates) - i
			break
		}
		r := recommended{ID: candidate.Strategy.ID, Name: visible.Strip(candidate.Strategy.Name), Title: visible.Strip(candidate.Title), Description: visible.Strip(candidate.Strategy.Description), Because: candidate.Reasons}
		out.Strategies = append(out.Strategies, r)
	}
	for _, s := range w.Engine().Catalog().Strategies() {
		if !s.Valid {
			out.Problems++
		}
	}
	return out, nil
}
