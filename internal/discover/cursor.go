package discover

import (
	"strings"

	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/rule"
)

func cursorFormat() *format {
	return &format{
		Tool:       "Cursor",
		GlobKeys:   []string{"globs"},
		ModeKey:    "alwaysApply",
		DropFalse:  true,
		Unquoted:   true, // its own editor writes them so
		MaxLines:   500,
		Contested:  cursorContested,
		Documented: rule.Normalization{TrueAlways: true},
	}
}

// legacy is a file from before tools had rule folders: all text, always applied.
func legacy(name string) *format {
	return &format{Tool: name, Whole: true}
}

// cursor is Cursor's rules: the user's, then the project's (docs/reference/rules.md), then by
// default the legacy file.
func cursor() tool {
	f := cursorFormat()
	exts := []string{".mdc", ".md"}
	return tool{
		id: "cursor", priority: 50, userFirst: true,
		project: []location{
			{path: ".cursor/rules", exts: exts, format: f},
			{path: ".cursorrules", name: "cursorrules", format: legacy("Cursor"), always: true},
		},
		user: []location{{path: ".cursor/rules", exts: exts, format: f}},
		documented: func(s *search) []ruleFile {
			var out []ruleFile
			if s.Home != "" {
				out = s.flat(s.flavor.Join(s.Home, ".cursor/rules"), s.root, rule.User, f, exts...)
			}
			return append(out, s.flat(s.flavor.Join(s.Dir, ".cursor/rules"), s.Dir, rule.Project, f, exts...)...)
		},
	}
}

// cursorContested tells what Cursor's documents leave open.
func cursorContested(r *rule.Rule) string {
	var notes []string
	if n := r.Frontmatter.Get("globs"); n != nil && n.Kind == document.Sequence && r.Bucket != rule.Always {
		notes = append(notes, "Cursor documents `globs` as one comma-separated string; whether a list attaches is not certain")
	}
	if r.AlwaysApply != nil && *r.AlwaysApply && len(r.Globs) > 0 {
		notes = append(notes, "with `alwaysApply: true` the `globs` are probably not looked at")
	}
	if strings.HasSuffix(strings.ToLower(r.Path), ".md") {
		notes = append(notes, "Cursor documents `.mdc`; whether a plain `.md` is read is not certain")
	}
	if len(notes) == 0 {
		return ""
	}
	return "contested: " + strings.Join(notes, "; ")
}
