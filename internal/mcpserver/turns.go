package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxTurns is how many requests of all clients are worked on at the same time. The SDK begins each as it comes, and what one of
// them takes in memory depends on the rules of a stranger's repository.
const maxTurns = 4

// works tells the methods that read rules, skills or strategies. Others, such as ping, are answered at once, and one that has no
// end would keep its turn for good.
func works(method string) bool {
	switch method {
	case "tools/call", "resources/list", "resources/read", "resources/subscribe", "prompts/list", "prompts/get", "completion/complete":
		return true
	}
	return false
}

// takeTurn has requests wait until fewer than [maxTurns] are worked on. One that is taken back waits no longer.
func (c *session) takeTurn(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !works(method) {
			return next(ctx, method, req)
		}
		if client, ok := req.GetSession().(*mcp.ServerSession); ok {
			c.meet(client)
		}
		// A client may take its time to name its roots, and others need not wait for that. What is wrong is told to who needs them.
		_, _ = c.workspaces(ctx)
		select {
		case c.parent.turns <- struct{}{}:
			defer func() { <-c.parent.turns }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return next(ctx, method, req)
	}
}
