package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

// codeCancelled is for a request that the client took back, as the Language
// Server Protocol has it; MCP names none.
const codeCancelled = -32800

// oversee is around every request: errors get their codes, and the log hears of
// it.
func (c *session) oversee(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		began := time.Now()
		result, err := next(ctx, method, req)
		if err == nil && tooLong(result) {
			result, err = shortened(result)
		}
		about := []any{"method", method, "ms", time.Since(began).Milliseconds()}
		if err != nil {
			err = coded(ctx, method, err)
			about = append(about, "failed", true)
		}
		if answer, ok := result.(*mcp.CallToolResult); ok && answer != nil {
			if call, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
				about = append(about, "tool", call.Name) // one that exists, or there would be no result
			}
			if answer.IsError {
				about = append(about, "failed", true)
			}
		}
		c.parent.options.Logger.Info("mcp", about...)
		return result, err
	}
}

// envelope is what a message has around its result.
const envelope = 1 << 10

// tooLong tells whether an answer has more bytes than a message may have. A text
// that a tool gives is in it twice, and what is markup is escaped.
func tooLong(result mcp.Result) bool {
	text, err := json.Marshal(result)
	return err == nil && len(text) > maxMessage-envelope
}

// shortened takes the place of an answer that is too long.
func shortened(result mcp.Result) (mcp.Result, error) {
	why := fmt.Sprintf("the answer would have more than the %d MiB that a message may have", maxMessage>>20)
	if _, ok := result.(*mcp.CallToolResult); ok {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: why}}}, nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: why}
}

// announce keeps back what the SDK says of lists that the client does not know
// otherwise: they are filled when it first asks for them.
func (c *session) announce(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "notifications/resources/list_changed":
			if !c.tellResources.Swap(false) {
				return nil, nil //nolint:nilnil // a notification has no result
			}
		case "notifications/prompts/list_changed":
			if !c.tellPrompts.Swap(false) {
				return nil, nil //nolint:nilnil // likewise
			}
		}
		return next(ctx, method, req)
	}
}

// coded makes an error one of the protocol: the SDK sends others with code 0.
func coded(ctx context.Context, method string, err error) error {
	var known *jsonrpc.Error
	switch {
	case errors.As(err, &known) && known.Code != 0 && len(err.Error())+len(known.Data) <= maxReason:
		return &jsonrpc.Error{Code: known.Code, Message: visible.Strip(known.Message), Data: known.Data}
	case errors.As(err, &known) && known.Code != 0: // it repeats what the client sent, such as the name of a tool
		return &jsonrpc.Error{Code: known.Code, Message: shorten(visible.Strip(known.Message), maxReason)}
	case ctx.Err() != nil:
		return &jsonrpc.Error{Code: codeCancelled, Message: "the request was cancelled"}
	case method == "initialize": // for the second time
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: visible.Strip(err.Error())}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: shorten(visible.Strip(err.Error()), maxReason)}
}

// maxReason is how long the text of an error may be, in bytes.
const maxReason = 2000

// amend completes what the SDK answers: it knows no order of prompts but that of
// their names, and lists and finds only addresses that it can take apart.
func (c *session) amend(ctx context.Context, req mcp.Request, result mcp.Result, err error) (mcp.Result, error) {
	if read, ok := req.(*mcp.ReadResourceRequest); ok && err != nil {
		return c.readAgain(ctx, read, err)
	}
	if get, ok := req.(*mcp.GetPromptRequest); ok && err != nil && !c.listed(get.Params.Name) {
		return c.getPrompt(ctx, get)
	}
	if err != nil {
		return result, err
	}
	switch list := result.(type) {
	case *mcp.ListResourcesResult:
		if list.NextCursor == "" {
			list.Resources = append(list.Resources, c.oddResources()...)
		}
	case *mcp.ListPromptsResult:
		c.listing.Lock()
		defer c.listing.Unlock()
		slices.SortStableFunc(list.Prompts, func(a, b *mcp.Prompt) int { return cmp.Compare(c.rank(a), c.rank(b)) })
	}
	return result, nil
}

// listed tells whether the SDK knows a prompt.
func (c *session) listed(name string) bool {
	c.listing.Lock()
	defer c.listing.Unlock()
	return c.prompts[name] != nil
}

// rank is a prompt's rank among those that are recommended; listing is held.
func (c *session) rank(p *mcp.Prompt) int {
	if known := c.prompts[p.Name]; known != nil {
		return known.rank
	}
	return len(c.prompts) // it went away meanwhile
}

// readAgain reads a resource whose address the SDK did not know what to do with,
// such as one with a blank in it, or says what addresses there are.
func (c *session) readAgain(ctx context.Context, req *mcp.ReadResourceRequest, err error) (mcp.Result, error) {
	var known *jsonrpc.Error
	if !errors.As(err, &known) || known.Message != "Resource not found" {
		return nil, err
	}
	var result *mcp.ReadResourceResult
	switch uri := ownScheme(req.Params.URI); {
	case strings.HasPrefix(uri, rule.Scheme):
		result, err = c.readRule(ctx, req)
	case strings.HasPrefix(uri, skill.Scheme):
		result, err = c.readSkill(ctx, req)
	default:
		return nil, notFound(req.Params.URI, errScheme)
	}
	if err != nil {
		return nil, err
	}
	result.CacheScope = "private"
	return result, nil
}
