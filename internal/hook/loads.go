package hook

import (
	"slices"

	"github.com/pertain-dev/pertain/rule"
)

// ownProviders are the providers whose files an agent loads itself.
var ownProviders = map[string][]string{
	"claude":   {"claude"},
	"codex":    {"agents-md"},
	"gemini":   {"gemini"},
	"qwen":     {"qwen"},
	"copilot":  {"github", "agents-md"},
	"droid":    {"agents-md"},
	"cline":    {"cline"},
	"cursor":   {"cursor", "agents-md"},
	"windsurf": {"windsurf", "agents-md"},
	"opencode": {"agents-md"},
	"pi":       {"agents-md"},
}

// loads tells whether an agent loads a rule's file itself.
func loads(agent string, r *rule.Rule) bool { return slices.Contains(ownProviders[agent], r.Provider) }
