package discover

import (
	"context"
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// fleet is the rules that many machines share, in native form: below the project's own and the user's native ones, above those of other tools.
// Whoever signs them is the user's choice, so that they are the user's own.
func fleet() tool {
	return tool{
		id: "fleet", priority: 90,
		find: func(s *search, _ *tool) []ruleFile {
			if kind, ok := s.kind(s.Fleet, "rules", rule.User); !ok || kind != files.Folder {
				return nil
			}
			found := s.folderRules(spot{dir: s.Fleet, level: rule.User}, &location{path: "rules", exts: []string{".md", ".mdc"}, format: nativeFormat()})
			within := files.Below(s.tree, s.Fleet)
			for i := range found {
				found[i].within = within
			}
			return found
		},
	}
}

// withFleet puts the fleet's rules in their place, on machines that have some.
func withFleet(tools []tool) []tool {
	f := fleet()
	at := slices.IndexFunc(tools, func(t tool) bool { return t.priority < f.priority })
	return slices.Insert(tools, at, f)
}

// FleetRules are the rules of a folder as they will be when it is a revision of a fleet.
func FleetRules(ctx context.Context, tree files.Tree, roots RuleRoots, dir string) ([]*rule.Rule, diag.List, error) {
	roots.Fleet = dir
	p := &ruleProvider{search: newSearch(tree, roots), tool: fleet()}
	return p.Rules(ctx)
}
