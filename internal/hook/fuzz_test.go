package hook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/hook"
)

// FuzzHook: whatever an agent sends, it gets an answer in its form, nothing goes wrong inside, nothing of the call is told or
// kept, and nothing is written outside of the state folder.
func FuzzHook(f *testing.F) {
	agents := hook.Agents()
	for i, agent := range agents {
		sample, err := json.Marshal(hook.Sample(agent, ""))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), "", string(sample))
	}
	claude := uint8(1)
	for event, input := range map[string]string{
		"PreToolUse":  `{"session_id":"s","tool_name":"Write","tool_use_id":"t","tool_input":{"file_path":"src/a.ts","content":"eval(\"1\")"}}`,
		"PostToolUse": `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"cat src/a.ts ../b 'c d'"},"tool_response":{"stdout":""}}`,
		"preToolUse":  `{"sessionId":"s","toolName":"edit","toolArgs":"{\"path\":\"src/a.ts\",\"new_str\":\"eval(\\\"\"}"}`,
		"Stop":        `{"session_id":"s","last_assistant_message":"eval(\"","stop_hook_active":true}`,
		"before":      `{"conversation":"c","tool":"apply_patch","args":{"input":"*** Begin Patch\n*** Add File: a.ts\n+eval(\"\n*** End Patch"}}`,
		"":            `{"hook_event_name":"SessionStart","source":"compact","session_id":"s"}`,
	} {
		for i := range agents {
			f.Add(uint8(i), event, input)
		}
	}
	f.Add(claude, "PreToolUse", `{"tool_input":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`)
	w := &world{dir: filepath.Join(f.TempDir(), "w"), home: f.TempDir()}
	for name, text := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".omp/rules/no-eval.md": "---\nttsr_trigger: eval\\(\"\n---\nNever use eval.\n",
		".omp/rules/types.md": "---\nglobs: '**/*.ts'\n---\nUse strict types.\n", "AGENTS.md": "Be kind.\n", "src/a.ts": "x\n",
	} {
		path := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	env := map[string]string{"HOME": w.home, "USERPROFILE": w.home}
	f.Fuzz(func(t *testing.T, number uint8, event, input string) {
		agent := agents[int(number)%len(agents)]
		// Where the agent works is the one thing that is not for the fuzzer to choose: all of this machine would be looked at.
		var o map[string]json.RawMessage
		if json.Unmarshal([]byte(input), &o) == nil {
			var info map[string]json.RawMessage
			if json.Unmarshal(o["tool_info"], &info) == nil && info != nil {
				delete(info, "cwd")
				o["tool_info"], _ = json.Marshal(info) // it was JSON
			}
			for _, key := range []string{"cwd", "workspace_roots", "workspaceRoots"} {
				delete(o, key)
			}
			if data, err := json.Marshal(o); err == nil && o != nil {
				input = string(data)
			}
		}
		args := []string{agent}
		if event != "" && !strings.HasPrefix(event, "-") {
			args = append(args, event)
		}
		var out, errs strings.Builder
		code := hook.Run(t.Context(), hook.Call{
			Args: args, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Dir: w.dir, Env: func(name string) string { return env[name] },
		})
		if code != 0 && (agent != "windsurf" || code != 2) {
			t.Errorf("exit %d", code)
		}
		if out.Len() > 0 && !json.Valid([]byte(out.String())) {
			t.Errorf("it answers %q", out.String())
		}
		if strings.Contains(errs.String(), "internal error") || code == 0 && strings.Count(errs.String(), "\n") > 1 {
			t.Errorf("it says %q", errs.String())
		}
		for _, folder := range []string{w.home, w.dir} {
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if name := e.Name(); folder == w.home && name != ".local" || folder == w.dir && name != ".git" && name != ".omp" && name != "AGENTS.md" && name != "src" {
					t.Errorf("it wrote %q", name)
				}
			}
		}
	})
}
