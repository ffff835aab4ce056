package discover

import (
	"slices"

	"github.com/pertain-dev/pertain/rule"
)

// FieldsOf is what the rule files of one tool may say in their frontmatter, for the
// reference.
type FieldsOf struct {
	Provider string
	Files    []string // of a project, with slashes; folders end with one
	Format   *rule.Format
}

// Fields are the tools whose files have frontmatter that means something, in the order
// of precedence.
func Fields() []FieldsOf {
	var out []FieldsOf
	for _, t := range tools() {
		row := FieldsOf{Provider: t.id}
		for _, at := range t.project {
			if at.always || at.format == nil || at.format.FieldNames() == nil {
				continue
			}
			path := at.path
			if at.exts != nil {
				path += "/"
			}
			row.Format = at.format
			row.Files = append(row.Files, path)
		}
		if row.Format != nil {
			slices.Sort(row.Files)
			row.Files = slices.Compact(row.Files)
			out = append(out, row)
		}
	}
	return out
}
