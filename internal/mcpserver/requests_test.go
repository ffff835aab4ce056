package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/mcpserver"
)

// TestAddresses reads rules and skills by addresses that are written in other
// ways, and holds that errors name what there is.
func TestAddresses(t *testing.T) {
	dir := everything(t)
	write(t, filepath.Join(dir, "skills/pdf/sub dir/a.txt"), "A.\n")
	write(t, filepath.Join(dir, "skills/pdf/picture.png"), "\x89PNG\r\n\x1a\n\xff")
	write(t, filepath.Join(dir, "skills/pdf/binary"), "\x00\xff\xfe\x01")
	b := connect(t, legacy, dir)
	for _, c := range []struct{ uri, want, kind string }{
		{"rule://packages%2Fapi%2FAGENTS", "Nested.", "text/markdown"},
		{"rule://packages%2fapi/AGENTS", "Nested.", "text/markdown"},
		{"RULE://types", "Use types.", "text/markdown"},
		{"rule://my rule", "Be kind.", "text/markdown"},
		{"rule://%74ypes", "Use types.", "text/markdown"},
		{"SKILL://agents.pdf/more.md", "More.\n", "text/markdown"},
		{"skill://agents.pdf/sub dir/a.txt", "A.\n", "text/plain"},
		{"skill://agents.pdf/picture.png", "", "image/png"},
		{"skill://agents.pdf/binary", "", "application/octet-stream"},
	} {
		result, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: c.uri})
		if err != nil {
			t.Errorf("%s: %v", c.uri, err)
			continue
		}
		if got := result.Contents[0]; got.URI != c.uri || got.Text != c.want || got.MIMEType != c.kind || (len(got.Blob) > 0) != (c.want == "") {
			t.Errorf("%s: got %+v", c.uri, got)
		}
	}
	for _, uri := range []string{"rule://a b", "rule://%zz", "RULE://hause", "rule://", "rule://packages%2Fapi%2FNOTHING"} {
		_, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err == nil || !strings.Contains(err.Error(), "types") || !strings.Contains(err.Error(), "Resource not found") {
			t.Errorf("%s: got %v", uri, err)
		}
	}
	if _, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://nobody"}); err == nil || !strings.Contains(err.Error(), "available: agents.pdf") {
		t.Errorf("got %v", err)
	}
	if _, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///etc/passwd"}); err == nil || !strings.Contains(err.Error(), "rule://NAME") {
		t.Errorf("got %v", err)
	}
}

// TestCompletionGoesOn holds that completion reaches all that can be read.
func TestCompletionGoesOn(t *testing.T) {
	dir := everything(t)
	write(t, filepath.Join(dir, "skills/pdf/sub/a.txt"), "A.\n")
	write(t, filepath.Join(dir, "skills/pdf/sub/deep/b.txt"), "B.\n")
	for _, name := range []string{".env", ".git/config", "sub/id_rsa"} { // is not offered, and not read
		write(t, filepath.Join(dir, "skills/pdf", name), "SECRET")
	}
	if err := os.Symlink(filepath.Join(dir, "secret.txt"), filepath.Join(dir, "skills/pdf/secret.txt")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "skills/pdf/sideways")); err != nil {
		t.Skip(err)
	}
	b := connect(t, legacy, dir)
	for _, c := range []struct {
		uri, value string
		want       []string
	}{
		{"rule://{+name}", "pack", []string{"packages/api/AGENTS"}},
		{"rule://{+name}", "agents", []string{"packages/api/AGENTS"}},
		{"skill://{+address}", "agents.pdf", []string{"agents.pdf"}},
		{"skill://{+address}", "agents.pdf/", []string{"agents.pdf/SKILL.md", "agents.pdf/more.md", "agents.pdf/sub/"}},
		{"skill://{+address}", "agents.pdf/s", []string{"agents.pdf/SKILL.md", "agents.pdf/sub/"}},
		{"skill://{+address}", "agents.pdf/sub/", []string{"agents.pdf/sub/a.txt", "agents.pdf/sub/deep/"}},
		{"skill://{+address}", "agents.pdf/.", []string{}},
		{"skill://{+address}", "agents.pdf/.git/", []string{}},
		{"skill://{+address}", "agents.pdf/sub/nothing/", []string{}},
		{"skill://{+address}", "agents.pdf/../", []string{}},
		{"skill://{+address}", "agents.pdf/sub/../../", []string{}},
		{"skill://{+address}", "agents.pdf/sideways/", []string{}},
		{"skill://{+address}", "agents.pdf/%2e%2e/", []string{}},
		{"skill://{+address}", "claude.word/", []string{}}, // disabled
		{"skill://{+address}", "nobody/", []string{}},
		{"skill://{+address}", "/etc/", []string{}},
		{"skill://{+address}", "//", []string{}},
	} {
		result, err := b.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: c.uri},
			Argument: mcp.CompleteParamsArgument{Name: "x", Value: c.value},
		})
		if err != nil {
			t.Errorf("%s: %v", c.value, err)
			continue
		}
		if diff := cmp.Diff(c.want, result.Completion.Values); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.uri, c.value, diff)
		}
	}
}

// TestSecretsOfSkillsAreNotRead: a client learns why.
func TestSecretsOfSkillsAreNotRead(t *testing.T) {
	dir := everything(t)
	write(t, filepath.Join(dir, "skills/pdf/.git/config"), "SECRET")
	b := connect(t, legacy, dir)
	const uri, why = "skill://agents.pdf/.git/config", "it looks like a secret"
	if got := call(t, b, "read", `{"uri":"`+uri+`"}`); !got.IsError || !strings.Contains(text(got), why) || strings.Contains(text(got), "SECRET") {
		t.Errorf("the tool: %s", text(got))
	}
	if _, err := b.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("the resource: %v", err)
	}
}

