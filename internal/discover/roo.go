package discover

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

var rooExts = []string{".md", ".txt"}

// roo is Roo Code's rules: the generic ones always apply, those of a mode only
// in that mode. `.roorules` counts where there is no folder.
func roo() tool {
	f := &format{Tool: "Roo Code", Whole: true}
	return tool{
		id: "roo", priority: 22,
		project: []location{
			{path: ".roo/rules", exts: rooExts, format: f, always: true},
			{path: ".roorules", format: f, always: true},
		},
		user: []location{{path: ".roo/rules", exts: rooExts, format: f, always: true}},
		find: func(s *search, t *tool) []ruleFile {
			var out []ruleFile
			for i, dir := range append(append([]string(nil), s.chain...), s.below...) {
				prefix := ""
				if i >= len(s.chain) {
					prefix, _ = s.flavor.Rel(s.root, dir)
				}
				out = append(out, s.rooIn(dir, t.project, rule.Project, prefix, f)...)
			}
			if s.Home != "" {
				out = append(out, s.rooIn(s.Home, t.user, rule.User, "", f)...)
			}
			return out
		},
	}
}

// rooIn finds the rules of one folder: each mode's first, then the generic ones.
func (s *search) rooIn(dir string, locations []location, level rule.Level, prefix string, f *format) []ruleFile {
	var out []ruleFile
	if kind, ok := s.kind(dir, ".roo", level); ok && kind == files.Folder {
		entries, _ := files.ListWithin(s.tree, s.flavor.Join(dir, ".roo"), s.bounds(dir, level))
		for _, e := range entries {
			mode, ok := strings.CutPrefix(e.Name, "rules-")
			if !ok || mode == "" {
				continue
			}
			found := s.in(dir, []location{{path: ".roo/" + e.Name, exts: rooExts, format: f}}, level, "")
			for i := range found {
				o := &found[i].origin
				o.Name, o.Manual = joinName(prefix, mode+"/"+o.Name), true
			}
			out = append(out, found...)
		}
	}
	generic := s.in(dir, locations[:1], level, prefix)
	if len(generic) == 0 && len(locations) > 1 {
		generic = s.in(dir, locations[1:], level, prefix)
	}
	return append(out, generic...)
}

func joinName(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "/" + name
}
