package discover

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/files"
)

// UserPaths are the files and folders of the user that rules are read from,
// whether or not they exist, each once: who follows changes watches them.
func UserPaths(tree files.Tree, roots RuleRoots) []string {
	var out []string
	if roots.Home != "" {
		var paths []string
		for _, t := range tools() {
			for _, p := range t.user {
				paths = append(paths, p.path)
			}
		}
		// Of the tools that have ways of their own; .roo holds a folder for each mode.
		paths = append(paths, "Documents/Cline/Rules", "Cline/Rules", ".codeium/windsurf/memories/global_rules.md", ".roo")
		for _, path := range paths {
			out = append(out, tree.Flavor().Join(roots.Home, path))
		}
	}
	if roots.ConfigHome != "" {
		out = append(out, tree.Flavor().Join(roots.ConfigHome, "goose", ".goosehints"))
	}
	out = append(out, roots.Instructions...)
	slices.Sort(out)
	return slices.Compact(out)
}
