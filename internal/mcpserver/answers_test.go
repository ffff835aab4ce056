package mcpserver_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestAnswersHaveALimit: an answer is never longer than a message may be, however
// it is escaped.
func TestAnswersHaveALimit(t *testing.T) {
	dir := world(t, map[string]string{
		"strategies/once.strategy.md":  "---\nname: Once\n---\n{Argument}\n",
		"strategies/twice.strategy.md": "---\nname: Twice\n---\n{Argument}{Argument}{Argument}{Argument}\n",
		".cursor/rules/markup.mdc":     "---\nalwaysApply: true\n---\n" + strings.Repeat("<>", 1<<20) + "\n",
	})
	for name, version := range map[string]string{"before": legacy, "newest": ""} {
		b := connect(t, version, dir)
		input := func(id string, size int) string {
			text, _ := json.Marshal(map[string]string{"id": id, "input": strings.Repeat("x", size)})
			return string(text)
		}
		if got := call(t, b, "render_strategy", input("user.once", 1<<20)); got.IsError {
			t.Errorf("%s: a long prompt: %.300s", name, text(got))
		}
		if got := call(t, b, "render_strategy", input("user.twice", 1<<20)); !got.IsError || !strings.Contains(text(got), "8 MiB") {
			t.Errorf("%s: a prompt that is in the answer twice: %v %.300s", name, got.IsError, text(got))
		}
		if got := call(t, b, "render_strategy", input("user.twice", 3<<20)); !got.IsError || !strings.Contains(text(got), "there is no prompt") {
			t.Errorf("%s: a prompt that is too long itself: %v %.300s", name, got.IsError, text(got))
		}
		_, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "rule://markup"})
		var told *jsonrpc.Error
		if !errors.As(err, &told) || told.Code != jsonrpc.CodeInternalError || !strings.Contains(told.Message, "8 MiB") {
			t.Errorf("%s: a rule: %v", name, err)
		}
	}
}

// TestPromptsHaveATime: a prompt that takes too long is not made, and the session goes on.
func TestPromptsHaveATime(t *testing.T) {
	b := &bench{}
	options := b.options(t, world(t, map[string]string{"strategies/once.strategy.md": "---\nname: Once\n---\n{Argument}\n"}))
	options.PromptTime = 1 // ns: over before it begins
	b.connect(t, options, legacy)
	const want = "there is no prompt: it took longer than 1ns"
	for range 2 {
		if got := call(t, b, "render_strategy", `{"id":"user.once"}`); !got.IsError || text(got) != want {
			t.Errorf("the tool: %v %s", got.IsError, text(got))
		}
	}
	if _, err := b.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "user.once"}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the prompt: %v", err)
	}
}

// TestErrorsHaveALimit: an error does not repeat all that a client has sent.
func TestErrorsHaveALimit(t *testing.T) {
	b := connect(t, legacy, world(t, nil))
	long := strings.Repeat("x", 300<<10)
	_, tool := b.CallTool(t.Context(), &mcp.CallToolParams{Name: long})
	_, prompt := b.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: long})
	_, resource := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "rule://" + long})
	_, other := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x://" + long})
	for name, err := range map[string]error{"tool": tool, "prompt": prompt, "rule": resource, "resource": other} {
		var told *jsonrpc.Error
		if !errors.As(err, &told) || told.Code == 0 || len(told.Message)+len(told.Data) > 10_000 {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}
