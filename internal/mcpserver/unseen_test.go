package mcpserver_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/mcpserver"
)

const unseenJSON = `\u200b\u202e\udb40\udc69`

const unseen = "\u200b\u202e\U000e0069\U000e0067\u009b"

// TestModelsAreToldWhatReadersSee: nothing that a reader of the files cannot see
// comes in an answer.
func TestModelsAreToldWhatReadersSee(t *testing.T) {
	b := connect(t, legacy, world(t, map[string]string{
		".cursor/rules/a.mdc":               "---\ndescription: Types" + unseen + "\nalwaysApply: true\n---\nBe kind" + unseen + ".\n",
		".cursor/rules/t.mdc":               "---\nttsr_trigger: foo\n---\nNever" + unseen + " foo.\n",
		".cursor/rules/n" + unseen + ".mdc": "---\nalwaysApply: true\n---\nNamed.\n",
		"strategies/rewrite.strategy.md":    "---\nname: Rewrite" + unseen + "\ndescription: D" + unseen + "\n---\nRewrite" + unseen + " it.\n",
		"strategies/broken.strategy.md":     "---\nname: Broken\nwhen: {clipboard.text: {contains: \"x" + unseen[:10] + "\"}, \"foo" + unseen[:10] + "\": 1}\n---\nText.\n",
		"strategies/tools.strategy.md":      "---\nname: Tools\ntools:\n  \"odd" + unseen + "\": true\n---\nText.\n",
		"skills/pdf/SKILL.md":               "---\nname: pdf" + unseen + "\ndescription: Reads" + unseen + "\n---\nUse" + unseen + " it.\n",
	}))
	var answers []any
	for _, c := range [][2]string{
		{"rules_for_files", `{"files":["a.ts", "b` + unseenJSON + `.ts"]}`},
		{"check_text", `{"text":"foo"}`},
		{"match_strategies", `{}`},
		{"render_strategy", `{"id":"user.rewrite"}`},
		{"explain_strategy", `{"id":"user.rewrite"}`},
		{"explain_strategy", `{"id":"user.broken"}`},
		{"render_strategy", `{"id":"user.tools"}`},
		{"read", `{"uri":"rule://nobody"}`},
		{"explain_strategy", `{"id":"user.rewrit"}`},
	} {
		answers = append(answers, call(t, b, c[0], c[1]))
	}
	for _, uri := range []string{"rule://a", "rule://t", "skill://claude.pdf"} {
		if got, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			answers = append(answers, got)
		} else if uri != "skill://claude.pdf" {
			t.Error(err)
		}
	}
	for _, text := range []string{"", "n"} {
		got, err := b.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "rule://{+name}"}, Argument: mcp.CompleteParamsArgument{Name: "name", Value: text}})
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, got)
	}
	if _, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "rule://nobody"}); err != nil {
		answers = append(answers, err.Error())
	}
	resources, err := b.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := b.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range resources.Resources {
		r.URI = "" // percent-encoded
	}
	prompt, err := b.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "user.rewrite", Arguments: map[string]string{"Argument": "x" + unseen}})
	if err != nil {
		t.Fatal(err)
	}
	answers = append(answers, resources, prompts, prompt)
	all, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Be kind.", "Never foo.", "Rewrite it.", "Types"} {
		if !strings.Contains(string(all), want) {
			t.Errorf("%q is not there", want)
		}
	}
	if at := strings.IndexAny(string(all), unseen); at >= 0 {
		t.Errorf("told: %q", all[max(at-100, 0):min(at+40, len(all))])
	}
}

// TestAnswersOverHTTPAreEscaped: what a person cannot see is
// escaped, as over standard output.
func TestAnswersOverHTTPAreEscaped(t *testing.T) {
	dir := world(t, map[string]string{"strategies/x.strategy.md": "---\nname: X\ntools:\n  \"odd" + unseen + "\": true\n---\nNamed.\n"})
	server := httptest.NewServer(mcpserver.New((&bench{}).options(t, dir)).Handler(t.Context()))
	defer server.Close()
	session := ""
	post := func(body string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("MCP-Protocol-Version", "2025-11-25")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		session = cmp.Or(session, response.Header.Get("Mcp-Session-Id"))
		return string(answer)
	}
	post(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	got := post(`{"jsonrpc":"2.0","id":"mine\u202e\u009b","method":"tools/call","params":{"name":"render_strategy","arguments":{"id":"user.x"}}}`)
	if !strings.Contains(got, "Named.") || !strings.Contains(got, `\u202e`) || !strings.Contains(got, `\u009b`) || !strings.Contains(got, `odd\u003cU+200B\u003e`) || strings.ContainsAny(got, unseen) {
		t.Errorf("%q", got)
	}
}

// TestOwnTriggersAreNotDrowned: whatever triggers a repository has, the text of the
// user's own rule is in the answer.
func TestOwnTriggersAreNotDrowned(t *testing.T) {
	content := map[string]string{}
	for i := range 30 {
		content[".omp/rules/noise"+string(rune('a'+i))+".md"] = "---\nttsr_trigger: fo\n---\n" + strings.Repeat("noise ", 5000) + "\n"
	}
	content[".omp/rules/own.md"] = "---\nalwaysApply: true\n---\nNot yours.\n"
	b := connect(t, legacy, world(t, content))
	write(t, filepath.Join(b.home, ".omp", "agent", "rules", "own.md"), "---\nttsr_trigger: foo\n---\nThe user's own.\n")
	got := text(call(t, b, "check_text", `{"text":"foo"}`))
	if !strings.Contains(got, "The user's own.") || strings.Contains(got, "Not yours") {
		t.Errorf("%.300s … %s", got, got[max(len(got)-300, 0):])
	}
}