// TestPromptsBestFirst: the names do not decide.
func TestPromptsBestFirst(t *testing.T) {
	text := "---\nname: %s\npriority: %d\nwhen: true\n---\nx\n"
	dir := world(t, map[string]string{
		"strategies/a.strategy.md": fmt.Sprintf(text, "A", 1),
		"strategies/b.strategy.md": fmt.Sprintf(text, "B", 90),
		"strategies/c.strategy.md": fmt.Sprintf(text, "C", 50),
	})
	b := connect(t, legacy, dir)
	list, err := b.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range list.Prompts {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"user.b", "user.c", "user.a"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestToolTextIsPlain holds that a model reads code as it is written.
func TestToolTextIsPlain(t *testing.T) {
	dir := world(t, map[string]string{".cursor/rules/html.mdc": "---\nalwaysApply: true\n---\nWrite <b>&amp;</b>.\n"})
	b := connect(t, legacy, dir)
	got := call(t, b, "rules_for_files", `{"files":["a.html"]}`)
	if out := text(got); !strings.Contains(out, "Write <b>&amp;</b>.") || len(got.Content) != 1 {
		t.Errorf("got %s", out)
	}
	var value any
	if err := json.Unmarshal([]byte(text(got)), &value); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got.StructuredContent, value); diff != "" {
		t.Errorf("the text says something else (-structured +text):\n%s", diff)
	}
}

// TestRuleTextsOnce: a text that several rules have or import stands once in an answer.
func TestRuleTextsOnce(t *testing.T) {
	dir := world(t, map[string]string{
		"x.md": "Word of x.", "CLAUDE.md": "Word of CLAUDE. @x.md", ".claude/CLAUDE.md": "Word of the other. @../x.md",
		".cursor/rules/a.mdc": "---\nalwaysApply: true\n---\nWord of a.\n", ".windsurf/rules/b.md": "---\ntrigger: always_on\n---\nWord of a.\n",
	})
	out := text(call(t, connect(t, legacy, dir), "rules_for_files", `{"files":["a.html"]}`))
	for _, word := range []string{"Word of x", "Word of CLAUDE", "Word of the other", "Word of a", "its text stands with a rule above"} {
		if n := strings.Count(out, word); n != 1 {
			t.Errorf("%q is there %d times: %s", word, n, out)
		}
	}
}

// TestBrokenContextHasACode breaks the context after the start.
func TestBrokenContextHasACode(t *testing.T) {
	b, dir := &bench{}, everything(t)
	options := b.options(t, dir)
	open := options.Open
	options.Open = func(ctx context.Context, folder string) (mcpserver.Workspace, error) {
		w, err := open(ctx, folder)
		if err == nil {
			w.(*space).context = "{"
		}
		return w, err
	}
	out := &written{}
	input := fmt.Sprintf(hello, "2025-06-18", "{}") + `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}` + "\n"
	if err := mcpserver.New(options).Serve(t.Context(), io.NopCloser(strings.NewReader(input)), out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, `"code":-32603`) || !strings.Contains(got, "1:2: the context") {
		t.Errorf("got %s", got)
	}
}

// TestLog holds that the log tells of calls, and of nothing that they hold.
func TestLog(t *testing.T) {
	b, dir := &bench{}, everything(t)
	options := b.options(t, dir)
	var log bytes.Buffer
	options.Logger = slog.New(slog.NewTextHandler(&log, nil))
	input := fmt.Sprintf(hello, "2025-06-18", "{}")
	for i, request := range []string{
		`"tools/call","params":{"name":"rules_for_files","arguments":{"files":["secret.ts"]}}`,
		`"tools/call","params":{"name":"rules_for_files","arguments":{"files":["../secret.ts"]}}`,
		`"tools/call","params":{"name":"secret","arguments":{}}`,
		`"resources/read","params":{"uri":"rule://secret"}`,
	} {
		input += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s}`+"\n", i, request)
	}
	if err := mcpserver.New(options).Serve(t.Context(), io.NopCloser(strings.NewReader(input)), &written{}); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(log.String()) {
		_, line, _ = strings.Cut(line, "msg=")
		before, after, _ := strings.Cut(line, " ms=")
		_, after, _ = strings.Cut(strings.TrimSpace(after), " ")
		lines = append(lines, strings.TrimSpace(before+" "+after))
	}
	slices.Sort(lines)
	want := []string{
		"mcp method=initialize", "mcp method=notifications/initialized", "mcp method=resources/read failed=true",
		"mcp method=tools/call failed=true", "mcp method=tools/call tool=rules_for_files", "mcp method=tools/call tool=rules_for_files failed=true",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLimitsAreTold: a model learns that there may be rules that a limit left out, be it
// that no rule applies at all.
func TestLimitsAreTold(t *testing.T) {
	long := strings.Repeat("All work and no play. ", 17<<20/22)
	dir := world(t, map[string]string{".omp/rules/long.md": "---\nglobs: ['**']\n---\n" + long, ".omp/rules/short.md": "---\nttsr_trigger: zebra\n---\nNo.\n"})
	b := connect(t, legacy, dir)
	for tool, args := range map[string]string{"rules_for_files": `{"files":["a.ts"]}`, "check_text": `{"text":"a zebra"}`} {
		if out := text(call(t, b, tool, args)); !strings.Contains(out, "1 file or folder of rules is too large") {
			t.Errorf("%s says %.300s", tool, out)
		}
	}
	if out := text(call(t, b, "check_text", `{"text":"a zebra","file":"a.ts"}`)); !strings.Contains(out, "1 file or folder of rules is too large") {
		t.Errorf("check_text for a file says %.300s", out)
	}
}
