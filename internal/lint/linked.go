package lint

import (
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// Linked are the rules of a workspace that are links to files outside of it, in their order. They are read where docs/mcp.md
// allows it, and nothing is wrong with them; but a person who looks at the repository does not see whose text models are told.
func Linked(tree files.Tree, root string, rules []*rule.Rule) []*rule.Rule {
	real, err := tree.RealPath(root)
	if err != nil {
		real = root
	}
	var out []*rule.Rule
	for _, r := range rules {
		if flavor := tree.Flavor(); r.Level == rule.Project && r.Real != "" && flavor.Inside(root, r.Path) && !flavor.Inside(real, r.Real) {
			out = append(out, r)
		}
	}
	return out
}
