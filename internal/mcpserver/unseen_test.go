package mcpserver_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const unseen = "\u200b\u202e\U000e0069\U000e0067\u009b"

// TestModelsAreToldWhatReadersSee: nothing that a reader of the files cannot see
// comes in an answer.
func TestModelsAreToldWhatReadersSee(t *testing.T) {
	b := connect(t, legacy, world(t, map[string]string{
		".cursor/rules/a.mdc":               "---\ndescription: Types" + unseen + "\nalwaysApply: true\n---\nBe kind" + unseen + ".\n",
		".cursor/rules/t.mdc":               "---\nttsr_trigger: foo\n---\nNever" + unseen + " foo.\n",
		".cursor/rules/n" + unseen + ".mdc": "---\nalwaysApply: true\n---\nNamed.\n",
		"strategies/rewrite.strategy.md":    "---\nname: Rewrite" + unseen + "\ndescription: D" + unseen + "\n---\nRewrite" + unseen + " it.\n",
		"skills/pdf/SKILL.md":               "---\nname: pdf" + unseen + "\ndescription: Reads" + unseen + "\n---\nUse" + unseen + " it.\n",
	}))
	var answers []any
	for _, c := range [][2]string{
		{"rules_for_files", `{"files":["a.ts"]}`}, {"check_text", `{"text":"foo"}`}, {"match_strategies", `{}`}, {"render_strategy", `{"id":"user.rewrite"}`},
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
	answers = append(answers, resources, prompts)
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
