package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain"
)

// maxCompletions is the protocol's limit for one answer.
const maxCompletions = 100

// complete offers names of rules and ids of skills for the templates.
func (c *session) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	names := []string{}
	var err error
	if ref := req.Params.Ref; ref != nil {
		switch ref.URI {
		case ruleTemplate:
			names, err = c.ruleNames(ctx, req.Params.Argument.Value)
		case skillTemplate:
			names, err = c.skillNames(ctx, req.Params.Argument.Value)
		}
	}
	if err != nil {
		return nil, err
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
		Values: names[:min(len(names), maxCompletions)], Total: len(names), HasMore: len(names) > maxCompletions,
	}}, nil
}

// ruleNames are the names that begin with a text, then those that hold it.
func (c *session) ruleNames(ctx context.Context, text string) ([]string, error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	text = strings.ToLower(text)
	first, others := []string{}, []string{}
	for _, w := range spaces {
		book, err := w.Rules(ctx, pertain.RuleOptions{})
		if err != nil {
			return nil, err
		}
		for _, name := range book.Names() {
			lower := strings.ToLower(name)
			switch {
			case slices.Contains(first, name) || slices.Contains(others, name):
			case strings.HasPrefix(lower, text):
				first = append(first, name)
			case strings.Contains(lower, text):
				others = append(others, name)
			}
		}
	}
	return append(first, others...), nil
}
