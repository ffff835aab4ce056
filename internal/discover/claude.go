package discover

import "github.com/pertain-dev/pertain/rule"

// claude is Claude Code's memory files and rules. The files add up: each speaks
// for its folder.
func claude() tool {
	memory := &format{Tool: "Claude Code", Whole: true}
	rules := &format{
		Tool:     "Claude Code",
		GlobKeys: []string{"paths"},
		Activate: alwaysWithoutGlobs,
	}
	exts := []string{".md"}
	return tool{
		id: "claude", priority: 38,
		project: []location{
			{path: "CLAUDE.md", format: memory, located: true, always: true, imports: true},
			{path: ".claude/CLAUDE.md", name: ".claude/CLAUDE", format: memory, located: true, always: true, imports: true},
			{path: "CLAUDE.local.md", name: "CLAUDE.local", format: memory, located: true, always: true, imports: true},
			{path: ".claude/rules", exts: exts, format: rules, imports: true},
		},
		user: []location{
			{path: ".claude/CLAUDE.md", format: memory, always: true, imports: true},
			{path: ".claude/rules", exts: exts, format: rules, imports: true},
		},
	}
}

// alwaysWithoutGlobs: a rule without paths is loaded at the start.
func alwaysWithoutGlobs(f *rule.Fields) rule.Activation {
	if f.Rule().Globs == nil {
		return rule.AlwaysActive
	}
	return rule.ByFields
}
