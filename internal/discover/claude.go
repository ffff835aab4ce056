package discover

import (
	"slices"

	"github.com/pertain-dev/pertain/rule"
)

// claudeRules is how Claude Code reads the files of its rules folder: `paths` are
// lines of .gitignore.
func claudeRules() *format {
	return &format{
		Tool:        "Claude Code",
		GlobKeys:    []string{"paths"},
		Gitignore:   true,
		TakesBroken: true,
		Unquoted:    true,
		SplitItems:  true,
		Activate:    claudeActivation,
	}
}

// claude is Claude Code's memory files and rules. The files add up: each speaks
// for its folder.
func claude() tool {
	memory := &format{Tool: "Claude Code", Memory: true}
	rules, imports := claudeRules(), importsOf("claude")
	exts := []string{".md"}
	file := func(path, name string) location {
		return location{path: path, name: name, format: memory, located: true, always: true, imports: imports}
	}
	user := func(path, name string) location {
		return location{path: path, name: name, format: memory, always: true, imports: imports, env: "CLAUDE_CONFIG_DIR"}
	}
	plain := file("CLAUDE.md", "")
	plain.anyCase = true
	return tool{
		id: "claude", priority: 38,
		project: []location{
			plain,
			file(".claude/CLAUDE.md", ".claude/CLAUDE"),
			file("CLAUDE.local.md", "CLAUDE.local"),
			file(".claude/AGENTS.md", ".claude/AGENTS"),
			{path: ".claude/rules", exts: exts, format: rules, imports: imports},
		},
		user: []location{
			user(".claude/CLAUDE.md", "CLAUDE"),
			user(".claude/AGENTS.md", ".claude/AGENTS"),
			{path: ".claude/rules", exts: exts, format: rules, imports: imports, env: "CLAUDE_CONFIG_DIR", workBase: true},
			{path: "/etc/claude-code/CLAUDE.md", name: "claude-code/CLAUDE", format: memory, always: true, imports: imports, system: true},
		},
	}
}

// claudeActivation: a rule without paths is loaded at the start, and so is one
// whose paths all mean everything.
func claudeActivation(f *rule.Fields) rule.Activation {
	if !slices.ContainsFunc(f.Rule().Globs, func(g string) bool { return g != "**" && g != "/**" }) {
		return rule.AlwaysActive
	}
	return rule.ByFields
}

// alwaysWithoutGlobs: a rule without paths is loaded at the start.
func alwaysWithoutGlobs(f *rule.Fields) rule.Activation {
	if f.Rule().Globs == nil {
		return rule.AlwaysActive
	}
	return rule.ByFields
}
