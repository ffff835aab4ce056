package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/visible"
)

// addTools adds the tools, each in a file of its own. What is listed of all of them
// together has less than a thousand tokens: a model pays for it in every conversation.
// So there are no schemas of what they answer; docs/mcp.md describes it.
func addTools(c *session) {
	addTool(c, "rules_for_files", "Rules for files", rulesForFilesDescription, c.rulesForFiles)
	addTool(c, "read", "Read a rule or skill", readDescription, c.read)
	addTool(c, "check_text", "Check text against triggers", checkTextDescription, c.checkText)
	addTool(c, "match_strategies", "Recommended strategies", matchStrategiesDescription, c.matchStrategies)
	addTool(c, "explain_strategy", "Why a strategy is recommended", explainStrategyDescription, c.explainStrategy)
	addTool(c, "render_strategy", "Finished prompt of a strategy", renderStrategyDescription, c.renderStrategy)
}

// addTool adds one tool. All of them only read.
func addTool[In, Out any](c *session, name, title, description string, handler func(context.Context, In) (Out, error)) {
	closed := false
	schema := c.parent.schema(name+" input", schemaOf[In])
	tool := &mcp.Tool{
		Name: name, Title: title, Description: description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed},
		InputSchema: schema,
	}
	c.server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		if err := readArguments(req.Params.Arguments, schema, &in); err != nil {
			return failed(err), nil
		}
		out, err := handler(ctx, in)
		switch {
		case err != nil && ctx.Err() != nil: // nobody waits for what went wrong
			return nil, &jsonrpc.Error{Code: codeCancelled, Message: "the request was cancelled"}
		case err != nil:
			return failed(err), nil
		}
		text, err := plainJSON(out)
		if err != nil {
			return nil, err
		}
		// Whatever names, keys and messages of a stranger's files are in it.
		text = visible.Strip(text)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: json.RawMessage(text)}, nil
	})
}

// failed is the answer of a tool that cannot do what it was asked.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: shorten(visible.Strip(err.Error()), 2000)}}}
}

// plainJSON is the text that a model reads, with `<`, `>` and `&` as they are: the
// SDK would write six characters for each.
func plainJSON(value any) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// schema makes a schema once: the SDK keeps what it derives by the pointer.
func (s *Server) schema(key string, make func() *jsonschema.Schema) *jsonschema.Schema {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made[key] == nil {
		s.made[key] = make()
	}
	return s.made[key]
}

// schemaOf describes a type. Nothing is ever null here, though nil slices and
// pointers would be, so that models are not told of a case that does not exist.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // a type of this package that has no JSON form: a test makes all tools
	}
	neverNull(schema)
	for _, p := range schema.Properties {
		if p.Type == "" && p.Types == nil { // of type any: an object, though one in a text is taken too
			p.Type = "object"
		}
	}
	return schema
}

func neverNull(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Types) == 2 && schema.Types[0] == "null" {
		schema.Types, schema.Type = nil, schema.Types[1]
	}
	neverNull(schema.Items)
	for _, p := range schema.Properties {
		neverNull(p)
	}
}

// unknownStrategy is the error for an id that does not exist.
func unknownStrategy(catalog *pertain.Catalog, id string) error {
	if near := catalog.NearestIDs(id); len(near) > 0 {
		return fmt.Errorf("there is no strategy `%s`; did you mean `%s`?", shorten(id, 200), strings.Join(near, "` or `"))
	}
	return fmt.Errorf("there is no strategy `%s`; match_strategies lists what is recommended", shorten(id, 200))
}
