package pertain

import (
	"github.com/pertain-dev/pertain/internal/discover/skillfolder"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/store"
	"github.com/pertain-dev/pertain/skill"
)

// Skills is the library of the usual folders (docs/reference/skills.md): the user's own skills,
// those of other tools, those of the workspace, with what the user enabled by
// `pertain skills enable`. Nothing is read before the library is asked. Without a
// home it has no State.
func Skills(env Environment) skill.Library {
	tree := files.OS()
	env.Dir = settings.WorkingDir(tree, env.Dir)
	paths, _ := settings.Locate(settingsEnvironment(env)) // without a home there are only the workspace's
	workspace, trusted := "", false
	if root, ok := settings.WorkspaceRoot(tree, env.Dir); ok {
		workspace = root
		trusted, _ = settings.Trust{Path: paths.Trust}.Trusted(root) // what cannot be read trusts nobody
	}
	library := skill.Library{Roots: skillfolder.Roots(tree, paths, workspace, trusted)}
	if values, _, err := load(tree, env, paths); err == nil {
		library.Moving = newFleetCopy(&values, paths).skills()
	}
	if paths.State != "" {
		library.State = store.Skills{Path: tree.Flavor().Join(paths.State, "skills.json")}
	}
	return library
}
