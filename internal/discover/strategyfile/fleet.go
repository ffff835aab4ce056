package strategyfile

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/strategy"
)

// fleetPlugin is the id of the fleet's strategies.
const fleetPlugin = "plugin.fleet"

// Fleet are the strategies of a folder as they will be when it is a revision of a fleet. They reach only files of it.
func Fleet(tree files.Tree, dir string) strategy.Provider {
	return &folder{tree: tree, id: fleetPlugin, roots: []string{tree.Flavor().Join(dir, "strategies")}, trusted: true, confine: dir}
}

// withFleet puts them among the plugins. A plugin of the same name would have ids of the fleet's: it is left out.
func withFleet(tree files.Tree, plugins []strategy.Provider, dir string) []strategy.Provider {
	plugins = slices.DeleteFunc(plugins, func(p strategy.Provider) bool { return strings.EqualFold(p.ID(), fleetPlugin) })
	plugins = append(plugins, Fleet(tree, dir))
	slices.SortStableFunc(plugins, func(a, b strategy.Provider) int { return compareIDs(a.ID(), b.ID()) })
	return plugins
}
