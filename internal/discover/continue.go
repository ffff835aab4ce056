package discover

import "github.com/pertain-dev/pertain/rule"

// continueDev is Continue's rules: a folder of them, and `rules.md` in any
// folder for the files below it.
func continueDev() tool {
	f := &format{
		Tool:       "Continue",
		GlobKeys:   []string{"globs"},
		ModeKey:    "alwaysApply",
		Keys:       []string{"name", "regex"},
		OnePattern: true,
		Extglobs:   true,
		Minimatch:  true,
		Negation:   true,
		Activate:   continueActivation,
		Contested:  continueRegex,
	}
	exts := []string{".md"}
	return tool{
		id: "continue", priority: 26,
		project: []location{
			{path: ".continue/rules", exts: exts, format: f},
			{path: "rules.md", format: f, located: true},
		},
		user: []location{{path: ".continue/rules", exts: exts, format: f}},
	}
}

// continueActivation: a rule that says neither when nor for which files is
// always on.
func continueActivation(f *rule.Fields) rule.Activation {
	if r := f.Rule(); r.AlwaysApply == nil && r.Globs == nil && !f.Has("regex") {
		return rule.AlwaysActive
	}
	return rule.ByFields
}

// continueRegex: what a rule says about the text of files is not looked at here.
func continueRegex(r *rule.Rule) string {
	if r.Frontmatter.Get("regex") == nil {
		return ""
	}
	return "its `regex` looks at the text of files, which is not read here"
}
