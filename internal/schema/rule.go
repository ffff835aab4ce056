package schema

// ruleSchema is the frontmatter of native rules. Other tools' fields are their own.
func ruleSchema() object {
	examples := strict(object{
		"match":    textOrTexts().describe("texts that the triggers must match"),
		"no_match": textOrTexts().describe("texts that they must not match"),
	})
	return object{
		"title":       "Frontmatter of a rule",
		"description": "A rule file of .omp/rules; the rule is the text below. Fields that only other tools know are left alone.",
		"type":        "object",
		"properties": object{
			"description":   oneOf("string", "null").describe("what the rule is about, for a model that decides whether to read it"),
			"globs":         object{"anyOf": []object{textOrTexts(), typed("null")}, "description": "files that the rule is for, such as src/**/*.ts; one text may hold several, separated by commas"},
			"alwaysApply":   oneOf("boolean", "null").describe("true: the whole rule is in every prompt"),
			"ttsr_trigger":  object{"anyOf": []object{textOrTexts(), typed("null")}, "description": "regular expressions of ECMAScript on what the model says: the rule is injected when one matches"},
			"condition":     object{"anyOf": []object{textOrTexts(), typed("null")}, "description": "another name of ttsr_trigger"},
			"scope":         object{"anyOf": []object{textOrTexts(), typed("null")}, "description": "where the triggers look: text, thinking, tool calls"},
			"interruptMode": object{"enum": []any{"always", "prose-only", "tool-only", "never", nil}, "description": "where a trigger interrupts: always, prose-only, tool-only, never"},
			"examples":      object{"anyOf": []object{examples, typed("null")}, "description": "texts to try the triggers on: pertain lint and pertain test do"},
			"enabled":       oneOf("boolean", "null").describe("false: the rule is found, and never used"),
		},
	}
}
