package secret_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/secret"
)

// TestLooksHidden: what programs keep for themselves is no rule, and Markdown that people keep in hidden folders is.
func TestLooksHidden(t *testing.T) {
	for path, want := range map[string]bool{
		"/home/me/.codex/auth.json":                  true,
		"/home/me/.config/gh/hosts.yml":              true,
		"/home/me/.config/tool/notes.txt":            true,
		"/home/me/.local/state/pertain/x.md":         true,
		"/home/me/.cache/tool/answer.md":             true,
		"/home/me/env.txt":                           true,
		"/home/me/rules/environment.md":              false,
		"/home/me/.claude/CLAUDE.md":                 false,
		"/home/me/.dotfiles/AGENTS.md":               false,
		"/home/me/.dotfiles/.cursorrules":            false,
		"/home/me/.local/share/chezmoi/rules/go.mdc": false,
		"/home/me/rules/style.txt":                   false,
	} {
		if got := secret.Looks(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestIsRulesName: only names that tools fix say that a file is one of rules.
func TestIsRulesName(t *testing.T) {
	for name, want := range map[string]bool{
		".cursorrules": true, "cursorrules": true, ".roorules-code": true, ".goosehints": true, ".augment-guidelines": true, ".rules": true,
		"auth.json": false, "hosts.yml": false, "rclone.conf": false, "diary": false, "rules.json": false, ".rules.yml": false, "config": false,
	} {
		if got := secret.IsRulesName(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestHoldsToken: tokens of services are found wherever they stand, and what only looks a little like one is not.
func TestHoldsToken(t *testing.T) {
	long := strings.Repeat("aB3dE6", 8)
	for text, want := range map[string]bool{
		`{"OPENAI_API_KEY":"sk-proj-` + long + `"}`:    true,
		"oauth_token: gho_" + long:                     true,
		"key=AKIAIOSFODNN7EXAMPLE":                     true,
		`"access_token": "ya29.` + long + `"`:          true,
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + long: true,
		"Never write keys such as sk-... or ghp_xxx":   false,
		"a task-" + long:                               false,
		"sk-something-that-is-only-words":              false,
		"Use AKIA keys":                                false,
		"":                                             false,
	} {
		if got := secret.HoldsKey([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
