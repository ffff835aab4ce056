package pertain

import (
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/store"
	"github.com/pertain-dev/pertain/skill"
)

// Skills is the library of the usual places (EXECUTION §2): the user's own skills,
// those of other tools, those of the workspace, with what the user enabled by
// `pertain skills enable`. Nothing is read before the library is asked. Without a
// home it has no State.
func Skills(place Place) skill.Library {
	tree := files.OS()
	place.Dir = settings.WorkingDir(tree, place.Dir)
	paths, _ := settings.Locate(environment(place)) // without a home there are only the workspace's
	workspace, trusted := "", false
	if root, ok := settings.WorkspaceRoot(tree, place.Dir); ok {
		workspace = root
		trusted, _ = settings.Trust{Path: paths.Trust}.Trusted(root) // what cannot be read trusts nobody
	}
	library := skill.Library{Roots: discover.SkillRoots(tree, paths, workspace, trusted)}
	if paths.State != "" {
		library.State = store.Skills{Path: tree.Flavor().Join(paths.State, "skills.json")}
	}
	return library
}
