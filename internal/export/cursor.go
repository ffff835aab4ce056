package export

import "strings"

// cursor: `alwaysApply`, else globs, else a description, else it is manual.
func cursor() Form {
	return Form{
		Agent: "cursor", Path: ".cursor/rules", End: ".mdc", Deep: true, Memory: []string{".cursorrules"},
		User:   ".cursor/rules",
		Always: "`alwaysApply: true`", Globs: "`globs`", Description: "`description` alone", Manual: "none of these",
		fields: cursorFields,
	}
}

// trae reads Cursor's fields.
func trae() Form {
	return Form{
		Agent: "trae", Path: ".trae/rules", End: ".md", Deep: true,
		User:   ".trae/user_rules.md",
		Always: "`alwaysApply: true`", Globs: "`globs`", Description: "`description` alone", Manual: "none of these",
		fields: cursorFields,
	}
}

func cursorFields(p *placed) []field {
	var out []field
	if p.as == Manual && p.Description != "" {
		p.lose("description", "a manual rule has none; with one the model could ask for it")
		p.Description = ""
	}
	out = append(out, described(p.Description)...)
	if p.as == ByGlobs { // one text: it is not certain that a list is taken
		out = append(out, text("globs", strings.Join(p.globs, ",")))
	}
	if p.as == Always {
		return append(out, word("alwaysApply", "true"))
	}
	return append(out, word("alwaysApply", "false"))
}
