package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/hook"
	"github.com/pertain-dev/pertain/stream"
)

const bad = "let x = eval(\"1\")\n"

func TestBegin(t *testing.T) {
	w := noEval(t)
	w.file("CLAUDE.md", "Claude has this.\n")
	w.file("AGENTS.md", "Claude has this.\n") // a text that the agent has under another name
	first := w.begin("startup")
	has(t, first, `"hookEventName":"SessionStart"`, "Be kind.", `path=\".omp/rules/always.md\"`, "How to write tests", "rule://<name>")
	lacks(t, first, "Write tables", "strict types", "Never use eval", "Claude has this", "must comply")
	has(t, w.read("a.ts"), "Use strict types.")
	if got := w.read("a.ts"); got != nothing {
		t.Errorf("given twice: %s", got)
	}
	// Resuming gives the always rules again, file rules not.
	has(t, w.begin("resume"), "Be kind.", "How to write tests")
	if got := w.read("b.ts"); got != nothing {
		t.Errorf("given again after resuming: %s", got)
	}
	for _, source := range []string{"compact", "clear", "startup"} {
		has(t, w.begin(source), "Be kind.")
		has(t, w.read("a.ts"), "Use strict types.")
	}
}

func TestAfterGivesOnce(t *testing.T) {
	w := noEval(t)
	w.file("sub/.omp/rules/sub.md", "---\nglobs: '*.ts'\n---\nOnly below.\n")
	w.file("sub/x.ts", "")
	has(t, w.read("a.ts"), "Use strict types.", `\".omp/rules/types.md\"`)
	got := w.read("sub/x.ts")
	has(t, got, "Only below.")
	lacks(t, got, "strict types")
	if got := w.read("README.md"); got != nothing {
		t.Errorf("%s", got)
	}
	// A shell that names a file has read it.
	w2 := noEval(t)
	w2.file("src/a.ts", "x")
	has(t, w2.claude("PostToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "cat src/a.ts | head -3"}}), "Use strict types.")
	if diff := cmp.Diff([]string{"types given src/a.ts"}, w2.journal()); diff != "" {
		t.Error(diff)
	}
}

func TestDeny(t *testing.T) {
	w := noEval(t)
	out := w.write("src/a.js", "ok\n"+bad)
	has(t, out, `"permissionDecision":"deny"`, "src/a.js, line 2", `rule=\"no-eval\"`, "Never use eval.", ".omp/rules/no-eval.md", "system-interrupt")
	lacks(t, out, "let x", "must comply")
	if got := w.write("src/a.js", "ok\n"); got != nothing {
		t.Errorf("a good call is answered %s", got)
	}
	// Taking a violation out is none; reading about it neither.
	for _, c := range []fields{
		{"tool_name": "Edit", "tool_input": fields{"file_path": "a.js", "old_string": bad, "new_string": "x"}},
		{"tool_name": "Grep", "tool_input": fields{"pattern": `eval("`}},
		{"tool_name": "Read", "tool_input": fields{"file_path": `eval("`}},
	} {
		if got := w.claude("PreToolUse", c); got != nothing {
			t.Errorf("%v: %s", c, got)
		}
	}
	has(t, w.claude("PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "cat > b.js <<'EOF'\n" + bad + "EOF\n"}}), `"deny"`)
	has(t, w.claude("PreToolUse", fields{"tool_name": "mcp__x__do", "tool_input": fields{"anything": bad}}), `"deny"`)
	if diff := cmp.Diff([]string{"no-eval denied src/a.js true", "no-eval denied b.js", "no-eval denied"}, w.journal()); diff != "" {
		t.Error(diff)
	}
}

// TestBudget: three denials in a row, then it goes through with a reminder; only a call that adds text to the same path without
// firing ends the row.
func TestBudget(t *testing.T) {
	w := noEval(t)
	for range 3 {
		has(t, w.write("a.js", bad), `"deny"`)
	}
	for range 2 {
		got := w.write("a.js", bad)
		has(t, got, "additionalContext", "Never use eval.", "a.js, line 1")
		lacks(t, got, "permissionDecision")
	}
	w.write("other.js", "fine\n")
	w.read("a.js")
	lacks(t, w.write("a.js", bad), `"deny"`)
	w.write("a.js", "fine\n")
	has(t, w.write("a.js", bad), `"deny"`)
	want := []string{
		"no-eval denied a.js false", "no-eval denied a.js false", "no-eval denied a.js false",
		"no-eval passed a.js", "no-eval passed a.js", "no-eval passed a.js", "no-eval denied a.js",
	}
	if diff := cmp.Diff(want, w.journal()); diff != "" {
		t.Error(diff)
	}
}

// TestInterruptMode: a rule that never interrupts is told, and the call goes through.
func TestInterruptMode(t *testing.T) {
	w := newWorld(t)
	w.file(".omp/rules/soft.md", "---\nttsr_trigger: sleep\ninterruptMode: never\n---\nDo not sleep.\n")
	w.file(".omp/rules/prose.md", "---\nttsr_trigger: dream\ninterruptMode: prose-only\n---\nDo not dream.\n")
	w.file(".omp/rules/off.md", "---\nttsr_trigger: snore\nenabled: false\n---\nDo not snore.\n")
	out := w.write("a.js", "sleep dream snore")
	has(t, out, "additionalContext", "Do not sleep.", "Do not dream.")
	lacks(t, out, `"deny"`, "snore")
	has(t, w.claude("Stop", fields{"last_assistant_message": "I dream"}), `"block"`)
	if diff := cmp.Diff([]string{"prose reminded a.js", "soft reminded a.js", "prose interrupted"}, w.journal()); diff != "" {
		t.Error(diff)
	}
}

func TestBudgetOfSettings(t *testing.T) {
	w := noEval(t)
	w.file("~/.config/pertain/config.yaml", "ttsr: {budget: 1}\n")
	has(t, w.write("a.js", bad), `"deny"`)
	lacks(t, w.write("a.js", bad), `"deny"`)
	w.file("~/.config/pertain/config.yaml", "ttsr: {interruptMode: never}\njournal: {enabled: false}\n")
	got := w.write("b.js", bad)
	has(t, got, "additionalContext", "Never use eval.")
	lacks(t, got, `"deny"`)
	w.file("~/.config/pertain/config.yaml", "ttsr: {enabled: false}\n")
	if got := w.write("c.js", bad); got != nothing {
		t.Errorf("%s", got)
	}
	if len(w.journal()) != 2 {
		t.Errorf("%q", w.journal())
	}
}

// TestBrokenSettings: a mistake in the settings switches no rule off, and is told.
func TestBrokenSettings(t *testing.T) {
	for _, text := range []string{"ttsr: [broken\n", "ttsr: {budget: many}\n"} {
		w := noEval(t)
		w.file("~/.config/pertain/config.yaml", text)
		has(t, w.write("a.js", bad), `"deny"`)
		has(t, w.lastErrs, "the settings")
	}
}

// TestTwice: a call that comes twice with one id counts once.
func TestTwice(t *testing.T) {
	w := noEval(t)
	call := fields{"tool_name": "Write", "tool_use_id": "one", "tool_input": fields{"file_path": "a.js", "content": bad}}
	for range 5 {
		has(t, w.claude("PreToolUse", call), `"deny"`, "Never use eval.")
	}
	call["tool_use_id"] = "two"
	has(t, w.claude("PreToolUse", call), `"deny"`)
	if diff := cmp.Diff([]string{"no-eval denied a.js false", "no-eval denied a.js"}, w.journal()); diff != "" {
		t.Error(diff)
	}
}

func TestConversations(t *testing.T) {
	w := noEval(t)
	for i := range 5 {
		has(t, w.claude("PreToolUse", fields{"session_id": fmt.Sprint(i), "tool_name": "Write", "tool_input": fields{"file_path": "a.js", "content": bad}}), `"deny"`)
	}
}

// TestEnd: what the model said last is watched; the turn goes on once.
func TestEnd(t *testing.T) {
	w := noEval(t)
	stop := func(message string, active bool) string {
		return w.claude("Stop", fields{"stop_hook_active": active, "last_assistant_message": message})
	}
	out := stop("Use "+bad, false)
	has(t, out, `"decision":"block"`, "Never use eval.")
	lacks(t, out, "let x")
	if got := stop("Use "+bad, true); got != nothing {
		t.Errorf("continued twice: %s", got)
	}
	has(t, w.claude("UserPromptSubmit", fields{"prompt": "x"}), "Never use eval.") // the reminder
	has(t, stop(bad, false), `"block"`)
	if got := stop("fine", true); got != nothing {
		t.Errorf("%s", got)
	}
	if diff := cmp.Diff([]string{"no-eval interrupted false", "no-eval passed", "no-eval interrupted true"}, w.journal()); diff != "" {
		t.Error(diff)
	}
	// Without the agent's word for it, the memory knows.
	p := noEval(t)
	end := func(message string) string {
		return p.event(fields{"event": "end", "conversation": "c", "cwd": p.dir, "message": message}, "pi")
	}
	has(t, end(bad), `"decision":"deny"`)
	lacks(t, end(bad), "deny")
	has(t, end(bad), `"decision":"deny"`)
}

func TestGateway(t *testing.T) {
	w := noEval(t)
	state := filepath.Join(w.home, ".local", "state", "pertain")
	led := map[string]string{"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "HTTPS_PROXY": "http://me:" + secret + "@proxy"}
	announced, err := hook.Announce(t.Context(), state, "http://127.0.0.1:1", func(name string) string { return led[name] })
	if err != nil {
		t.Fatal(err)
	}
	key := announced.Key
	w.file(".omp/rules/mild.md", mildFile)
	announced.Release(w.released(mildRule, "a.js", mild))
	if found, _ := filepath.Glob(filepath.Join(state, "gateways", "*.gateway")); len(found) != 1 {
		t.Errorf("%v", found)
	} else if data, err := os.ReadFile(found[0]); err != nil || strings.Contains(string(data), secret) {
		t.Errorf("a password is kept, or %v", err)
	}
	whole := func(name, value string) map[string]string {
		return map[string]string{"PERTAIN_GATEWAY": "http://127.0.0.1:1", "PERTAIN_GATEWAY_PROOF": key, "ANTHROPIC_BASE_URL": led["ANTHROPIC_BASE_URL"], "HTTPS_PROXY": led["HTTPS_PROXY"], name: value}
	}
	var past []map[string]string // its requests go past it
	for _, name := range []string{
		"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_UNIX_SOCKET", "HTTP_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "NO_PROXY",
		"GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG", "OPENAI_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS",
	} {
		past = append(past, whole(name, "1"))
	}
	past = append(past, whole("HTTPS_PROXY", ""), whole("HTTPS_PROXY", "http://elsewhere"), whole("ANTHROPIC_BASE_URL", "https://elsewhere"))
	// What a repository's settings may set is no gateway.
	for _, env := range append(past, []map[string]string{
		{"PERTAIN_GATEWAY": "http://127.0.0.1:1"},
		{"PERTAIN_GATEWAY": "http://127.0.0.1:1", "PERTAIN_GATEWAY_PROOF": "guessed", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"},
		{"PERTAIN_GATEWAY": "http://127.0.0.1:2", "PERTAIN_GATEWAY_PROOF": key, "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"},
		{"PERTAIN_GATEWAY": "http://127.0.0.1:1", "PERTAIN_GATEWAY_PROOF": key, "ANTHROPIC_BASE_URL": "https://elsewhere"}, // its requests go past it
		{"PERTAIN_GATEWAY_PROOF": key, "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"},
	}...) {
		w.env = map[string]string{"HOME": w.home, "USERPROFILE": w.home}
		for name, value := range env {
			w.env[name] = value
		}
		w.begin("startup")
		if got := w.write("a.js", mild); !strings.Contains(got, "Rather let.") {
			t.Errorf("%v: %s", env, got)
		}
	}
	w.env = whole("HOME", w.home)
	w.env["USERPROFILE"] = w.home
	w.claude("SessionStart", fields{"source": "startup"})
	if got := w.write("a.js", mild); got != nothing {
		t.Errorf("told twice: %s", got)
	}
	has(t, w.write("b.js", mild), "Rather let.") // it has told of nothing else
	has(t, w.write("a.js", bad), `"deny"`)
	has(t, w.claude("Stop", fields{"last_assistant_message": bad}), `"block"`)
	announced.Release(hook.Released{Workspace: w.dir, Texts: []string{bad + "\n"}, Told: []*stream.Trigger{noEvalRule}})
	if got := w.claude("Stop", fields{"last_assistant_message": bad}); got != nothing {
		t.Errorf("told twice: %s", got)
	}
	has(t, w.begin("startup"), "Be kind.")
	has(t, w.read("a.ts"), "strict types")
	announced.Withdraw()
	has(t, w.write("a.js", mild), "Rather let.") // it is gone
	if left, _ := filepath.Glob(filepath.Join(state, "gateways", "*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestDeadGateway: one that was killed has left its file, but holds it no more; nor does anybody else's count.
func TestDeadGateway(t *testing.T) {
	w := noEval(t)
	w.file(".omp/rules/mild.md", mildFile)
	state := filepath.Join(w.home, ".local", "state", "pertain")
	announced, err := hook.Announce(t.Context(), state, "http://127.0.0.1:1", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	key := announced.Key
	found, err := filepath.Glob(filepath.Join(state, "gateways", "*.gateway"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil || strings.Contains(string(data)+found[0], key) {
		t.Errorf("the key is kept, or %v", err)
	}
	w.env["PERTAIN_GATEWAY"], w.env["PERTAIN_GATEWAY_PROOF"] = "http://127.0.0.1:1", key
	announced.Release(w.released(mildRule, "a.js", mild))
	if got := w.write("a.js", mild); got != nothing {
		t.Errorf("told twice: %s", got)
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := os.Chmod(found[0], 0o666); err != nil {
			t.Fatal(err)
		}
		has(t, w.write("a.js", mild), "Rather let.")
	}
	announced.Withdraw()
	for name, text := range map[string]string{filepath.Base(found[0]): string(data), filepath.Base(found[0]) + ".lock": ""} {
		if err := os.WriteFile(filepath.Join(state, "gateways", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	has(t, w.write("a.js", mild), "Rather let.")
}

// TestBinding: that the model must comply is said of rules of the user's own alone, until the workspace is trusted.
func TestBinding(t *testing.T) {
	w := noEval(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\n---\nNever sleep.\n")
	out := w.write("a.js", "sleep(1)")
	has(t, out, "Never sleep.", "must comply with them")
	both := w.write("b.js", "sleep(1)"+bad)
	has(t, both, "must comply with `mine`")
	lacks(t, both, "`no-eval`.")
}

// TestToldQuota: at most 24 KiB, whole rules alone; what does not fit is named and not given later.
func TestToldQuota(t *testing.T) {
	w := newWorld(t)
	for i := range 3 {
		w.file(fmt.Sprintf(".omp/rules/big%d.md", i), "---\nalwaysApply: true\n---\n"+strings.Repeat(fmt.Sprintf("Text %d. ", i), 1250))
		w.file(fmt.Sprintf(".omp/rules/file%d.md", i), "---\nglobs: '**/*.ts'\n---\n"+strings.Repeat(fmt.Sprintf("File %d. ", i), 1250))
	}
	w.file(".omp/rules/small.md", "---\nalwaysApply: true\n---\nSmall.\n")
	for _, out := range []string{w.begin("startup"), w.read("a.ts")} {
		has(t, out, "rule://", " 0. ", " 1. ")
		lacks(t, out, " 2. ")
		if len(out) > 24<<10+300 {
			t.Errorf("%d bytes", len(out))
		}
	}
	has(t, w.begin("startup"), "Small.", "rule://big2")
	if got := w.read("b.ts"); !strings.Contains(got, "rule://file2") { // a beginning forgets
		t.Errorf("%.100s", got)
	}
	if got := w.read("b.ts"); got != nothing {
		t.Errorf("given later: %.100s", got)
	}
}

// TestForget: memories of old conversations go.
func TestForget(t *testing.T) {
	w := noEval(t)
	w.write("a.js", bad)
	list := func() []string {
		found, _ := filepath.Glob(filepath.Join(w.home, ".local/state/pertain/hooks/*"))
		return found
	}
	before := list()
	for _, path := range before {
		old := mustTime(t, "2026-01-01")
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	w.claude("SessionStart", fields{"session_id": "other", "source": "startup"})
	for _, path := range before {
		for _, now := range list() {
			if now == path {
				t.Errorf("%s is still there", path)
			}
		}
	}
	if len(before) != 2 || len(list()) != 2 {
		t.Errorf("%q, %q", before, list())
	}
}
