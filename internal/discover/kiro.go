package discover

import "github.com/pertain-dev/pertain/rule"

// kiro is Kiro's steering files.
func kiro() tool {
	f := &format{
		Tool:     "Kiro",
		GlobKeys: []string{"fileMatchPattern"},
		ModeKey:  "inclusion",
		Keys:     []string{"name"},
		Activate: kiroInclusion,
	}
	locations := []location{{path: ".kiro/steering", exts: []string{".md"}, format: f, imports: importsOf("kiro")}}
	return tool{id: "kiro", priority: 24, project: locations, user: locations}
}

// kiroInclusion: a file that does not say is always included.
func kiroInclusion(f *rule.Fields) rule.Activation {
	switch f.Word("inclusion", "always", "fileMatch", "manual", "auto") {
	case "fileMatch":
		return rule.ByFields
	case "manual":
		return rule.Manual
	case "auto":
		return rule.OnDescription
	}
	return rule.AlwaysActive
}
