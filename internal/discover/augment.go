package discover

import "github.com/pertain-dev/pertain/rule"

// augment is Augment's rules; the user's always apply.
func augment() tool {
	f := &format{Tool: "Augment", ModeKey: "type", Activate: augmentType}
	exts := []string{".md"}
	return tool{
		id: "augment", priority: 20,
		project: []location{
			{path: ".augment/rules", exts: exts, format: f},
			{path: ".augment-guidelines", name: "augment-guidelines", format: legacy("Augment"), always: true},
		},
		user: []location{{path: ".augment/rules", exts: exts, format: f, always: true}},
	}
}

// augmentType: without a type, a description is what the model goes by, and a
// rule that has none is always attached.
func augmentType(f *rule.Fields) rule.Activation {
	switch f.Word("type", "always_apply", "manual", "agent_requested") {
	case "always_apply":
		return rule.AlwaysActive
	case "manual":
		return rule.Manual
	case "agent_requested":
		return rule.OnDescription
	}
	if f.Rule().Description == nil {
		return rule.AlwaysActive
	}
	return rule.OnDescription
}
