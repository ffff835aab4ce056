package discover_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestImportsOnce: a text that several files import, or that a file has and others import, stands once in a prompt.
func TestImportsOnce(t *testing.T) {
	for _, test := range []struct {
		name, dir string
		files     map[string]string
		kept      string // what must stay, each once
	}{
		{"two folders", "/w/packages/pay", map[string]string{"/w/x.md": "MARK", "/w/CLAUDE.md": "Root. @x.md", "/w/packages/pay/CLAUDE.md": "Pay. @../../x.md"}, "Root. Pay."},
		{"beside each other", "/w", map[string]string{"/w/x.md": "MARK", "/w/CLAUDE.md": "One. @x.md", "/w/.claude/CLAUDE.md": "@../x.md\nTwo."}, "One. Two."},
		{"a file that is loaded as well", "/w", map[string]string{
			"/w/AGENTS.md": "MARK", "/w/CLAUDE.md": "Claude. @AGENTS.md", "/w/GEMINI.md": "Gemini. @AGENTS.md", "/w/QWEN.md": "Qwen.\n@AGENTS.md\n",
		}, ""},
		{"through another", "/w", map[string]string{"/w/x.md": "MARK", "/w/y.md": "Why.\n@x.md\nEnd.", "/w/CLAUDE.md": "One.\n@x.md", "/w/.claude/CLAUDE.md": "@../y.md\nTwo."}, "One. Two. Why. End."},
		{"nothing else in it", "/w", map[string]string{"/w/AGENTS.md": "MARK", "/w/CLAUDE.md": "@AGENTS.md", "/w/GEMINI.md": "@AGENTS.md"}, ""},
		{"a copy of the file", "/w", map[string]string{"/w/x.md": "MARK\n", "/w/y.md": "MARK", "/w/CLAUDE.md": "One. @x.md", "/w/.claude/CLAUDE.md": "Two. @../y.md"}, "One. Two."},
	} {
		test.files["/w/.git/HEAD"] = ""
		w := newWorld(files.Unix, test.files)
		views := map[string]*rule.Set{"": w.load(t, w.roots(test.dir))}
		for _, agent := range []string{"claude", "copilot", "omp", "qwen", "gemini"} {
			views[agent] = w.view(t, agent, w.roots(test.dir))
		}
		for agent, set := range views {
			prompt := set.Prompt(rule.PromptOptions{})
			if n := strings.Count(prompt, "MARK"); n > 1 || n == 0 && prompt != "" {
				t.Errorf("%s, %q: %d times:\n%s", test.name, agent, n, prompt)
			}
			if strings.Contains(prompt, "></rule>") {
				t.Errorf("%s, %q: a rule without text:\n%s", test.name, agent, prompt)
			}
			for _, word := range strings.Fields(test.kept) {
				if agent != "" && agent != "claude" {
					continue // they do not load all of the files
				}
				if strings.Count(prompt, word) != 1 {
					t.Errorf("%s, %q: %s is lost:\n%s", test.name, agent, word, prompt)
				}
			}
			for _, r := range set.All() {
				if len(r.Includes) > 0 && !strings.Contains(r.Content, "MARK") {
					t.Errorf("%s, %q: alone %s has all of its text: %q", test.name, agent, r.Path, r.Content)
				}
				for _, part := range r.Imported {
					if got := r.Content[part.Start:part.End]; !strings.Contains(got, "MARK") || strings.TrimSpace(got) != got {
						t.Errorf("%s, %q: the import of %s is %q", test.name, agent, part.Path, got)
					}
				}
			}
		}
	}
}
