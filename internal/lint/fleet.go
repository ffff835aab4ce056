package lint

import (
	"context"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

// Fleet checks a folder that is to be a revision of a fleet, as other machines will load it. Whether a glob matches anything is theirs to say.
func (w Workspace) Fleet(ctx context.Context, dir string) (Report, error) {
	tree := files.Noted(ctx, files.OS())
	skills := discover.FleetSkills(dir, func(context.Context) string { return dir })
	options := w.Engine
	options.Providers = []strategy.Provider{discover.FleetStrategies(tree, dir)}
	options.Resolvers = []strategy.Resolver{discover.FileResolver{Tree: tree}, discover.SkillResolver{Tree: tree, Moving: skills}}
	options.Diagnostics = nil // the settings were not asked about
	read, err := w.readStrategies(ctx, options)
	if err != nil {
		return Report{}, err
	}
	rules, list, err := discover.FleetRules(ctx, tree, w.Rules, dir)
	if err != nil {
		return Report{}, err
	}
	registry, err := skill.Library{Tree: tree, Moving: skills}.Load(ctx)
	if err != nil {
		return Report{}, err
	}
	report := Report{Files: len(read.Looked) + len(rules) + len(registry.Skills())}
	report.Diagnostics = append(append(append(diag.List{}, read.Diagnostics...), list...), CheckTexts(rules)...)
	report.Diagnostics = append(report.Diagnostics, registry.Diagnostics()...)
	report.Finish()
	return report, nil
}
