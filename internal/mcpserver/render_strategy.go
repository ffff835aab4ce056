package mcpserver

import (
	"context"

	"github.com/pertain-dev/pertain/internal/visible"
)

const renderStrategyDescription = `Returns the finished prompt of a strategy, with the user's context filled in, ready to follow. "permissions" says what was read and which tools the prompt allows.`

type renderStrategyInput struct {
	ID    string `json:"id" jsonschema:"such as user.summarize"`
	Input string `json:"input,omitempty" jsonschema:"what the user wants, in their own words"`
	situation
}

type renderStrategyOutput struct {
	ID           string          `json:"id"`
	Prompt       string          `json:"prompt"`
	SystemPrompt string          `json:"systemPrompt,omitempty"`
	Tools        map[string]bool `json:"tools,omitempty" jsonschema:"patterns of tool names that are allowed or forbidden"`
	Permissions  []string        `json:"permissions"`
	Warnings     []string        `json:"warnings,omitempty"`
}

func (c *session) renderStrategy(ctx context.Context, in renderStrategyInput) (renderStrategyOutput, error) {
	out := renderStrategyOutput{Permissions: []string{}}
	x, err := c.render(ctx, in.ID, in.Input, &in.situation)
	if err != nil {
		return out, err
	}
	out.ID, out.Prompt, out.SystemPrompt = x.Plan.ID, x.Plan.Prompt, x.Plan.SystemPrompt
	out.Permissions = append(out.Permissions, x.Plan.Permissions...)
	for _, rule := range x.Plan.Tools {
		if out.Tools == nil {
			out.Tools = map[string]bool{}
		}
		out.Tools[visible.Show(rule.Pattern)] = rule.Allow // never another tool's name
	}
	for _, d := range x.Plan.Diagnostics {
		out.Warnings = append(out.Warnings, d.Sentence())
	}
	return out, nil
}
