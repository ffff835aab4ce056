package mcpserver

import (
	"context"
	"fmt"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/strategy"
)

// argument is the one thing that a prompt takes: what the user types.
const argument = "Argument"

// prompt is one that was listed.
type prompt struct {
	title, description string
	rank               int // rank in the list, the best first
}

// updatePrompts makes the list of recommended strategies again.
func (c *session) updatePrompts(ctx context.Context) error {
	c.listing.Lock()
	defer c.listing.Unlock()
	w, err := c.workspace(ctx)
	if err != nil {
		return err
	}
	c.see()
	snapshot, _, err := w.Snapshot(ctx, "")
	if err != nil {
		return err
	}
	m, err := w.Engine().Match(ctx, snapshot, pertain.MatchOptions{})
	if err != nil {
		return err
	}
	next := make(map[string]*prompt, len(m.Candidates))
	for i, candidate := range m.Candidates {
		s := candidate.Strategy
		next[s.ID] = &prompt{title: visible.Strip(candidate.Shown()), description: visible.Strip(s.Description), rank: i}
	}
	if c.prompts != nil && !maps.EqualFunc(c.prompts, next, func(a, b *prompt) bool { return *a == *b }) {
		c.tellPrompts.Store(true)
	}
	for _, candidate := range m.Candidates {
		s := candidate.Strategy
		p := next[s.ID]
		if old := c.prompts[s.ID]; old == nil || *old != *p {
			c.addPrompt(s, p)
		}
	}
	var gone []string
	for name := range c.prompts {
		if next[name] == nil {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		c.server.RemovePrompts(gone...)
	}
	c.prompts = next
	return nil
}

func (c *session) hasPrompts() bool { return c.prompts != nil }

func (c *session) addPrompt(s *strategy.Strategy, p *prompt) {
	c.server.AddPrompt(&mcp.Prompt{
		Name: s.ID, Title: p.title, Description: p.description,
		Arguments: []*mcp.PromptArgument{{Name: argument, Title: "Request", Description: "What you want, in your own words; may be left out"}},
	}, c.getPrompt)
}

// getPrompt runs the strategy of a prompt. It need not be recommended any more:
// who picks it from a menu has gone to another window by that.
func (c *session) getPrompt(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	for name := range req.Params.Arguments {
		if name != argument {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no argument `%s`; a prompt takes `%s`", shorten(name, 100), argument)}
		}
	}
	x, err := c.render(ctx, req.Params.Name, req.Params.Arguments[argument], nil)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	result := &mcp.GetPromptResult{Description: visible.Strip(x.Strategy.Description)}
	for _, text := range []string{x.Plan.SystemPrompt, x.Plan.Prompt} {
		if text != "" {
			result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: visible.Strip(text)}})
		}
	}
	return result, nil
}

// render runs a strategy. The error says why there is no prompt.
func (c *session) render(ctx context.Context, id, input string, given *situation) (pertain.Execution, error) {
	w, snapshot, err := c.now(ctx, id, given)
	if err != nil {
		return pertain.Execution{}, err
	}
	limit := c.parent.options.PromptTime
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	x, ok, err := w.Engine().Plan(limited, id, snapshot, pertain.PlanOptions{Input: input})
	switch {
	case err != nil && limited.Err() != nil && ctx.Err() == nil:
		return x, fmt.Errorf("there is no prompt: it took longer than %s", limit)
	case err != nil:
		return x, err
	case !ok: // it went away meanwhile
		return x, unknownStrategy(w.Engine().Catalog(), id)
	case x.Plan == nil:
		return x, fmt.Errorf("%s: there is no prompt: %s", x.Strategy.ID, x.Reason)
	}
	return x, nil
}
